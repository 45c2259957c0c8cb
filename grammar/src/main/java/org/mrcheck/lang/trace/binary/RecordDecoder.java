package org.mrcheck.lang.trace.binary;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.lang.trace.TraceEvent.CheckVerdict;
import org.mrcheck.lang.trace.TraceEvent.Mover;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.WcStatus;

/**
 * Makes an event of the bytes of its record, the inverse of {@link RecordEncoder}. Used again for
 * the next record, by one thread.
 */
final class RecordDecoder {
  /** A value that no writer writes; its message says which. */
  static final class ValueException extends Exception {
    private static final long serialVersionUID = 1L;

    ValueException(String message) {
      super(message);
    }
  }

  private static final int BITS_24 = 0xff_ffff;
  private static final long BITS_32 = 0xffff_ffffL;

  // Enumerations copy their array on each call of values().
  private static final CallStatus[] CALL_STATUS = CallStatus.values();
  private static final CheckVerdict[] VERDICTS = CheckVerdict.values();
  private static final AccessKind[] ACCESS = AccessKind.values();
  private static final WorkOperation[] OPERATIONS = WorkOperation.values();
  private static final WcStatus[] WC_STATUS = WcStatus.values();
  private static final QueuePairState[] STATES = QueuePairState.values();
  private static final Mover[] MOVERS = Mover.values();
  private static final Icrc[] ICRC = Icrc.values();
  private static final Opcode[] OPCODES = new Opcode[256];
  private static final Syndrome[] SYNDROMES = new Syndrome[256];
  private static final int QUEUE_PAIRS = 1024;
  private static final int KEYS = 1024;

  static {
    Arrays.setAll(OPCODES, Opcode::new);
    Arrays.setAll(SYNDROMES, Syndrome::new);
  }

  private final QueuePairId[] queuePairs = new QueuePairId[QUEUE_PAIRS];
  private final MemoryKey[] keys = new MemoryKey[KEYS];
  private byte[] bytes;
  private int end;
  private int presence;
  private int wide;
  private int narrow;
  private int text;

  /**
   * The event of a record whose check is right.
   *
   * @param from index of the record's first byte
   * @param to index after its last byte
   * @throws ValueException if a value is out of its range or the record too short for its fields
   */
  TraceEvent decode(EventName name, byte[] buffer, int from, int to, Actor actor)
      throws ValueException {
    bytes = buffer;
    end = to;
    presence = (int) (BinaryLayout.word(buffer, from) >>> 32) & 0xffff;
    long frame = 0;
    wide = from + 24;
    if (has(BinaryLayout.FRAME)) {
      frame = nonNegative("frame", wide());
    }
    long seq = BinaryLayout.word(buffer, from + 8);
    if (seq < 1) {
      throw outOfRange("seq", seq);
    }
    Stamp stamp = new Stamp(seq, BinaryLayout.word(buffer, from + 16), actor, frame);
    TraceEvent event = event(name, stamp);
    if (text != end) {
      throw new ValueException(
          "the record of " + name.text() + " has another length than its fields");
    }
    return event;
  }

