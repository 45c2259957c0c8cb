package org.mrcheck.rnic.roce;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CaptureWriterTest {
  @TempDir private Path folder;

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Test
  void close_framesOfEveryLength_fileHasTheBlocksOfAPcapng() throws Exception {
    Path file = folder.resolve("a.pcapng");
    long before = System.currentTimeMillis() * 1_000_000;
    try (CaptureWriter writer =
        CaptureWriter.create(file, "grüße", Map.of(0xc000_0201, "hostname"))) {
      for (int length = 1; length <= 9; length++) {
        byte[] frame = new byte[length];
        frame[length - 1] = (byte) length;
        writer.write(frame);
      }
      assertThat(writer.frames()).isEqualTo(9);
    }

    List<PcapngBlocks.Block> blocks = PcapngBlocks.read(file);
    PcapngBlocks.Block section = blocks.get(0);
    assertThat(section.type()).isEqualTo(0x0a0d0d0a);
    assertThat(section.buffer().getInt(0)).isEqualTo(0x1a2b3c4d);
    assertThat(section.buffer().getInt(4)).isEqualTo(1);
    assertThat(section.buffer().getLong(8)).isEqualTo(-1);
    assertThat(text(section.options(16).get(1))).isEqualTo("grüße");
    PcapngBlocks.Block description = blocks.get(1);
    assertThat(description.type()).isEqualTo(1);
    assertThat(description.buffer().getInt(0)).isEqualTo(1);
    assertThat(description.options(8).get(9)).containsExactly(9);
    PcapngBlocks.Block names = blocks.get(2);
    assertThat(names.type()).isEqualTo(4);
    byte[] record = new byte[20];
    ByteBuffer.wrap(record)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putShort((short) 1)
        .putShort((short) 13)
        .put(new byte[] {(byte) 192, 0, 2, 1})
        .put("hostname".getBytes(StandardCharsets.UTF_8));
    // 4 bytes of head, 13 of content and 3 of padding, then the end of records.
    assertThat(names.body()).hasSize(24).startsWith(record).endsWith(0, 0, 0, 0);
    List<PcapngBlocks.Block> packets = PcapngBlocks.packets(file);
    long last = before;
    for (int i = 0; i < packets.size(); i++) {
      byte[] frame = packets.get(i).frame();
      assertThat(frame).hasSize(i + 1).endsWith(i + 1);
      assertThat(packets.get(i).nanos()).isGreaterThanOrEqualTo(last);
      last = packets.get(i).nanos();
    }
    assertThat(last).isLessThan(before + 600_000_000_000L);
    PcapngBlocks.Block statistics = blocks.get(blocks.size() - 1);
    assertThat(blocks).hasSize(3 + 9 + 1);
    assertThat(statistics.type()).isEqualTo(5);
    assertThat(statistics.options(12).get(4)).containsExactly(9, 0, 0, 0, 0, 0, 0, 0);
    assertThat(statistics.options(12).get(5)).containsOnly(0).hasSize(8);
  }

  @Test
  void write_manyThreads_losesNothingAndKeepsEachThreadsOrder() throws Exception {
    Path file = folder.resolve("a.pcapng");
    int perThread = 20_000;
    try (CaptureWriter writer = CaptureWriter.create(file, "", Map.of())) {
      List<Thread> threads = new ArrayList<>();
      for (int number = 0; number < 4; number++) {
        int own = number;
        threads.add(
            new Thread(
                () -> {
                  for (int i = 0; i < perThread; i++) {
                    writer.write(ByteBuffer.allocate(8).putInt(own).putInt(i).array());
                  }
                }));
      }
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
    }

    Map<Integer, Integer> next = new HashMap<>();
    long last = 0;
    for (PcapngBlocks.Block packet : PcapngBlocks.packets(file)) {
      ByteBuffer frame = ByteBuffer.wrap(packet.frame());
      int thread = frame.getInt();
      if (frame.getInt() != next.merge(thread, 1, Integer::sum) - 1 || packet.nanos() < last) {
        throw new AssertionError("thread " + thread + ": order or time goes back");
      }
      last = packet.nanos();
    }
    assertThat(next.values()).containsExactly(perThread, perThread, perThread, perThread);
  }

  private List<String> files() throws Exception {
    try (Stream<Path> all = Files.list(folder)) {
      return all.map(path -> path.getFileName().toString()).toList();
    }
  }

  @Test
  void close_fileOfThatNameExists_isReplacedOnlyThen() throws Exception {
    Path file = folder.resolve("a.pcapng");
    Files.writeString(file, "old");
    CaptureWriter writer = CaptureWriter.create(file, "", Map.of());
    writer.write(new byte[1000]);
    assertThat(Files.readString(file)).isEqualTo("old");
    assertThat(files()).hasSize(2);

    writer.close();
    writer.write(new byte[1]);
    writer.close();

    assertThat(files()).containsExactly("a.pcapng");
    assertThat(PcapngBlocks.packets(file)).hasSize(1);
  }

  @Test
  void discard_leavesNothing() throws Exception {
    CaptureWriter writer = CaptureWriter.create(folder.resolve("a.pcapng"), "", Map.of());
    writer.write(new byte[1000]);

    writer.discard();
    writer.close();

    assertThat(files()).isEmpty();
  }

  @Test
  void close_targetCannotBeReplaced_saysSoAndLeavesNoTemporaryFile() throws Exception {
    Path file = folder.resolve("a.pcapng");
    CaptureWriter writer = CaptureWriter.create(file, "", Map.of());
    Files.createDirectories(file.resolve("in-the-way"));

    assertThatThrownBy(writer::close)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("could not be written");
    assertThat(files()).containsExactly("a.pcapng");
  }

  @Test
  void close_diskWasFull_saysSoAndWritersWentOn() throws Exception {
    Path full = Path.of("/dev/full");
    assumeTrue(Files.isWritable(full), "SKIPPED: there is no /dev/full");
    CaptureWriter writer = CaptureWriter.create(full, "", Map.of());
    for (int i = 0; i < 1000; i++) {
      writer.write(new byte[1000]);
    }

    assertThat(writer.frames()).isLessThan(1000);
    assertThatThrownBy(writer::close)
        .isInstanceOf(UncheckedIOException.class)
        .hasMessageContaining("could not be written");
    assertThat(full).exists();
  }
}
