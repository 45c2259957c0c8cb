package org.mrcheck.check.capture;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads the frames of a packet capture: classic pcap in both byte orders with microseconds or
 * nanoseconds, and pcapng with any number of sections and interfaces; either may be compressed with
 * gzip. Needs no native library. Unknown pcapng blocks are skipped.
 *
 * <p>A file that ends in the middle of a record, as one does that is still being written, yields
 * the whole records before it and a warning. Anything else that is not a capture is a {@link
 * CaptureFormatException}; no other exception leaves this class because of what the bytes are. A
 * record claims at most {@value #LARGEST_FRAME} bytes of memory, whatever its length field says.
 *
 * <p>Not safe for use by several threads.
 */
public final class CaptureReader implements AutoCloseable {
  /** The longest frame a record may hold, in bytes; capture tools use the same limit. */
  public static final int LARGEST_FRAME = 262_144;

  private static final int PCAP_MICROS = 0xa1b2c3d4;
  private static final int PCAP_NANOS = 0xa1b23c4d;
  private static final int SECTION_HEADER = 0x0a0d0d0a;
  private static final int BYTE_ORDER_MAGIC = 0x1a2b3c4d;
  private static final int INTERFACE_DESCRIPTION = 1;
  private static final int OLD_PACKET = 2;
  private static final int SIMPLE_PACKET = 3;
  private static final int ENHANCED_PACKET = 6;
  private static final int MOST_INTERFACES = 65_536;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final String name;
  private final InputStream in;
  private final List<String> warnings = new ArrayList<>();
  private final List<Interface> interfaces = new ArrayList<>();
  private long offset;
  private long number;
  private boolean bigEndian;
  private boolean nextGeneration;
  private boolean ended;
  private Interface classic;

  /**
   * A capture interface.
   *
   * @param linkType as tcpdump numbers them
   * @param snapLength most bytes kept of a frame, 0 for no limit
   * @param resolution pcapng's if_tsresol: a power of ten, or of two when bit 7 is set
   * @param offsetSeconds pcapng's if_tsoffset
   */
  private record Interface(int linkType, long snapLength, int resolution, long offsetSeconds) {
    long nanos(long high, long low) {
      long units = high << 32 | low;
      int exponent = resolution & 0x7f;
      long seconds;
      long nanos;
      if ((resolution & 0x80) != 0) {
        if (exponent > 62) {
          seconds = 0;
          nanos = 0;
        } else {
          seconds = units >>> exponent;
          long fraction = units & (1L << exponent) - 1;
          nanos = (long) ((double) fraction * NANOS_PER_SECOND / (double) (1L << exponent));
        }
      } else if (exponent <= 9) {
        long perSecond = powerOfTen(exponent);
        seconds = Long.divideUnsigned(units, perSecond);
        nanos = Long.remainderUnsigned(units, perSecond) * powerOfTen(9 - exponent);
      } else if (exponent <= 18) {
        long perSecond = powerOfTen(exponent);
        seconds = Long.divideUnsigned(units, perSecond);
        nanos = Long.remainderUnsigned(units, perSecond) / powerOfTen(exponent - 9);
      } else {
        seconds = 0;
        nanos = 0;
      }
      return (seconds + offsetSeconds) * NANOS_PER_SECOND + nanos;
    }

    private static long powerOfTen(int exponent) {
      long power = 1;
      for (int i = 0; i < exponent; i++) {
        power *= 10;
      }
      return power;
    }
  }

  private CaptureReader(String name, InputStream in) throws IOException {
    this.name = name;
    this.in = in;
    readFileHeader();
  }

  /**
   * Opens a capture file.
   *
   * @throws CaptureFormatException if it is no capture
   * @throws IOException if it cannot be read
   */
  public static CaptureReader open(Path file) throws IOException {
    if (Files.isDirectory(file)) {
      throw new CaptureFormatException(
          file.toString(),
          0,
          "this is a directory",
          "a packet capture",
          "Name one capture file inside it.");
    }
    InputStream in = Files.newInputStream(file);
    try {
      return open(in, file.toString());
    } catch (IOException | RuntimeException | Error e) {
      in.close();
      throw e;
    }
  }

  /**
   * Reads a capture from a stream, which {@link #close} closes.
   *
   * @param name what messages call it
   * @throws CaptureFormatException if it is no capture
   * @throws IOException if it cannot be read
   */
  public static CaptureReader open(InputStream stream, String name) throws IOException {
    PushbackInputStream start = new PushbackInputStream(new BufferedInputStream(stream, 65_536), 2);
    byte[] magic = start.readNBytes(2);
    start.unread(magic);
    InputStream content = start;
    if (magic.length == 2 && (magic[0] & 0xff) == 0x1f && (magic[1] & 0xff) == 0x8b) {
      try {
        content = new BufferedInputStream(new GZIPInputStream(start, 65_536), 65_536);
      } catch (ZipException | EOFException e) {
        throw new CaptureFormatException(
            name, 0, "a damaged gzip header", "a packet capture or a gzip file of one", "");
      }
    }
    return new CaptureReader(name, content);
  }

  /** Reads a capture from memory. */
  public static CaptureReader open(byte[] content, String name) throws IOException {
    return open(new ByteArrayInputStream(content), name);
  }

  /** What was wrong with the file without making it unreadable, in the order found. */
  public List<String> warnings() {
    return List.copyOf(warnings);
  }

  /**
   * The next frame; empty at the end of the file.
   *
   * @throws CaptureFormatException if the file is damaged where a record should begin
   */
  public Optional<RawFrame> next() throws IOException {
    if (ended) {
      return Optional.empty();
    }
    return nextGeneration ? nextOfSection() : nextRecord();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  private void readFileHeader() throws IOException {
    byte[] magic = read(4);
    if (magic.length == 0) {
      throw problem(0, "the file is empty", "a pcap or pcapng header", "");
    }
    if (magic.length < 4) {
      throw problem(
          0, "only " + magic.length + " bytes", "a pcap or pcapng header of 24 bytes or more", "");
    }
    int big = int32(magic, 0, true);
    int little = int32(magic, 0, false);
    if (big == SECTION_HEADER) {
      nextGeneration = true;
      readSectionHeader(0);
    } else if (big == PCAP_MICROS || big == PCAP_NANOS) {
      bigEndian = true;
      readClassicHeader(big == PCAP_NANOS);
    } else if (little == PCAP_MICROS || little == PCAP_NANOS) {
      readClassicHeader(little == PCAP_NANOS);
    } else {
      throw problem(
          0,
          String.format(Locale.ROOT, "the bytes %s", hex(magic)),
          "pcap (a1b2c3d4 or a1b23c4d in either byte order) or pcapng (0a0d0d0a)",
          "Record with tcpdump or dumpcap, or convert with: editcap -F pcapng IN OUT.");
    }
  }

  private void readClassicHeader(boolean nanos) throws IOException {
    byte[] rest = read(20);
    if (rest.length < 20) {
      throw problem(
          offset, "the end of the file", "the rest of the 24 byte pcap header", "It was cut off.");
    }
    int major = int16(rest, 0);
    if (major != 2) {
      throw problem(4, "pcap version " + major, "version 2", "");
    }
    // The upper bits of the link type word hold a frame check sequence length, see pcap-savefile.
    int linkType = int32(rest, 16, bigEndian) & 0xffff;
    classic = new Interface(linkType, unsigned(int32(rest, 12, bigEndian)), nanos ? 9 : 6, 0);
  }

  private Optional<RawFrame> nextRecord() throws IOException {
    long start = offset;
    byte[] header = read(16);
    if (header.length == 0) {
      ended = true;
      return Optional.empty();
    }
    if (header.length < 16) {
      return torn(start, "record header");
    }
    long captured = unsigned(int32(header, 8, bigEndian));
    long original = unsigned(int32(header, 12, bigEndian));
    if (captured > LARGEST_FRAME) {
      throw tooLong(start + 8, captured);
    }
    long bodyStart = offset;
    byte[] body = read((int) captured);
    if (body.length < captured) {
      return torn(start, "frame");
    }
    long seconds = unsigned(int32(header, 0, bigEndian));
    long fraction = unsigned(int32(header, 4, bigEndian));
    long nanos =
        seconds * NANOS_PER_SECOND + (classic.resolution() == 9 ? fraction : fraction * 1000);
    number++;
    return Optional.of(new RawFrame(number, nanos, classic.linkType(), original, body, bodyStart));
  }

  private Optional<RawFrame> nextOfSection() throws IOException {
    while (true) {
      long start = offset;
      byte[] head = read(4);
      if (head.length == 0) {
        ended = true;
        return Optional.empty();
      }
      if (head.length < 4) {
        return torn(start, "block header");
      }
      if (int32(head, 0, true) == SECTION_HEADER) {
        readSectionHeader(start);
        continue;
      }
      byte[] lengthField = read(4);
      if (lengthField.length < 4) {
        return torn(start, "block header");
      }
      long length = unsigned(int32(lengthField, 0, bigEndian));
      if (length < 12 || length % 4 != 0) {
        throw problem(
            start + 4,
            "a block length of " + length,
            "a multiple of 4, at least 12",
            "The file is damaged here; what stands before it can be saved with editcap.");
      }
      Optional<RawFrame> frame = Optional.empty();
      boolean whole =
          switch (int32(head, 0, bigEndian)) {
            case INTERFACE_DESCRIPTION -> readInterface(start, length);
            case ENHANCED_PACKET -> {
              frame = readPacket(start, length, 20, false);
              yield frame.isPresent();
            }
            case OLD_PACKET -> {
              frame = readPacket(start, length, 20, true);
              yield frame.isPresent();
            }
            case SIMPLE_PACKET -> {
              frame = readSimplePacket(start, length);
              yield frame.isPresent();
            }
            default -> skip(length - 12);
          };
      if (!whole) {
        return torn(start, "block");
      }
      byte[] trailer = read(4);
      if (trailer.length < 4) {
        if (frame.isEmpty()) {
          return torn(start, "block");
        }
        torn(start, "block");
        return frame;
      }
      if (unsigned(int32(trailer, 0, bigEndian)) != length) {
        throw problem(
            offset - 4,
            "a closing block length of " + unsigned(int32(trailer, 0, bigEndian)),
            "the opening one, " + length,
            "The file is damaged here; what stands before it can be saved with editcap.");
      }
      if (frame.isPresent()) {
        return frame;
      }
    }
  }

  private void readSectionHeader(long start) throws IOException {
    byte[] head = read(8);
    if (head.length < 8) {
      if (start == 0) {
        throw problem(offset, "the end of the file", "a pcapng section header", "It was cut off.");
      }
      torn(start, "section header");
      return;
    }
    if (int32(head, 4, true) == BYTE_ORDER_MAGIC) {
      bigEndian = true;
    } else if (int32(head, 4, false) == BYTE_ORDER_MAGIC) {
      bigEndian = false;
    } else {
      throw problem(
          start + 8,
          String.format(Locale.ROOT, "the byte order mark %08x", int32(head, 4, true)),
          "1a2b3c4d in either byte order",
          "");
    }
    long length = unsigned(int32(head, 0, bigEndian));
    if (length < 28 || length % 4 != 0) {
      throw problem(
          start + 4,
          "a section header length of " + length,
          "a multiple of 4, at least 28",
          "The file is damaged here.");
    }
    byte[] version = read(4);
    if (version.length == 4 && int16(version, 0) != 1) {
      throw problem(start + 12, "pcapng version " + int16(version, 0), "version 1", "");
    }
    interfaces.clear();
    if (version.length < 4 || !skip(length - 16)) {
      torn(start, "section header");
    }
  }

  private boolean readInterface(long start, long length) throws IOException {
    if (length < 20) {
      throw problem(
          start + 4, "an interface block of " + length + " bytes", "at least 20 bytes", "");
    }
    if (interfaces.size() >= MOST_INTERFACES) {
      throw problem(start, "more than " + MOST_INTERFACES + " interfaces", "fewer", "");
    }
    byte[] fixed = read(8);
    if (fixed.length < 8) {
      return false;
    }
    int resolution = 6;
    long offsetSeconds = 0;
    long left = length - 20;
    while (left >= 4) {
      byte[] option = read(4);
      if (option.length < 4) {
        return false;
      }
      left -= 4;
      int code = int16(option, 0);
      int size = int16(option, 2);
      long padded = size + 3L & ~3L;
      if (padded > left || code == 0) {
        break;
      }
      byte[] value = read(Math.min(size, 8));
      if (value.length < Math.min(size, 8) || !skip(padded - value.length)) {
        return false;
      }
      left -= padded;
      if (code == 9 && value.length >= 1) {
        resolution = value[0] & 0xff;
      } else if (code == 14 && value.length == 8) {
        offsetSeconds = int64(value, 0);
      }
    }
    interfaces.add(
        new Interface(
            int16(fixed, 0), unsigned(int32(fixed, 4, bigEndian)), resolution, offsetSeconds));
    return skip(left);
  }

  private Optional<RawFrame> readPacket(long start, long length, int fixedLength, boolean old)
      throws IOException {
    if (length < 12 + fixedLength) {
      throw problem(
          start + 4,
          "a packet block of " + length + " bytes",
          "at least " + (12 + fixedLength),
          "");
    }
    byte[] fixed = read(fixedLength);
    if (fixed.length < fixedLength) {
      return Optional.empty();
    }
    long id = old ? int16(fixed, 0) : unsigned(int32(fixed, 0, bigEndian));
    Interface source = interfaceOf(id, start + 8);
    long captured = unsigned(int32(fixed, 12, bigEndian));
    long original = unsigned(int32(fixed, 16, bigEndian));
    if (captured > LARGEST_FRAME) {
      throw tooLong(start + 20, captured);
    }
    long left = length - 12 - fixedLength;
    if (captured > left) {
      throw problem(
          start + 20,
          "a frame of " + captured + " bytes in a block with room for " + left,
          "a frame inside its block",
          "The file is damaged here.");
    }
    long bodyStart = offset;
    byte[] body = read((int) captured);
    if (body.length < captured || !skip(left - captured)) {
      return Optional.empty();
    }
    number++;
    long nanos =
        source.nanos(unsigned(int32(fixed, 4, bigEndian)), unsigned(int32(fixed, 8, bigEndian)));
    return Optional.of(new RawFrame(number, nanos, source.linkType(), original, body, bodyStart));
  }

  private Optional<RawFrame> readSimplePacket(long start, long length) throws IOException {
    if (length < 16) {
      throw problem(start + 4, "a packet block of " + length + " bytes", "at least 16", "");
    }
    byte[] fixed = read(4);
    if (fixed.length < 4) {
      return Optional.empty();
    }
    Interface source = interfaceOf(0, start);
    long original = unsigned(int32(fixed, 0, bigEndian));
    long left = length - 16;
    // A simple packet has no captured length of its own: the snap length and the block bound it.
    long captured = Math.min(original, left);
    if (source.snapLength() > 0) {
      captured = Math.min(captured, source.snapLength());
    }
    if (captured > LARGEST_FRAME) {
      throw tooLong(start + 8, captured);
    }
    long bodyStart = offset;
    byte[] body = read((int) captured);
    if (body.length < captured || !skip(left - captured)) {
      return Optional.empty();
    }
    number++;
    return Optional.of(new RawFrame(number, 0, source.linkType(), original, body, bodyStart));
  }

  private Interface interfaceOf(long id, long at) throws CaptureFormatException {
    if (id >= interfaces.size()) {
      throw problem(
          at,
          "a frame of interface " + id,
          interfaces.isEmpty()
              ? "an interface description before it"
              : "an interface from 0 to " + (interfaces.size() - 1),
          "The file is damaged, or its beginning is missing.");
    }
    return interfaces.get((int) id);
  }

  private Optional<RawFrame> torn(long start, String what) {
    ended = true;
    warnings.add(
        name
            + ": byte "
            + start
            + ": the file ends inside a "
            + what
            + "; it was dropped, the "
            + number
            + " frames before it are read");
    return Optional.empty();
  }

  private CaptureFormatException tooLong(long at, long length) {
    return problem(
        at,
        "a frame of " + length + " bytes",
        "at most " + LARGEST_FRAME,
        "The file is damaged here; what stands before it can be saved with editcap.");
  }

  private CaptureFormatException problem(long at, String found, String expected, String advice) {
    return new CaptureFormatException(name, at, found, expected, advice);
  }

  private byte[] read(int count) throws IOException {
    byte[] bytes = new byte[0];
    try {
      bytes = in.readNBytes(count);
    } catch (EOFException | ZipException e) {
      warnings.add(
          name + ": byte " + offset + ": the gzip data is damaged or cut off from here on");
    }
    offset += bytes.length;
    return bytes;
  }

  private boolean skip(long count) throws IOException {
    long left = count;
    while (left > 0) {
      byte[] passed = read((int) Math.min(left, 8192));
      if (passed.length == 0) {
        return false;
      }
      left -= passed.length;
    }
    return true;
  }

  private int int16(byte[] bytes, int at) {
    int first = bytes[at] & 0xff;
    int second = bytes[at + 1] & 0xff;
    return bigEndian ? first << 8 | second : second << 8 | first;
  }

  private long int64(byte[] bytes, int at) {
    long first = unsigned(int32(bytes, at, bigEndian));
    long second = unsigned(int32(bytes, at + 4, bigEndian));
    return bigEndian ? first << 32 | second : second << 32 | first;
  }

  private static int int32(byte[] bytes, int at, boolean big) {
    int b0 = bytes[at] & 0xff;
    int b1 = bytes[at + 1] & 0xff;
    int b2 = bytes[at + 2] & 0xff;
    int b3 = bytes[at + 3] & 0xff;
    return big ? b0 << 24 | b1 << 16 | b2 << 8 | b3 : b3 << 24 | b2 << 16 | b1 << 8 | b0;
  }

  private static long unsigned(int bits) {
    return Integer.toUnsignedLong(bits);
  }

  private static String hex(byte[] bytes) {
    StringBuilder text = new StringBuilder();
    for (byte b : bytes) {
      text.append(String.format(Locale.ROOT, "%02x", b & 0xff));
    }
    return text.toString();
  }
}