  private TraceEvent event(EventName name, Stamp stamp) throws ValueException {
    return switch (name) {
      case REG_CALL -> {
        fields(1 + count(0), 1);
        yield new TraceEvent.RegCall(stamp, wide(), key(), optionalQueuePair(0));
      }
      case REG -> {
        fields(4 + count(0), 3);
        yield new TraceEvent.Reg(
            stamp,
            wide(),
            wide(),
            key(),
            key(),
            wide(),
            wide(),
            rights(),
            optionalQueuePair(0),
            optionalText(1));
      }
      case DEREG_CALL -> {
        fields(1, 1);
        yield new TraceEvent.DeregCall(stamp, wide(), key());
      }
      case DEREG_RETURN -> {
        fields(1, 2);
        yield new TraceEvent.DeregReturn(stamp, wide(), key(), word("status", CALL_STATUS));
      }
      case REREG_CALL -> {
        fields(4, 2);
        yield new TraceEvent.ReregCall(stamp, wide(), key(), wide(), wide(), wide(), rights());
      }
      case REREG_RETURN -> {
        fields(1, 2);
        yield new TraceEvent.ReregReturn(stamp, wide(), key(), word("status", CALL_STATUS));
      }
      case BIND_CALL -> {
        fields(4 + count(0), 3);
        long mw = wide();
        int type = range("type", narrow(), 1, 2);
        long mr = wide();
        Optional<QueuePairId> qp = optionalQueuePair(0);
        yield new TraceEvent.BindCall(
            stamp, mw, type, mr, qp, key(), wide(), wide(), rights(), optionalText(1));
      }
      case BIND_RETURN -> {
        fields(1, 2);
        yield new TraceEvent.BindReturn(stamp, wide(), key(), word("status", CALL_STATUS));
      }
      case INV_CALL -> {
        fields(count(0), 1);
        yield new TraceEvent.InvCall(stamp, key(), optionalQueuePair(0));
      }
      case INV_RETURN -> {
        fields(count(0), 2);
        yield new TraceEvent.InvReturn(
            stamp, key(), optionalQueuePair(0), word("status", CALL_STATUS));
      }
      case POST -> post(stamp);
      case WC -> {
        fields(2 + count(2), 1 + count(0) + count(1) + count(3));
        yield new TraceEvent.Wc(
            stamp,
            queuePair(),
            wide(),
            word("status", WC_STATUS),
            has(0) ? Optional.of(word("op", OPERATIONS)) : Optional.empty(),
            has(1) ? OptionalInt.of(narrow()) : OptionalInt.empty(),
            optionalWide(2),
            has(3) ? Optional.of(key()) : Optional.empty());
      }
      case RX -> {
        packetFields();
        yield new TraceEvent.Rx(stamp, queuePair(), packet());
      }
      case TX -> {
        packetFields();
        yield new TraceEvent.Tx(stamp, queuePair(), packet());
      }
      case ACK -> {
        fields(1, 3);
        yield new TraceEvent.Ack(stamp, queuePair(), psn("psn"), psn("msn"), syndrome());
      }
      case NAK -> {
        fields(1, 3);
        yield new TraceEvent.Nak(stamp, queuePair(), psn("psn"), psn("msn"), syndrome());
      }
      case CHECK_KEY -> {
        fields(4 + count(0), 4);
        QueuePairId qp = queuePair();
        int psn = psn("psn");
        AccessKind access = word("access", ACCESS);
        MemoryKey key = key();
        CheckVerdict verdict = word("verdict", VERDICTS);
        long va = wide();
        long length = wide();
        long remaining = wide();
        OptionalLong mr = optionalWide(0);
        yield new TraceEvent.Check(
            stamp, qp, psn, access, key, va, length, remaining, verdict, optionalText(1), mr);
      }
      case DMA_READ -> {
        fields(4 + count(0), 2);
        yield new TraceEvent.DmaRead(
            stamp, queuePair(), psn("psn"), wide(), key(), wide(), wide(), optionalWide(0));
      }
      case DMA_WRITE -> {
        fields(4 + count(0), 2);
        yield new TraceEvent.DmaWrite(
            stamp, queuePair(), psn("psn"), wide(), key(), wide(), wide(), optionalWide(0));
      }
      case CACHE_FILL -> {
        fields(1, 1);
        yield new TraceEvent.CacheFill(stamp, key(), wide());
      }
      case CACHE_HIT -> {
        fields(1, 1);
        yield new TraceEvent.CacheHit(stamp, key(), wide());
      }
      case CACHE_INVAL -> {
        fields(0, 1);
        yield new TraceEvent.CacheInval(stamp, key());
      }
      case QP_CREATE -> {
        fields(2 + count(0), 1);
        yield new TraceEvent.QpCreate(stamp, queuePair(), wide(), rights(), optionalWide(0));
      }
      case QP_CONNECT -> {
        fields(1, count(1) + count(2) + count(3));
        yield new TraceEvent.QpConnect(
            stamp,
            queuePair(),
            has(0) ? Optional.of(peer(text())) : Optional.empty(),
            has(1) ? OptionalInt.of(psn("receive_psn")) : OptionalInt.empty(),
            has(2) ? OptionalInt.of(psn("send_psn")) : OptionalInt.empty(),
            has(3)
                ? OptionalInt.of(range("mtu", narrow(), 1, Integer.MAX_VALUE))
                : OptionalInt.empty());
      }
      case QP_STATE -> {
        fields(1, 1 + count(0));
        yield new TraceEvent.QpState(
            stamp,
            queuePair(),
            word("state", STATES),
            has(0) ? Optional.of(word("by", MOVERS)) : Optional.empty());
      }
      case ASYNC -> {
        fields(count(0), 0);
        yield new TraceEvent.Async(stamp, optionalQueuePair(0), text());
      }
      case LOST -> {
        fields(1, 0);
        yield new TraceEvent.Lost(stamp, nonNegative("count", wide()));
      }
      case PIN -> {
        fields(3 + count(0), 0);
        yield new TraceEvent.Pin(stamp, wide(), wide(), wide(), optionalWide(0));
      }
      case UNPIN -> {
        fields(3 + count(0), 0);
        yield new TraceEvent.Unpin(stamp, wide(), wide(), wide(), optionalWide(0));
      }
      case MW_ALLOC -> {
        fields(2, 1);
        yield new TraceEvent.MwAlloc(stamp, wide(), wide(), range("type", narrow(), 1, 2));
      }
      case MW_DEALLOC_CALL -> {
        fields(1, 1);
        yield new TraceEvent.MwDeallocCall(stamp, wide(), key());
      }
      case MW_DEALLOC_RETURN -> {
        fields(1, 2);
        yield new TraceEvent.MwDeallocReturn(stamp, wide(), key(), word("status", CALL_STATUS));
      }
      case PD_ALLOC -> {
        fields(1, 0);
        yield new TraceEvent.PdAlloc(stamp, wide());
      }
      case PD_DEALLOC -> {
        fields(1, 1);
        yield new TraceEvent.PdDealloc(stamp, wide(), word("status", CALL_STATUS));
      }
      case QP_DESTROY -> {
        fields(1, 1);
        yield new TraceEvent.QpDestroy(stamp, queuePair(), word("status", CALL_STATUS));
      }
      case SRQ_POST -> {
        fields(3, count(0));
        yield new TraceEvent.SrqPost(
            stamp, wide(), wide(), has(0) ? Optional.of(key()) : Optional.empty(), wide());
      }
    };
  }

