package org.mrcheck.lang.trace.text;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.lang.trace.TraceHeader;

/**
 * Prints headers and events as text, the inverse of {@link TraceReader}: what was printed reads
 * back as equal records. Values that the language cannot express, such as a host with a blank or a
 * PSN of more than 24 bits, are refused with an {@link IllegalArgumentException}.
 */
public final class TracePrinter {
  private final LineBuffer out;

  TracePrinter(LineBuffer out) {
    this.out = out;
  }

  /** The event as one line, without a line feed. */
  public static String print(TraceEvent event) {
    LineBuffer out = new LineBuffer(256);
    new TracePrinter(out).line(event);
    return new String(out.bytes(), 0, out.size() - 1, StandardCharsets.UTF_8);
  }

  /** The version line and the header lines, each ended by a line feed. */
  public static String print(TraceHeader header) {
    LineBuffer out = new LineBuffer(1024);
    new TracePrinter(out).lines(header);
    return new String(out.bytes(), 0, out.size(), StandardCharsets.UTF_8);
  }

  /**
   * Checks that an actor can be written.
   *
   * @throws IllegalArgumentException if its host or role has a blank, a slash, a quote or an equals
   *     sign
   */
  public static void requireNames(Actor actor) {
    LineBuffer.checkedName("host", actor.host());
    LineBuffer.checkedName("role", actor.role());
  }

  void lines(TraceHeader header) {
    if (header.version() != TraceHeader.CURRENT_VERSION) {
      throw new IllegalArgumentException("version=" + header.version() + " cannot be written");
    }
    out.append("mrtrace ").decimal(header.version()).append('\n');
    for (TraceHeader.Host host : header.hosts()) {
      out.append("%host ").append(LineBuffer.checkedName("host", host.name()));
      out.append(" process=").decimal(inRange("process", host.process(), 0, Long.MAX_VALUE));
      out.append(" generation=");
      out.decimal(inRange("generation", host.generation(), 1, Integer.MAX_VALUE));
      out.append(" clock=").word(host.clock());
      if (!host.byteOrder().equals("little") && !host.byteOrder().equals("big")) {
        throw new IllegalArgumentException("byteOrder=" + host.byteOrder());
      }
      out.append(" byte_order=").append(host.byteOrder()).append('\n');
    }
    header.transport().ifPresent(text -> out.append("%transport ").word(text).append('\n'));
    header.source().ifPresent(text -> out.append("%source ").quoted(text).append('\n'));
    for (TraceHeader.Observation observation : header.observed()) {
      out.append("%observes ").append(observation.eventClass().text()).append(' ');
      out.append(LineBuffer.checkedName("host", observation.host())).append(' ');
      out.append(Words.lowerCase(observation.completeness())).append('\n');
    }
    header
        .attributes()
        .forEach(
            (name, value) -> {
              out.append("%attribute ").word(name).append(' ').word(value).append('\n');
            });
  }

  void line(TraceEvent event) {
    Stamp stamp = event.stamp();
    out.decimal(inRange("seq", stamp.seq(), 1, Long.MAX_VALUE)).append(' ');
    if (stamp.timeNanos() < 0) {
      out.append(Long.toString(stamp.timeNanos()));
    } else {
      out.decimal(stamp.timeNanos());
    }
    Actor actor = stamp.actor();
    out.append(' ').append(LineBuffer.checkedName("host", actor.host()));
    out.append('/').append(LineBuffer.checkedName("role", actor.role()));
    out.append(' ').append(event.name().text());
    fields(event);
    if (stamp.frame() != 0) {
      decimal(Field.FRAME, stamp.frame());
    }
    out.append('\n');
  }

