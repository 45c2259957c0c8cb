package org.mrcheck.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.TraceHeader.Completeness;

class TraceRecordingTest {
  private static final MemoryKey KEY = new MemoryKey(0x101);

  @TempDir Path folder;

  private static TraceHeader header() {
    return TraceRecording.header("test", List.of("a", "b"), Map.of("seed", "1"));
  }

  @Test
  void close_afterManyThreads_hasHandedOverEveryNumberInOrder() throws InterruptedException {
    List<TraceEvent> events = new ArrayList<>();
    int perThread = 60_000;
    try (TraceRecording recording = TraceRecording.into(events::add)) {
      List<Thread> threads = new ArrayList<>();
      for (int t = 0; t < 4; t++) {
        Actor actor = new Actor("a", "thread" + t);
        Thread thread =
            new Thread(
                () -> {
                  for (int mr = 1; mr <= perThread; mr++) {
                    recording.points().regCall(actor, mr, KEY);
                  }
                });
        threads.add(thread);
        thread.start();
      }
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(recording.events()).isEqualTo(4 * perThread);
    }

    assertThat(events).hasSize(4 * perThread);
    long[] last = new long[4];
    for (int i = 0; i < events.size(); i++) {
      TraceEvent.RegCall call = (TraceEvent.RegCall) events.get(i);
      assertThat(call.stamp().seq()).isEqualTo(i + 1);
      int thread = call.stamp().actor().role().charAt("thread".length()) - '0';
      assertThat(call.mr()).isEqualTo(++last[thread]);
    }
  }

  @Test
  void toFile_bearsItsNameOnlyWhenClosed() throws IOException {
    Path file = folder.resolve("a.mrtrace");
    TraceRecording recording = TraceRecording.toFile(file, header());
    recording.points().regCall(new Actor("a", "owner"), 1, KEY);
    assertThat(file).doesNotExist();

    recording.close();

    assertThat(Files.readAllLines(file))
        .startsWith("mrtrace 1")
        .anyMatch(line -> line.endsWith(" a/owner reg.call mr=1 key=0x101"));
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).containsExactly(file);
    }
  }

  @Test
  void toFile_inAFolderThatIsNotThere_fails() {
    assertThatThrownBy(
            () -> TraceRecording.toFile(folder.resolve("none").resolve("a.mrtrace"), header()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void close_afterTheSinkFailed_reportsItAndTheDeviceWasNotHeldUp() {
    TraceRecording recording =
        TraceRecording.into(
            event -> {
              if (event.stamp().seq() == 10) {
                throw new UncheckedIOException(new IOException("disk full"));
              }
            });
    Actor actor = new Actor("a", "owner");
    for (int mr = 1; mr <= 200_000; mr++) {
      recording.points().regCall(actor, mr, KEY);
    }

    assertThatThrownBy(recording::close)
        .isInstanceOf(UncheckedIOException.class)
        .hasRootCauseMessage("disk full");
  }

  @Test
  void off_recordsNothing() {
    try (TraceRecording recording = TraceRecording.off()) {
      recording.points().regCall(new Actor("a", "owner"), 1, KEY);
      assertThat(recording.events()).isZero();
    }
  }

  @Test
  void header_namesHostsAndEveryClassTheDeviceTracesAsComplete() {
    TraceHeader header = header();

    assertThat(header.hosts()).extracting(TraceHeader.Host::name).containsExactly("a", "b");
    assertThat(header.transport()).contains("memory");
    for (EventClass eventClass : EventClass.values()) {
      boolean traced = eventClass != EventClass.CACHE && eventClass != EventClass.RECORDING;
      assertThat(header.completeness(eventClass, "a").filter(Completeness.COMPLETE::equals))
          .as(eventClass.text())
          .matches(found -> found.isPresent() == traced);
    }
  }
}
