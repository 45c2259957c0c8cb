package org.mrcheck.lang.trace.binary;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.TraceEvent;

/** Makes the words of one event's record. Used again for the next event, by one thread. */
final class RecordEncoder {
  private static final int BITS_24 = 0xff_ffff;
  private static final long BITS_32 = 0xffff_ffffL;

  private final long[] wide = new long[16];
  private final int[] narrow = new int[32];
  private final List<byte[]> texts = new ArrayList<>();
  private final List<Long> textHeads = new ArrayList<>();
  private long[] words = new long[64];
  private int wides;
  private int narrows;
  private int presence;
  private int optional;

  /** The words of the record, the first {@link #encode} of them. */
  long[] words() {
    return words;
  }

  /**
   * Encodes an event, its check left zero.
   *
   * @return number of words
   * @throws IllegalArgumentException if a value cannot be expressed
   */
  int encode(TraceEvent event, int actor) {
    wides = 0;
    narrows = 0;
    presence = 0;
    optional = 0;
    texts.clear();
    textHeads.clear();
    fields(event);
    return assemble(event, actor);
  }

  private int assemble(TraceEvent event, int actor) {
    Stamp stamp = event.stamp();
    if (stamp.seq() < 1) {
      throw outOfRange("seq", stamp.seq());
    }
    if (stamp.frame() < 0) {
      throw outOfRange("frame", stamp.frame());
    }
    int textWords = 0;
    for (byte[] text : texts) {
      textWords += 1 + BinaryLayout.padded(text.length) / 8;
    }
    int length = 3 + (stamp.frame() != 0 ? 1 : 0) + wides + (narrows + 1) / 2 + textWords;
    if (length > BinaryLayout.MAX_RECORD_WORDS) {
      throw new IllegalArgumentException("the texts of one event are longer than 512 KiB");
    }
    if (words.length < length) {
      words = Arrays.copyOf(words, length);
    }
    int at = 0;
    int present = presence | (stamp.frame() != 0 ? 1 << BinaryLayout.FRAME : 0);
    words[at++] = BinaryLayout.firstWord(BinaryLayout.code(event.name()), length, present, actor);
    words[at++] = stamp.seq();
    words[at++] = stamp.timeNanos();
    if (stamp.frame() != 0) {
      words[at++] = stamp.frame();
    }
    for (int index = 0; index < wides; index++) {
      words[at++] = wide[index];
    }
    for (int index = 0; index < narrows; index += 2) {
      long high = index + 1 < narrows ? narrow[index + 1] : 0;
      words[at++] = narrow[index] & BITS_32 | high << 32;
    }
    for (int index = 0; index < texts.size(); index++) {
      words[at++] = textHeads.get(index);
      byte[] padded = Arrays.copyOf(texts.get(index), BinaryLayout.padded(texts.get(index).length));
      for (int from = 0; from < padded.length; from += 8) {
        words[at++] = BinaryLayout.word(padded, from);
      }
    }
    return length;
  }