  private void fields(TraceEvent event) {
    switch (event.name()) {
      case REG_CALL -> {
        TraceEvent.RegCall call = (TraceEvent.RegCall) event;
        registration(call.mr(), call.key());
        call.qp().ifPresent(this::queuePair);
      }
      case REG -> {
        TraceEvent.Reg reg = (TraceEvent.Reg) event;
        decimal(Field.MR, reg.mr());
        decimal(Field.PD, reg.pd());
        key(Field.KEY, reg.key());
        key(Field.LKEY, reg.lkey());
        range(reg.va(), reg.length());
        word(Field.RIGHTS, reg.rights().toString());
        reg.qp().ifPresent(this::queuePair);
        label(reg.label());
      }
      case DEREG_CALL -> {
        TraceEvent.DeregCall call = (TraceEvent.DeregCall) event;
        registration(call.mr(), call.key());
      }
      case DEREG_RETURN -> {
        TraceEvent.DeregReturn result = (TraceEvent.DeregReturn) event;
        registration(result.mr(), result.key());
        status(result.status());
      }
      case REREG_CALL -> {
        TraceEvent.ReregCall call = (TraceEvent.ReregCall) event;
        registration(call.mr(), call.key());
        decimal(Field.PD, call.pd());
        range(call.va(), call.length());
        word(Field.RIGHTS, call.rights().toString());
      }
      case REREG_RETURN -> {
        TraceEvent.ReregReturn result = (TraceEvent.ReregReturn) event;
        registration(result.mr(), result.key());
        status(result.status());
      }
      case BIND_CALL -> {
        TraceEvent.BindCall call = (TraceEvent.BindCall) event;
        decimal(Field.MW, call.mw());
        decimal(Field.TYPE, call.type());
        decimal(Field.MR, call.mr());
        call.qp().ifPresent(this::queuePair);
        key(Field.KEY, call.key());
        range(call.va(), call.length());
        word(Field.RIGHTS, call.rights().toString());
        label(call.label());
      }
      case BIND_RETURN -> {
        TraceEvent.BindReturn result = (TraceEvent.BindReturn) event;
        decimal(Field.MW, result.mw());
        key(Field.KEY, result.key());
        status(result.status());
      }
      case INV_CALL -> {
        TraceEvent.InvCall call = (TraceEvent.InvCall) event;
        key(Field.KEY, call.key());
        call.qp().ifPresent(this::queuePair);
      }
      case INV_RETURN -> {
        TraceEvent.InvReturn result = (TraceEvent.InvReturn) event;
        key(Field.KEY, result.key());
        result.qp().ifPresent(this::queuePair);
        status(result.status());
      }
      case POST -> post((TraceEvent.Post) event);
      case WC -> completion((TraceEvent.Wc) event);
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
        answer(ack.qp(), ack.psn(), ack.msn(), ack.syndrome());
      }
      case NAK -> {
        TraceEvent.Nak nak = (TraceEvent.Nak) event;
        answer(nak.qp(), nak.psn(), nak.msn(), nak.syndrome());
      }
      case CHECK_KEY -> check((TraceEvent.Check) event);
      case DMA_READ -> {
        TraceEvent.DmaRead dma = (TraceEvent.DmaRead) event;
        memoryAccess(dma.qp(), dma.psn(), dma.mr(), dma.key(), dma.va(), dma.length());
        hexadecimal(Field.DMA_ADDR, dma.dmaAddress());
      }
      case DMA_WRITE -> {
        TraceEvent.DmaWrite dma = (TraceEvent.DmaWrite) event;
        memoryAccess(dma.qp(), dma.psn(), dma.mr(), dma.key(), dma.va(), dma.length());
        hexadecimal(Field.DMA_ADDR, dma.dmaAddress());
      }
      case CACHE_FILL -> {
        TraceEvent.CacheFill fill = (TraceEvent.CacheFill) event;
        key(Field.KEY, fill.key());
        decimal(Field.MR, fill.mr());
      }
      case CACHE_HIT -> {
        TraceEvent.CacheHit hit = (TraceEvent.CacheHit) event;
        key(Field.KEY, hit.key());
        decimal(Field.MR, hit.mr());
      }
      case CACHE_INVAL -> key(Field.KEY, ((TraceEvent.CacheInval) event).key());
      case QP_CREATE -> {
        TraceEvent.QpCreate created = (TraceEvent.QpCreate) event;
        queuePair(created.qp());
        decimal(Field.PD, created.pd());
        word(Field.RIGHTS, created.rights().toString());
        decimal(Field.SRQ, created.srq());
      }
      case QP_CONNECT -> connection((TraceEvent.QpConnect) event);
      case QP_STATE -> {
        TraceEvent.QpState entered = (TraceEvent.QpState) event;
        queuePair(entered.qp());
        word(Field.STATE, entered.state().name());
        entered.by().ifPresent(mover -> word(Field.BY, Words.lowerCase(mover)));
      }
      case ASYNC -> {
        TraceEvent.Async async = (TraceEvent.Async) event;
        async.qp().ifPresent(this::queuePair);
        field(Field.EVENT).word(async.event());
      }
      case LOST -> decimal(Field.COUNT, ((TraceEvent.Lost) event).count());
      case PIN -> {
        TraceEvent.Pin pin = (TraceEvent.Pin) event;
        pages(pin.mr(), pin.va(), pin.length(), pin.dmaAddress());
      }
      case UNPIN -> {
        TraceEvent.Unpin unpin = (TraceEvent.Unpin) event;
        pages(unpin.mr(), unpin.va(), unpin.length(), unpin.dmaAddress());
      }
      case MW_ALLOC -> {
        TraceEvent.MwAlloc allocated = (TraceEvent.MwAlloc) event;
        decimal(Field.MW, allocated.mw());
        decimal(Field.PD, allocated.pd());
        decimal(Field.TYPE, allocated.type());
      }
      case MW_DEALLOC_CALL -> {
        TraceEvent.MwDeallocCall call = (TraceEvent.MwDeallocCall) event;
        decimal(Field.MW, call.mw());
        key(Field.KEY, call.key());
      }
      case MW_DEALLOC_RETURN -> {
        TraceEvent.MwDeallocReturn result = (TraceEvent.MwDeallocReturn) event;
        decimal(Field.MW, result.mw());
        key(Field.KEY, result.key());
        status(result.status());
      }
      case PD_ALLOC -> decimal(Field.PD, ((TraceEvent.PdAlloc) event).pd());
      case PD_DEALLOC -> {
        TraceEvent.PdDealloc result = (TraceEvent.PdDealloc) event;
        decimal(Field.PD, result.pd());
        status(result.status());
      }
      case QP_DESTROY -> {
        TraceEvent.QpDestroy result = (TraceEvent.QpDestroy) event;
        queuePair(result.qp());
        status(result.status());
      }
      case SRQ_POST -> {
        TraceEvent.SrqPost post = (TraceEvent.SrqPost) event;
        decimal(Field.SRQ, post.srq());
        decimal(Field.WR, post.wr());
        post.lkey().ifPresent(lkey -> key(Field.LKEY, lkey));
        decimal(Field.LEN, post.length());
      }
    }
  }

  private void post(TraceEvent.Post post) {
    queuePair(post.qp());
    decimal(Field.WR, post.wr());
    word(Field.OP, post.operation().name());
    if (post.remote().isPresent()) {
      RemoteAccess remote = post.remote().get();
      if (remote.length() != post.length()) {
        throw new IllegalArgumentException(
            "length=" + post.length() + " but remote.length=" + remote.length());
      }
      key(Field.KEY, remote.key());
      hexadecimal(Field.VA, remote.va());
    }
    post.lkey().ifPresent(lkey -> key(Field.LKEY, lkey));
    post.invalidate().ifPresent(invalidated -> key(Field.INV, invalidated));
    field(Field.LEN).decimal(inRange("length", post.length(), 0, Field.BITS_32));
    if (!post.signaled()) {
      decimal(Field.SIGNALED, 0);
    }
  }

  private void completion(TraceEvent.Wc completion) {
    queuePair(completion.qp());
    decimal(Field.WR, completion.wr());
    word(Field.STATUS, completion.status().name());
    completion.operation().ifPresent(operation -> word(Field.OP, operation.name()));
    completion
        .vendorError()
        .ifPresent(vendor -> hexadecimal(Field.VENDOR, Integer.toUnsignedLong(vendor)));
    decimal(Field.LEN, completion.length());
    completion.invalidated().ifPresent(invalidated -> key(Field.INV, invalidated));
  }

  private void packet(Packet packet) {
    word(Field.OP, packet.opcode().toString());
    decimal(Field.PSN, packet.psn());
    if (packet.ackRequest()) {
      decimal(Field.ACKREQ, 1);
    }
    if (packet.payload() != 0) {
      decimal(Field.PAYLOAD, packet.payload());
    }
    if (packet.access().isPresent()) {
      RemoteAccess remote = packet.access().get();
      key(Field.KEY, remote.key());
      hexadecimal(Field.VA, remote.va());
      field(Field.LEN).decimal(inRange("length", remote.length(), 0, Field.BITS_32));
    }
    packet.invalidate().ifPresent(invalidated -> key(Field.INV, invalidated));
    packet.syndrome().ifPresent(syndrome -> hexadecimal(Field.SYNDROME, syndrome.bits()));
    decimal(Field.MSN, packet.msn());
    hexadecimal(Field.COMPARE, packet.compare());
    hexadecimal(Field.SWAP, packet.swap());
    hexadecimal(Field.ORIGINAL, packet.original());
    if (packet.icrc() != Icrc.UNCHECKED) {
      word(Field.ICRC, packet.icrc().text());
    }
  }

  private void check(TraceEvent.Check check) {
    queuePair(check.qp());
    decimal(Field.PSN, check.psn());
    word(Field.ACCESS, check.access().text());
    key(Field.KEY, check.key());
    range(check.va(), check.length());
    decimal(Field.REMAINING, check.remaining());
    word(Field.VERDICT, Words.lowerCase(check.verdict()));
    decimal(Field.MR, check.mr());
    check.cause().ifPresent(cause -> field(Field.CAUSE).word(cause));
  }

  private void connection(TraceEvent.QpConnect connected) {
    queuePair(connected.qp());
    connected
        .peer()
        .ifPresent(
            peer -> {
              field(Field.PEER).append(LineBuffer.checkedName("host", peer.host())).append('/');
              id(peer.id());
            });
    decimal(Field.RECEIVE_PSN, connected.receivePsn());
    decimal(Field.SEND_PSN, connected.sendPsn());
    decimal(Field.MTU, connected.mtu());
  }

  private void registration(long mr, MemoryKey key) {
    decimal(Field.MR, mr);
    key(Field.KEY, key);
  }

  private void answer(QueuePairId qp, int psn, int msn, Syndrome syndrome) {
    queuePair(qp);
    decimal(Field.PSN, psn);
    decimal(Field.MSN, msn);
    hexadecimal(Field.SYNDROME, syndrome.bits());
  }

  private void memoryAccess(QueuePairId qp, int psn, long mr, MemoryKey key, long va, long length) {
    queuePair(qp);
    decimal(Field.PSN, psn);
    registration(mr, key);
    range(va, length);
  }

  private void pages(long mr, long va, long length, OptionalLong dmaAddress) {
    decimal(Field.MR, mr);
    range(va, length);
    hexadecimal(Field.DMA_ADDR, dmaAddress);
  }

  private void range(long va, long length) {
    hexadecimal(Field.VA, va);
    decimal(Field.LEN, length);
  }

  private void label(Optional<String> label) {
    label.ifPresent(text -> field(Field.LABEL).quoted(text));
  }

  private void status(CallStatus status) {
    word(Field.STATUS, Words.lowerCase(status));
  }

  private void queuePair(QueuePairId qp) {
    field(Field.QP);
    id(qp);
  }

  private void id(QueuePairId qp) {
    out.hexadecimal(inRange("qp", qp.number(), 0, Field.BITS_24)).append('.');
    out.decimal(inRange("incarnation", qp.incarnation(), 1, Integer.MAX_VALUE));
  }

  private void key(Field field, MemoryKey key) {
    field(field).hexadecimal(key.unsigned());
  }

  private void word(Field field, String asciiWord) {
    field(field).append(asciiWord);
  }

  private void decimal(Field field, OptionalInt value) {
    if (value.isPresent()) {
      decimal(field, value.getAsInt());
    }
  }

  private void decimal(Field field, OptionalLong value) {
    if (value.isPresent()) {
      decimal(field, value.getAsLong());
    }
  }

  private void decimal(Field field, long value) {
    field(field).decimal(inRange(field.text(), value, field.least(), field.greatest()));
  }

  private void hexadecimal(Field field, OptionalLong value) {
    if (value.isPresent()) {
      hexadecimal(field, value.getAsLong());
    }
  }

  private void hexadecimal(Field field, long value) {
    field(field).hexadecimal(inRange(field.text(), value, field.least(), field.greatest()));
  }

  private LineBuffer field(Field field) {
    return out.append(' ').append(field.text()).append('=');
  }

  private static long inRange(String what, long value, long least, long greatest) {
    if (Long.compareUnsigned(value, least) < 0 || Long.compareUnsigned(value, greatest) > 0) {
      throw new IllegalArgumentException(
          what
              + "="
              + Long.toUnsignedString(value)
              + " is out of range: "
              + Field.range(least, greatest));
    }
    return value;
  }
}
