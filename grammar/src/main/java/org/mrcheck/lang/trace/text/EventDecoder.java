package org.mrcheck.lang.trace.text;

import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.antlr.v4.runtime.Token;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.TraceEvent;

/** Makes an event's record from the fields of its line. */
final class EventDecoder {
  private final FieldValues fields;

  EventDecoder(FieldValues fields) {
    this.fields = fields;
  }

  /**
   * The event, whose fields are already known to be the ones it takes.
   *
   * @param eventName the token of its name, for diagnostics
   */
  TraceEvent decode(EventName name, Stamp stamp, Token eventName) throws TraceSyntaxException {
    return switch (name) {
      case REG_CALL -> new TraceEvent.RegCall(stamp, mr(), key(), fields.optionalQueuePair());
      case REG ->
          new TraceEvent.Reg(
              stamp,
              mr(),
              fields.number(Field.PD),
              key(),
              fields.key(Field.LKEY),
              va(),
              length(),
              fields.rights(),
              fields.optionalQueuePair(),
              fields.optionalText(Field.LABEL));
      case DEREG_CALL -> new TraceEvent.DeregCall(stamp, mr(), key());
      case DEREG_RETURN -> new TraceEvent.DeregReturn(stamp, mr(), key(), status());
      case REREG_CALL ->
          new TraceEvent.ReregCall(
              stamp, mr(), key(), fields.number(Field.PD), va(), length(), fields.rights());
      case REREG_RETURN -> new TraceEvent.ReregReturn(stamp, mr(), key(), status());
      case BIND_CALL ->
          new TraceEvent.BindCall(
              stamp,
              fields.number(Field.MW),
              (int) fields.number(Field.TYPE),
              mr(),
              fields.optionalQueuePair(),
              key(),
              va(),
              length(),
              fields.rights(),
              fields.optionalText(Field.LABEL));
      case BIND_RETURN ->
          new TraceEvent.BindReturn(stamp, fields.number(Field.MW), key(), status());
      case INV_CALL -> new TraceEvent.InvCall(stamp, key(), fields.optionalQueuePair());
      case INV_RETURN ->
          new TraceEvent.InvReturn(stamp, key(), fields.optionalQueuePair(), status());
      case POST -> post(stamp, eventName);
      case WC ->
          new TraceEvent.Wc(
              stamp,
              fields.queuePair(),
              fields.number(Field.WR),
              fields.word(Field.STATUS, Words.WC_STATUS),
              fields.optionalWord(Field.OP, Words.OPERATIONS),
              fields.optionalInt(Field.VENDOR),
              fields.optionalLong(Field.LEN),
              fields.optionalKey(Field.INV));
      case RX -> new TraceEvent.Rx(stamp, fields.queuePair(), packet(eventName));
      case TX -> new TraceEvent.Tx(stamp, fields.queuePair(), packet(eventName));
      case ACK ->
          new TraceEvent.Ack(
              stamp, fields.queuePair(), psn(), (int) fields.number(Field.MSN), fields.syndrome());
      case NAK ->
          new TraceEvent.Nak(
              stamp, fields.queuePair(), psn(), (int) fields.number(Field.MSN), fields.syndrome());
      case CHECK_KEY ->
          new TraceEvent.Check(
              stamp,
              fields.queuePair(),
              psn(),
              fields.word(Field.ACCESS, Words.ACCESS),
              key(),
              va(),
              length(),
              fields.number(Field.REMAINING),
              fields.word(Field.VERDICT, Words.VERDICTS),
              fields.optionalText(Field.CAUSE),
              fields.optionalLong(Field.MR));
      case DMA_READ ->
          new TraceEvent.DmaRead(
              stamp, fields.queuePair(), psn(), mr(), key(), va(), length(), dmaAddress());
      case DMA_WRITE ->
          new TraceEvent.DmaWrite(
              stamp, fields.queuePair(), psn(), mr(), key(), va(), length(), dmaAddress());
      case CACHE_FILL -> new TraceEvent.CacheFill(stamp, key(), mr());
      case CACHE_HIT -> new TraceEvent.CacheHit(stamp, key(), mr());
      case CACHE_INVAL -> new TraceEvent.CacheInval(stamp, key());
      case QP_CREATE ->
          new TraceEvent.QpCreate(
              stamp,
              fields.queuePair(),
              fields.number(Field.PD),
              fields.rights(),
              fields.optionalLong(Field.SRQ));
      case QP_CONNECT ->
          new TraceEvent.QpConnect(
              stamp,
              fields.queuePair(),
              fields.optionalPeer(),
              fields.optionalInt(Field.RECEIVE_PSN),
              fields.optionalInt(Field.SEND_PSN),
              fields.optionalInt(Field.MTU));
      case QP_STATE ->
          new TraceEvent.QpState(
              stamp,
              fields.queuePair(),
              fields.word(Field.STATE, Words.STATES),
              fields.optionalWord(Field.BY, Words.MOVERS));
      case ASYNC ->
          new TraceEvent.Async(stamp, fields.optionalQueuePair(), fields.freeText(Field.EVENT));
      case LOST -> new TraceEvent.Lost(stamp, fields.number(Field.COUNT));
      case PIN -> new TraceEvent.Pin(stamp, mr(), va(), length(), dmaAddress());
      case UNPIN -> new TraceEvent.Unpin(stamp, mr(), va(), length(), dmaAddress());
      case MW_ALLOC ->
          new TraceEvent.MwAlloc(
              stamp,
              fields.number(Field.MW),
              fields.number(Field.PD),
              (int) fields.number(Field.TYPE));
      case MW_DEALLOC_CALL -> new TraceEvent.MwDeallocCall(stamp, fields.number(Field.MW), key());
      case MW_DEALLOC_RETURN ->
          new TraceEvent.MwDeallocReturn(stamp, fields.number(Field.MW), key(), status());
      case PD_ALLOC -> new TraceEvent.PdAlloc(stamp, fields.number(Field.PD));
      case PD_DEALLOC -> new TraceEvent.PdDealloc(stamp, fields.number(Field.PD), status());
      case QP_DESTROY -> new TraceEvent.QpDestroy(stamp, fields.queuePair(), status());
      case SRQ_POST ->
          new TraceEvent.SrqPost(
              stamp,
              fields.number(Field.SRQ),
              fields.number(Field.WR),
              fields.optionalKey(Field.LKEY),
              length());
    };
  }