  private TraceEvent post(Stamp stamp) throws ValueException {
    if (has(0) != has(1)) {
      throw new ValueException("a post has only one of key and va");
    }
    fields(3 + count(1), 1 + count(0) + count(2) + count(3) + count(4));
    QueuePairId qp = queuePair();
    long wr = wide();
    WorkOperation operation = word("op", OPERATIONS);
    long va = has(1) ? wide() : 0;
    long length = length();
    Optional<RemoteAccess> remote =
        has(0) ? Optional.of(new RemoteAccess(key(), va, length)) : Optional.empty();
    Optional<MemoryKey> lkey = has(2) ? Optional.of(key()) : Optional.empty();
    Optional<MemoryKey> invalidate = has(3) ? Optional.of(key()) : Optional.empty();
    boolean signaled = !has(4) || narrow() == 1;
    return new TraceEvent.Post(
        stamp, qp, wr, operation, remote, lkey, invalidate, length, signaled);
  }

  private void packetFields() throws ValueException {
    if (has(2) != has(3) || has(2) != has(4)) {
      throw new ValueException("a packet has only some of key, va and len");
    }
    fields(
        1 + count(3) + count(4) + count(8) + count(9) + count(10),
        2 + count(0) + count(1) + count(2) + count(5) + count(6) + count(7) + count(11));
  }

  private Packet packet() throws ValueException {
    Opcode opcode = OPCODES[range("op", narrow(), 0, 255)];
    int psn = psn("psn");
    boolean ackRequest = has(0) && narrow() == 1;
    int payload = has(1) ? range("payload", narrow(), 0, Integer.MAX_VALUE) : 0;
    Optional<RemoteAccess> access =
        has(2) ? Optional.of(new RemoteAccess(key(), wide(), length())) : Optional.empty();
    return new Packet(
        opcode,
        psn,
        ackRequest,
        payload,
        access,
        has(5) ? Optional.of(key()) : Optional.empty(),
        has(6) ? Optional.of(syndrome()) : Optional.empty(),
        has(7) ? OptionalInt.of(psn("msn")) : OptionalInt.empty(),
        optionalWide(8),
        optionalWide(9),
        optionalWide(10),
        has(11) ? word("icrc", ICRC) : Icrc.UNCHECKED);
  }

  // The record's parts

  /** Lays the fields out: so many words, then so many halves of words, then texts. */
  private void fields(int wides, int narrows) throws ValueException {
    narrow = wide + 8 * wides;
    text = narrow + BinaryLayout.padded(4 * narrows);
    if (text > end) {
      throw new ValueException("the record is too short for its fields");
    }
  }