  private void fields(TraceEvent event) {
    switch (event.name()) {
      case REG_CALL -> {
        TraceEvent.RegCall call = (TraceEvent.RegCall) event;
        wide(call.mr());
        key(call.key());
        queuePair(call.qp());
      }
      case REG -> {
        TraceEvent.Reg reg = (TraceEvent.Reg) event;
        wide(reg.mr());
        wide(reg.pd());
        key(reg.key());
        key(reg.lkey());
        range(reg.va(), reg.length());
        rights(reg.rights());
        queuePair(reg.qp());
        text(reg.label());
      }
      case DEREG_CALL -> {
        TraceEvent.DeregCall call = (TraceEvent.DeregCall) event;
        wide(call.mr());
        key(call.key());
      }
      case DEREG_RETURN -> {
        TraceEvent.DeregReturn result = (TraceEvent.DeregReturn) event;
        wide(result.mr());
        key(result.key());
        word(result.status());
      }
      case REREG_CALL -> {
        TraceEvent.ReregCall call = (TraceEvent.ReregCall) event;
        wide(call.mr());
        key(call.key());
        wide(call.pd());
        range(call.va(), call.length());
        rights(call.rights());
      }
      case REREG_RETURN -> {
        TraceEvent.ReregReturn result = (TraceEvent.ReregReturn) event;
        wide(result.mr());
        key(result.key());
        word(result.status());
      }
      case BIND_CALL -> {
        TraceEvent.BindCall call = (TraceEvent.BindCall) event;
        wide(call.mw());
        windowType(call.type());
        wide(call.mr());
        queuePair(call.qp());
        key(call.key());
        range(call.va(), call.length());
        rights(call.rights());
        text(call.label());
      }
      case BIND_RETURN -> {
        TraceEvent.BindReturn result = (TraceEvent.BindReturn) event;
        wide(result.mw());
        key(result.key());
        word(result.status());
      }
      case INV_CALL -> {
        TraceEvent.InvCall call = (TraceEvent.InvCall) event;
        key(call.key());
        queuePair(call.qp());
      }
      case INV_RETURN -> {
        TraceEvent.InvReturn result = (TraceEvent.InvReturn) event;
        key(result.key());
        queuePair(result.qp());
        word(result.status());
      }
      case POST -> post((TraceEvent.Post) event);
      case WC -> {
        TraceEvent.Wc completion = (TraceEvent.Wc) event;
        queuePair(completion.qp());
        wide(completion.wr());
        word(completion.status());
        if (isPresent(completion.operation().isPresent())) {
          word(completion.operation().get());
        }
        narrow(completion.vendorError());
        wide(completion.length());
        key(completion.invalidated());
      }
      case RX -> {
        TraceEvent.Rx arrival = (TraceEvent.Rx) event;
        queuePair(arrival.qp());
        packet(arrival.packet());
      }
      case TX -> {
        TraceEvent.Tx departure = (TraceEvent.Tx) event;
        queuePair(departure.qp());
        packet(departure.packet());
      }
      case ACK -> {
        TraceEvent.Ack ack = (TraceEvent.Ack) event;
        queuePair(ack.qp());
        bits24("psn", ack.psn());
        bits24("msn", ack.msn());
        narrow(ack.syndrome().bits());
      }
      case NAK -> {
        TraceEvent.Nak nak = (TraceEvent.Nak) event;
        queuePair(nak.qp());
        bits24("psn", nak.psn());
        bits24("msn", nak.msn());
        narrow(nak.syndrome().bits());
      }
      case CHECK_KEY -> {
        TraceEvent.Check check = (TraceEvent.Check) event;
        queuePair(check.qp());
        bits24("psn", check.psn());
        word(check.access());
        key(check.key());
        range(check.va(), check.length());
        wide(check.remaining());
        word(check.verdict());
        wide(check.mr());
        text(check.cause());
      }
      case DMA_READ -> {
        TraceEvent.DmaRead dma = (TraceEvent.DmaRead) event;
        memoryAccess(dma.qp(), dma.psn(), dma.mr(), dma.key(), dma.va(), dma.length());
        wide(dma.dmaAddress());
      }
      case DMA_WRITE -> {
        TraceEvent.DmaWrite dma = (TraceEvent.DmaWrite) event;
        memoryAccess(dma.qp(), dma.psn(), dma.mr(), dma.key(), dma.va(), dma.length());
        wide(dma.dmaAddress());
      }
      case CACHE_FILL -> {
        TraceEvent.CacheFill fill = (TraceEvent.CacheFill) event;
        key(fill.key());
        wide(fill.mr());
      }
      case CACHE_HIT -> {
        TraceEvent.CacheHit hit = (TraceEvent.CacheHit) event;
        key(hit.key());
        wide(hit.mr());
      }
      case CACHE_INVAL -> key(((TraceEvent.CacheInval) event).key());
      case QP_CREATE -> {
        TraceEvent.QpCreate created = (TraceEvent.QpCreate) event;
        queuePair(created.qp());
        wide(created.pd());
        rights(created.rights());
        wide(created.srq());
      }
      case QP_CONNECT -> {
        TraceEvent.QpConnect connected = (TraceEvent.QpConnect) event;
        queuePair(connected.qp());
        connected.peer().ifPresent(peer -> requireInRange(peer.id()));
        text(connected.peer().map(peer -> peer.host() + "/" + peer.id()));
        bits24("receive_psn", connected.receivePsn());
        bits24("send_psn", connected.sendPsn());
        if (connected.mtu().isPresent() && connected.mtu().getAsInt() < 1) {
          throw outOfRange("mtu", connected.mtu().getAsInt());
        }
        narrow(connected.mtu());
      }
      case QP_STATE -> {
        TraceEvent.QpState entered = (TraceEvent.QpState) event;
        queuePair(entered.qp());
        word(entered.state());
        if (isPresent(entered.by().isPresent())) {
          word(entered.by().get());
        }
      }
      case ASYNC -> {
        TraceEvent.Async async = (TraceEvent.Async) event;
        queuePair(async.qp());
        text(async.event());
      }
      case LOST -> {
        long count = ((TraceEvent.Lost) event).count();
        if (count < 0) {
          throw outOfRange("count", count);
        }
        wide(count);
      }
      case PIN -> {
        TraceEvent.Pin pin = (TraceEvent.Pin) event;
        wide(pin.mr());
        range(pin.va(), pin.length());
        wide(pin.dmaAddress());
      }
      case UNPIN -> {
        TraceEvent.Unpin unpin = (TraceEvent.Unpin) event;
        wide(unpin.mr());
        range(unpin.va(), unpin.length());
        wide(unpin.dmaAddress());
      }
      case MW_ALLOC -> {
        TraceEvent.MwAlloc allocated = (TraceEvent.MwAlloc) event;
        wide(allocated.mw());
        wide(allocated.pd());
        windowType(allocated.type());
      }
      case MW_DEALLOC_CALL -> {
        TraceEvent.MwDeallocCall call = (TraceEvent.MwDeallocCall) event;
        wide(call.mw());
        key(call.key());
      }
      case MW_DEALLOC_RETURN -> {
        TraceEvent.MwDeallocReturn result = (TraceEvent.MwDeallocReturn) event;
        wide(result.mw());
        key(result.key());
        word(result.status());
      }
      case PD_ALLOC -> wide(((TraceEvent.PdAlloc) event).pd());
      case PD_DEALLOC -> {
        TraceEvent.PdDealloc result = (TraceEvent.PdDealloc) event;
        wide(result.pd());
        word(result.status());
      }
      case QP_DESTROY -> {
        TraceEvent.QpDestroy result = (TraceEvent.QpDestroy) event;
        queuePair(result.qp());
        word(result.status());
      }
      case SRQ_POST -> {
        TraceEvent.SrqPost post = (TraceEvent.SrqPost) event;
        wide(post.srq());
        wide(post.wr());
        key(post.lkey());
        wide(post.length());
      }
    }
  }