  private TraceEvent post(Stamp stamp, Token eventName) throws TraceSyntaxException {
    long length = fields.number(Field.LEN, Field.BITS_32);
    boolean remote = fields.together(eventName, Field.KEY, Field.VA);
    return new TraceEvent.Post(
        stamp,
        fields.queuePair(),
        fields.number(Field.WR),
        fields.word(Field.OP, Words.OPERATIONS),
        remote ? Optional.of(new RemoteAccess(key(), va(), length)) : Optional.empty(),
        fields.optionalKey(Field.LKEY),
        fields.optionalKey(Field.INV),
        length,
        !fields.has(Field.SIGNALED) || fields.number(Field.SIGNALED) == 1);
  }

  private Packet packet(Token eventName) throws TraceSyntaxException {
    boolean remote = fields.together(eventName, Field.KEY, Field.VA, Field.LEN);
    Optional<RemoteAccess> access =
        remote
            ? Optional.of(new RemoteAccess(key(), va(), fields.number(Field.LEN, Field.BITS_32)))
            : Optional.empty();
    Optional<MemoryKey> invalidate = fields.optionalKey(Field.INV);
    OptionalInt msn = fields.optionalInt(Field.MSN);
    OptionalLong compare = fields.optionalLong(Field.COMPARE);
    OptionalLong swap = fields.optionalLong(Field.SWAP);
    return new Packet(
        fields.word(Field.OP, Words.OPCODES),
        psn(),
        fields.has(Field.ACKREQ) && fields.number(Field.ACKREQ) == 1,
        fields.has(Field.PAYLOAD) ? (int) fields.number(Field.PAYLOAD) : 0,
        access,
        invalidate,
        fields.has(Field.SYNDROME) ? Optional.of(fields.syndrome()) : Optional.empty(),
        msn,
        compare,
        swap,
        fields.optionalLong(Field.ORIGINAL),
        fields.has(Field.ICRC) ? fields.word(Field.ICRC, Words.ICRC) : Icrc.UNCHECKED);
  }

  private long mr() throws TraceSyntaxException {
    return fields.number(Field.MR);
  }

  private OptionalLong dmaAddress() throws TraceSyntaxException {
    return fields.optionalLong(Field.DMA_ADDR);
  }

  private MemoryKey key() throws TraceSyntaxException {
    return fields.key(Field.KEY);
  }

  private long va() throws TraceSyntaxException {
    return fields.number(Field.VA);
  }

  private long length() throws TraceSyntaxException {
    return fields.number(Field.LEN);
  }

  private int psn() throws TraceSyntaxException {
    return (int) fields.number(Field.PSN);
  }

  private TraceEvent.CallStatus status() throws TraceSyntaxException {
    return fields.word(Field.STATUS, Words.CALL_STATUS);
  }
}