  private boolean has(int optional) {
    return (presence & 1 << optional) != 0;
  }

  private int count(int optional) {
    return presence >>> optional & 1;
  }

  private long wide() {
    long value = BinaryLayout.word(bytes, wide);
    wide += 8;
    return value;
  }

  private OptionalLong optionalWide(int optional) {
    return has(optional) ? OptionalLong.of(wide()) : OptionalLong.empty();
  }

  private int narrow() {
    int value = BinaryLayout.half(bytes, narrow);
    narrow += 4;
    return value;
  }

  private String text() throws ValueException {
    int at = text;
    if (at + 8 > end) {
      throw new ValueException("the record is too short for its text");
    }
    long head = BinaryLayout.word(bytes, at);
    long length = head & ~BinaryLayout.UTF_16;
    if (length > end - at - 8) {
      throw new ValueException("the record is too short for its text");
    }
    text = at + 8 + BinaryLayout.padded((int) length);
    if (head >= 0) {
      return new String(bytes, at + 8, (int) length, StandardCharsets.UTF_8);
    }
    StringBuilder utf16 = new StringBuilder();
    for (int index = 0; index + 1 < length; index += 2) {
      utf16.append((char) (bytes[at + 8 + index] & 0xff | (bytes[at + 9 + index] & 0xff) << 8));
    }
    return utf16.toString();
  }

  private Optional<String> optionalText(int optional) throws ValueException {
    return has(optional) ? Optional.of(text()) : Optional.empty();
  }

  // Values

  private QueuePairId queuePair() throws ValueException {
    long packed = wide();
    int number = range("qp", (int) packed, 0, BITS_24);
    int incarnation = range("incarnation", (int) (packed >>> 32), 1, Integer.MAX_VALUE);
    int slot = (number * 31 + incarnation) & QUEUE_PAIRS - 1;
    QueuePairId known = queuePairs[slot];
    if (known == null || known.number() != number || known.incarnation() != incarnation) {
      known = new QueuePairId(number, incarnation);
      queuePairs[slot] = known;
    }
    return known;
  }

  private Optional<QueuePairId> optionalQueuePair(int optional) throws ValueException {
    return has(optional) ? Optional.of(queuePair()) : Optional.empty();
  }

  private static QueuePairAddress peer(String text) throws ValueException {
    int slash = text.indexOf('/');
    int dot = text.indexOf('.', slash);
    try {
      return new QueuePairAddress(
          text.substring(0, slash),
          new QueuePairId(
              range("peer", Integer.decode(text.substring(slash + 1, dot)), 0, BITS_24),
              range("peer", Integer.parseInt(text.substring(dot + 1)), 1, Integer.MAX_VALUE)));
    } catch (IndexOutOfBoundsException | NumberFormatException wrong) {
      throw new ValueException("\"" + text + "\" names no queue pair of a host");
    }
  }

  private MemoryKey key() {
    int value = narrow();
    int slot = (value ^ value >>> 10) & KEYS - 1;
    MemoryKey known = keys[slot];
    if (known == null || (int) known.unsigned() != value) {
      known = new MemoryKey(value);
      keys[slot] = known;
    }
    return known;
  }

  private AccessFlags rights() {
    return new AccessFlags(narrow());
  }

  private Syndrome syndrome() throws ValueException {
    return SYNDROMES[range("syndrome", narrow(), 0, 255)];
  }

  private int psn(String what) throws ValueException {
    return range(what, narrow(), 0, BITS_24);
  }

  private long length() throws ValueException {
    long length = wide();
    if (length < 0 || length > BITS_32) {
      throw outOfRange("len", length);
    }
    return length;
  }

  private <T> T word(String what, T[] constants) throws ValueException {
    return constants[range(what, narrow(), 0, constants.length - 1)];
  }

  private static int range(String what, int value, int least, int greatest) throws ValueException {
    if (value < least || value > greatest) {
      throw outOfRange(what, value);
    }
    return value;
  }

  private static long nonNegative(String what, long value) throws ValueException {
    if (value < 0) {
      throw outOfRange(what, value);
    }
    return value;
  }

  private static ValueException outOfRange(String what, long value) {
    return new ValueException(what + "=" + Long.toUnsignedString(value) + " is out of range");
  }
}
