package org.mrcheck.rnic.roce;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Takes a little-endian pcapng file apart, strictly. */
final class PcapngBlocks {
  record Block(int type, byte[] body) {
    ByteBuffer buffer() {
      return ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
    }

    /** The options behind so many bytes. */
    Map<Integer, byte[]> options(int from) {
      ByteBuffer bytes = buffer().position(from);
      Map<Integer, byte[]> options = new LinkedHashMap<>();
      while (true) {
        int code = bytes.getShort();
        byte[] value = new byte[bytes.getShort()];
        if (code == 0) {
          assertThat(bytes.remaining()).isZero();
          return options;
        }
        bytes.get(value);
        bytes.position(bytes.position() + (-value.length & 3));
        options.put(code, value);
      }
    }

    /** Of a packet block. */
    long nanos() {
      return (buffer().getInt(4) & 0xffff_ffffL) << 32 | buffer().getInt(8) & 0xffff_ffffL;
    }

    /** Of a packet block. */
    byte[] frame() {
      ByteBuffer bytes = buffer();
      byte[] frame = new byte[bytes.getInt(12)];
      assertThat(bytes.getInt(16)).isEqualTo(frame.length);
      assertThat(body).hasSize(20 + (frame.length + 3 & ~3));
      bytes.position(20).get(frame);
      return frame;
    }
  }

  private PcapngBlocks() {}

  static List<Block> read(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    List<Block> blocks = new ArrayList<>();
    while (bytes.hasRemaining()) {
      int type = bytes.getInt();
      int total = bytes.getInt();
      assertThat(total % 4).isZero();
      byte[] body = new byte[total - 12];
      bytes.get(body);
      assertThat(bytes.getInt()).isEqualTo(total);
      blocks.add(new Block(type, body));
    }
    return blocks;
  }

  /** The frames alone. */
  static List<Block> packets(Path file) throws IOException {
    return read(file).stream().filter(block -> block.type() == 6).toList();
  }
}