  private void windowType(int type) {
    if (type < 1 || type > 2) {
      throw outOfRange("type", type);
    }
    narrow(type);
  }

  private void post(TraceEvent.Post post) {
    queuePair(post.qp());
    wide(post.wr());
    word(post.operation());
    if (post.remote().isPresent() && post.remote().get().length() != post.length()) {
      throw new IllegalArgumentException(
          "length=" + post.length() + " but remote.length=" + post.remote().get().length());
    }
    boolean remote = isPresent(post.remote().isPresent());
    isPresent(remote);
    if (remote) {
      key(post.remote().get().key());
      wide(post.remote().get().va());
    }
    key(post.lkey());
    key(post.invalidate());
    length(post.length());
    if (isPresent(!post.signaled())) {
      narrow(0);
    }
  }

  private void packet(Packet packet) {
    narrow(packet.opcode().code());
    bits24("psn", packet.psn());
    if (isPresent(packet.ackRequest())) {
      narrow(1);
    }
    if (packet.payload() < 0) {
      throw outOfRange("payload", packet.payload());
    }
    if (isPresent(packet.payload() != 0)) {
      narrow(packet.payload());
    }
    boolean access = packet.access().isPresent();
    isPresent(access);
    isPresent(access);
    isPresent(access);
    if (access) {
      RemoteAccess remote = packet.access().get();
      key(remote.key());
      wide(remote.va());
      length(remote.length());
    }
    key(packet.invalidate());
    if (isPresent(packet.syndrome().isPresent())) {
      narrow(packet.syndrome().get().bits());
    }
    bits24("msn", packet.msn());
    wide(packet.compare());
    wide(packet.swap());
    wide(packet.original());
    if (isPresent(packet.icrc() != Icrc.UNCHECKED)) {
      word(packet.icrc());
    }
  }

