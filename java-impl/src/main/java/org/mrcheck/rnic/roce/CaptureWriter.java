package org.mrcheck.rnic.roce;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.mrcheck.lang.file.WholeFile;

/**
 * Writes Ethernet frames into a pcapng file (draft-ietf-opsawg-pcapng): one section, little-endian,
 * one interface with nanosecond times, the names of hosts, the frames, and at the end how many
 * there were and that none was dropped.
 *
 * <p>Any number of threads may write. The order of the file is the order in which their calls
 * enter, and times never go back in it. Nothing is dropped: a writer waits while another writes,
 * and while the file system takes what is buffered. If the file cannot be written, frames are
 * ignored from there on and {@link #close} says so.
 *
 * <p>The file bears its name only when {@link #close} has made it whole.
 *
 * @see WholeFile
 */
public final class CaptureWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 18;
  private static final int SECTION_HEADER = 0x0a0d0d0a;
  private static final int INTERFACE_DESCRIPTION = 1;
  private static final int NAME_RESOLUTION = 4;
  private static final int INTERFACE_STATISTICS = 5;
  private static final int ENHANCED_PACKET = 6;
  private static final int ETHERNET = 1;
  private static final int COMMENT = 1;
  private static final int APPLICATION = 4;
  private static final int INTERFACE_NAME = 2;
  private static final int TIME_RESOLUTION = 9;
  private static final int RECEIVED = 4;
  private static final int DROPPED = 5;

  private final WholeFile file;
  private final OutputStream out;
  private final long epochNanos;
  private final Object lock = new Object();

  // Guarded by lock.
  private final ByteBuffer head = littleEndian(28);
  private final ByteBuffer tail = littleEndian(8);
  private long frames;
  private IOException failure;
  private boolean closed;

  private CaptureWriter(WholeFile file) {
    this.file = file;
    out = new BufferedOutputStream(file.out(), BUFFER_BYTES);
    Instant now = Instant.now();
    epochNanos = now.getEpochSecond() * 1_000_000_000L + now.getNano() - System.nanoTime();
  }

  /**
   * Begins a capture.
   *
   * @param comment what the capture is, for people
   * @param names IPv4 addresses, the first byte uppermost, and the hosts' names
   * @throws IOException if the file cannot be made
   */
  public static CaptureWriter create(Path file, String comment, Map<Integer, String> names)
      throws IOException {
    CaptureWriter writer = new CaptureWriter(WholeFile.create(file));
    boolean begun = false;
    try {
      writer.begin(comment, names);
      begun = true;
      return writer;
    } finally {
      if (!begun) {
        writer.discard();
      }
    }
  }

  private void begin(String comment, Map<Integer, String> names) throws IOException {
    ByteBuffer section = littleEndian(16);
    section.putInt(0x1a2b3c4d).putShort((short) 1).putShort((short) 0).putLong(-1);
    Map<Integer, byte[]> sectionOptions = new LinkedHashMap<>();
    sectionOptions.put(COMMENT, utf8(comment));
    sectionOptions.put(APPLICATION, utf8("mrcheck"));
    out.write(block(SECTION_HEADER, section.array(), options(sectionOptions)));

    ByteBuffer description = littleEndian(8);
    description.putShort((short) ETHERNET).putShort((short) 0).putInt(0);
    Map<Integer, byte[]> interfaceOptions = new LinkedHashMap<>();
    interfaceOptions.put(INTERFACE_NAME, utf8("wire"));
    interfaceOptions.put(TIME_RESOLUTION, new byte[] {9});
    out.write(block(INTERFACE_DESCRIPTION, description.array(), options(interfaceOptions)));

    if (!names.isEmpty()) {
      out.write(block(NAME_RESOLUTION, nameRecords(names), new byte[0]));
    }
  }

  private static byte[] nameRecords(Map<Integer, String> names) {
    int size = 4;
    for (String name : names.values()) {
      size += 4 + padded(4 + utf8(name).length + 1);
    }
    ByteBuffer records = littleEndian(size);
    names.forEach(
        (address, name) -> {
          byte[] text = utf8(name);
          int end = records.position() + 4 + padded(4 + text.length + 1);
          records.putShort((short) 1).putShort((short) (4 + text.length + 1));
          // An address stands as in a packet, whatever the section's byte order.
          records.putInt(Integer.reverseBytes(address)).put(text);
          records.position(end);
        });
    return records.array();
  }

  /** Appends a frame, stamped with the time now. */
  public void write(byte[] frame) {
    int pad = -frame.length & 3;
    int total = 32 + frame.length + pad;
    synchronized (lock) {
      if (closed || failure != null) {
        return;
      }
      long time = now();
      head.clear();
      head.putInt(ENHANCED_PACKET).putInt(total).putInt(0);
      head.putInt((int) (time >>> 32)).putInt((int) time);
      head.putInt(frame.length).putInt(frame.length);
      tail.putInt(4, total);
      try {
        out.write(head.array());
        out.write(frame);
        out.write(tail.array(), 4 - pad, 4 + pad);
        frames++;
      } catch (IOException problem) {
        failure = problem;
      }
    }
  }

  /** The frames written so far. */
  public long frames() {
    synchronized (lock) {
      return frames;
    }
  }

  /**
   * Ends the capture and gives the file its name; an older file of that name is replaced. What is
   * written after this is ignored. Further calls do nothing.
   *
   * @throws UncheckedIOException if the capture could not be written; then there is no file
   */
  @Override
  public void close() {
    synchronized (lock) {
      if (closed) {
        return;
      }
      closed = true;
      try {
        if (failure == null) {
          end();
          file.close();
        }
      } catch (IOException problem) {
        failure = problem;
      }
      if (failure != null) {
        remove();
        throw new UncheckedIOException("the capture could not be written", failure);
      }
    }
  }

  /** Ends without a file: what was written is removed. */
  public void discard() {
    synchronized (lock) {
      if (!closed) {
        closed = true;
        remove();
      }
    }
  }

  private void end() throws IOException {
    long time = now();
    ByteBuffer statistics = littleEndian(12);
    statistics.putInt(0).putInt((int) (time >>> 32)).putInt((int) time);
    Map<Integer, byte[]> counts = new LinkedHashMap<>();
    counts.put(RECEIVED, littleEndian(8).putLong(frames).array());
    counts.put(DROPPED, new byte[8]);
    out.write(block(INTERFACE_STATISTICS, statistics.array(), options(counts)));
    out.flush();
  }

  /** Best effort: there is a more important problem to tell, or nobody wants the file. */
  private void remove() {
    try {
      file.discard();
    } catch (IOException ignored) {
      // It keeps its temporary name, by which nobody takes it for a capture.
    }
  }

  private long now() {
    return epochNanos + System.nanoTime();
  }

  private static byte[] options(Map<Integer, byte[]> options) {
    int size = 4;
    for (byte[] value : options.values()) {
      size += 4 + padded(value.length);
    }
    ByteBuffer bytes = littleEndian(size);
    options.forEach(
        (code, value) -> {
          int end = bytes.position() + 4 + padded(value.length);
          bytes.putShort(code.shortValue()).putShort((short) value.length).put(value);
          bytes.position(end);
        });
    return bytes.array();
  }

  private static byte[] block(int type, byte[] fixed, byte[] rest) {
    int total = 12 + fixed.length + rest.length;
    ByteBuffer bytes = littleEndian(total);
    return bytes.putInt(type).putInt(total).put(fixed).put(rest).putInt(total).array();
  }

  private static ByteBuffer littleEndian(int size) {
    return ByteBuffer.allocate(size).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int padded(int length) {
    return length + 3 & ~3;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
