package org.mrcheck.lang.trace.binary;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.mrcheck.lang.trace.EventName;

/**
 * How a binary trace is laid out. Everything is little endian and stands on a multiple of eight
 * bytes from the beginning of the file.
 *
 * <p><b>Head.</b> The {@linkplain #magic() magic bytes}, the version in 32 bits, the number of
 * bytes of the header in 32 bits, and the header exactly as the text language writes it, padded
 * with zeros to a whole word.
 *
 * <p><b>Records.</b> The first word of each record is, from the lowest bit: 8 bits of code, 8 bits
 * of check, 16 bits of length in words with this one, 16 bits of presence and 16 bits of actor. The
 * check is the exclusive or of all bytes of the record with the check itself taken as zero.
 *
 * <ul>
 *   <li><em>Segment head</em>, {@link #SEGMENT}: the words {@link #SEGMENT_MARK}, the offset of
 *       this record in the file, and zero. Stands before the first record and then every {@link
 *       #SEGMENT_BYTES} or so. What actors' numbers mean is forgotten here, so that a reader can
 *       begin at any segment: behind a hole, or on a second core.
 *   <li><em>Actor</em>, {@link #ACTOR}: a word with the number of bytes and {@code host/role} in
 *       UTF-8, padded with zeros. Gives the number in the record's actor bits that meaning.
 *   <li><em>Event</em>, a code of {@link #CODES} counted from 1: sequence number, time in
 *       nanoseconds, the frame if presence bit 15 is set, and the event's fields. Presence bit
 *       <em>i</em> stands for the <em>i</em>-th optional field of the event as the text language
 *       lists them. First all fields of 64 bits in that order, a word each (a queue pair is its
 *       number in the low and its incarnation in the high half); then all others, two in a word,
 *       the first in the low half (rights as bits, packets' operations as BTH opcodes, other words
 *       by their position in the list of such words, from 0); then texts: a word with the number of
 *       bytes, and UTF-8 padded with zeros. A text that UTF-8 cannot hold has bit 63 of that word
 *       set and is UTF-16.
 * </ul>
 *
 * <p>A word of zeros where a record should begin, a wrong check or an impossible length is damage:
 * the reader goes on at the next segment head, and the hole in the sequence numbers tells what was
 * lost.
 */
public final class BinaryLayout {
  /** The version this build writes and reads. */
  public static final int VERSION = 1;

  /** Code of a segment head. */
  public static final int SEGMENT = 0xff;

  /** Code of an actor's definition. */
  public static final int ACTOR = 0xfe;

  /** Second word of a segment head: {@code segment!} as bytes. */
  public static final long SEGMENT_MARK = 0x2174_6e65_6d67_6573L;

  /** Words of a segment head. */
  public static final int SEGMENT_WORDS = 4;

  /** How many bytes a writer puts into a segment before it begins the next. */
  public static final int SEGMENT_BYTES = 1 << 16;

  /** The presence bit of the frame's number, on every event. */
  public static final int FRAME = 15;

  /** Most words of one record. */
  public static final int MAX_RECORD_WORDS = 0xffff;

  /** Most actors a segment can define. */
  public static final int MAX_ACTORS = 1 << 16;

  /** In the word before a text: the text is UTF-16. */
  static final long UTF_16 = Long.MIN_VALUE;

  /** The events by their codes, from 1. Grows at its end only: codes never change. */
  static final List<EventName> CODES =
      List.of(
          EventName.REG_CALL,
          EventName.REG,
          EventName.DEREG_CALL,
          EventName.DEREG_RETURN,
          EventName.REREG_CALL,
          EventName.REREG_RETURN,
          EventName.BIND_CALL,
          EventName.BIND_RETURN,
          EventName.INV_CALL,
          EventName.INV_RETURN,
          EventName.POST,
          EventName.WC,
          EventName.RX,
          EventName.TX,
          EventName.ACK,
          EventName.NAK,
          EventName.CHECK_KEY,
          EventName.DMA_READ,
          EventName.DMA_WRITE,
          EventName.CACHE_FILL,
          EventName.CACHE_HIT,
          EventName.CACHE_INVAL,
          EventName.QP_CREATE,
          EventName.QP_CONNECT,
          EventName.QP_STATE,
          EventName.ASYNC,
          EventName.LOST,
          EventName.PIN,
          EventName.UNPIN,
          EventName.MW_ALLOC,
          EventName.MW_DEALLOC_CALL,
          EventName.MW_DEALLOC_RETURN,
          EventName.PD_ALLOC,
          EventName.PD_DEALLOC,
          EventName.QP_DESTROY,
          EventName.SRQ_POST);

  private static final byte[] MAGIC = {(byte) 0x89, 'M', 'R', 'T', '\r', '\n', 0x1a, '\n'};
  private static final int[] CODE_OF = new int[EventName.values().length];
  private static final VarHandle WORD =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final VarHandle HALF =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  static {
    if (!Set.copyOf(CODES).equals(Set.of(EventName.values()))) {
      throw new IllegalStateException("an event has no code in the binary encoding");
    }
    for (int index = 0; index < CODES.size(); index++) {
      CODE_OF[CODES.get(index).ordinal()] = index + 1;
    }
  }

  private BinaryLayout() {}

  /**
   * The first eight bytes of a binary trace. They are no text, and transfers that convert line ends
   * or cut the eighth bit destroy them.
   */
  public static byte[] magic() {
    return MAGIC.clone();
  }

  /** Whether a file that begins with these bytes is a binary trace. */
  public static boolean begins(byte[] bytes, int filled) {
    return filled >= MAGIC.length && Arrays.equals(bytes, 0, MAGIC.length, MAGIC, 0, MAGIC.length);
  }

  /** The code of an event, from 1. */
  public static int code(EventName name) {
    return CODE_OF[name.ordinal()];
  }

  /** The first word of a record whose check is not yet filled in. */
  public static long firstWord(int code, int words, int presence, int actor) {
    return code | (long) words << 16 | (long) presence << 32 | (long) actor << 48;
  }

  /** The check of a record from the exclusive or of its words, with the check's bits zero. */
  public static int check(long mixed) {
    long folded = mixed ^ mixed >>> 32;
    folded ^= folded >>> 16;
    folded ^= folded >>> 8;
    return (int) folded & 0xff;
  }

  static long word(byte[] bytes, int at) {
    return (long) WORD.get(bytes, at);
  }

  /** Half a word: little endian, the low half stands first. */
  static int half(byte[] bytes, int at) {
    return (int) HALF.get(bytes, at);
  }

  static void putWord(byte[] bytes, int at, long value) {
    WORD.set(bytes, at, value);
  }

  static int padded(int bytes) {
    return bytes + 7 & ~7;
  }
}