  private void memoryAccess(QueuePairId qp, int psn, long mr, MemoryKey key, long va, long length) {
    queuePair(qp);
    bits24("psn", psn);
    wide(mr);
    key(key);
    range(va, length);
  }

  private void range(long va, long length) {
    wide(va);
    wide(length);
  }

  /** A message's length, which has 32 bits. */
  private void length(long length) {
    if (length < 0 || length > BITS_32) {
      throw outOfRange("length", length);
    }
    wide(length);
  }

  /** Notes whether the next optional field is there. */
  private boolean isPresent(boolean present) {
    if (present) {
      presence |= 1 << optional;
    }
    optional++;
    return present;
  }

  private void wide(long value) {
    wide[wides++] = value;
  }

  private void wide(OptionalLong value) {
    if (isPresent(value.isPresent())) {
      wide(value.getAsLong());
    }
  }

  private void queuePair(QueuePairId qp) {
    requireInRange(qp);
    wide(qp.number() | (long) qp.incarnation() << 32);
  }

  private static void requireInRange(QueuePairId qp) {
    if (qp.number() < 0 || qp.number() > BITS_24) {
      throw outOfRange("qp", qp.number());
    }
    if (qp.incarnation() < 1) {
      throw outOfRange("incarnation", qp.incarnation());
    }
  }

  private void queuePair(Optional<QueuePairId> qp) {
    if (isPresent(qp.isPresent())) {
      queuePair(qp.get());
    }
  }

  private void narrow(int value) {
    narrow[narrows++] = value;
  }

  private void narrow(OptionalInt value) {
    if (isPresent(value.isPresent())) {
      narrow(value.getAsInt());
    }
  }

  private void bits24(String what, int value) {
    if (value < 0 || value > BITS_24) {
      throw outOfRange(what, value);
    }
    narrow(value);
  }

  private void bits24(String what, OptionalInt value) {
    if (isPresent(value.isPresent())) {
      bits24(what, value.getAsInt());
    }
  }

  private void key(MemoryKey key) {
    narrow((int) key.unsigned());
  }

  private void key(Optional<MemoryKey> key) {
    if (isPresent(key.isPresent())) {
      key(key.get());
    }
  }

  private void rights(AccessFlags rights) {
    narrow(rights.bits());
  }

  private void word(Enum<?> constant) {
    narrow(constant.ordinal());
  }

  private void text(Optional<String> value) {
    if (isPresent(value.isPresent())) {
      text(value.get());
    }
  }

  private void text(String value) {
    try {
      ByteBuffer utf8 = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(value));
      texts.add(Arrays.copyOf(utf8.array(), utf8.limit()));
      textHeads.add((long) utf8.limit());
    } catch (CharacterCodingException loneSurrogate) {
      ByteBuffer utf16 = ByteBuffer.allocate(2 * value.length());
      for (int index = 0; index < value.length(); index++) {
        utf16.put((byte) value.charAt(index)).put((byte) (value.charAt(index) >> 8));
      }
      texts.add(utf16.array());
      textHeads.add(utf16.capacity() | BinaryLayout.UTF_16);
    }
  }

  private static IllegalArgumentException outOfRange(String what, long value) {
    return new IllegalArgumentException(
        what + "=" + Long.toUnsignedString(value) + " is out of range");
  }
}
