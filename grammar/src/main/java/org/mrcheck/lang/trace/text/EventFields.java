package org.mrcheck.lang.trace.text;

import static org.mrcheck.lang.trace.text.Field.*;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.mrcheck.lang.trace.EventName;

/**
 * Which fields an event takes, in the order in which they are printed. {@code frame} is allowed on
 * every event.
 *
 * @param fields all fields, in order
 * @param required set of the fields that must be there
 * @param allowed set of all fields
 */
record EventFields(List<Field> fields, long required, long allowed) {
  private static final Map<EventName, EventFields> TABLE = new EnumMap<>(EventName.class);

  static {
    put(EventName.REG_CALL, optional(QP), MR, KEY, QP);
    put(EventName.REG, optional(QP, LABEL), MR, PD, KEY, LKEY, VA, LEN, RIGHTS, QP, LABEL);
    put(EventName.DEREG_CALL, MR, KEY);
    put(EventName.DEREG_RETURN, MR, KEY, STATUS);
    put(EventName.REREG_CALL, MR, KEY, PD, VA, LEN, RIGHTS);
    put(EventName.REREG_RETURN, MR, KEY, STATUS);
    put(EventName.BIND_CALL, optional(QP, LABEL), MW, TYPE, MR, QP, KEY, VA, LEN, RIGHTS, LABEL);
    put(EventName.BIND_RETURN, MW, KEY, STATUS);
    put(EventName.INV_CALL, optional(QP), KEY, QP);
    put(EventName.INV_RETURN, optional(QP), KEY, QP, STATUS);
    put(
        EventName.POST,
        optional(KEY, VA, LKEY, INV, SIGNALED),
        QP,
        WR,
        OP,
        KEY,
        VA,
        LKEY,
        INV,
        LEN,
        SIGNALED);
    put(EventName.WC, optional(OP, VENDOR, LEN, INV), QP, WR, STATUS, OP, VENDOR, LEN, INV);
    for (EventName packet : List.of(EventName.RX, EventName.TX)) {
      put(
          packet,
          optional(
              ACKREQ, PAYLOAD, KEY, VA, LEN, INV, SYNDROME, MSN, COMPARE, SWAP, ORIGINAL, ICRC),
          QP,
          OP,
          PSN,
          ACKREQ,
          PAYLOAD,
          KEY,
          VA,
          LEN,
          INV,
          SYNDROME,
          MSN,
          COMPARE,
          SWAP,
          ORIGINAL,
          ICRC);
    }
    put(EventName.ACK, QP, PSN, MSN, SYNDROME);
    put(EventName.NAK, QP, PSN, MSN, SYNDROME);
    put(
        EventName.CHECK_KEY,
        optional(MR, CAUSE),
        QP,
        PSN,
        ACCESS,
        KEY,
        VA,
        LEN,
        REMAINING,
        VERDICT,
        MR,
        CAUSE);
    put(EventName.DMA_READ, optional(DMA_ADDR), QP, PSN, MR, KEY, VA, LEN, DMA_ADDR);
    put(EventName.DMA_WRITE, optional(DMA_ADDR), QP, PSN, MR, KEY, VA, LEN, DMA_ADDR);
    put(EventName.CACHE_FILL, KEY, MR);
    put(EventName.CACHE_HIT, KEY, MR);
    put(EventName.CACHE_INVAL, KEY);
    put(EventName.QP_CREATE, optional(SRQ), QP, PD, RIGHTS, SRQ);
    put(
        EventName.QP_CONNECT,
        optional(PEER, RECEIVE_PSN, SEND_PSN, MTU),
        QP,
        PEER,
        RECEIVE_PSN,
        SEND_PSN,
        MTU);
    put(EventName.QP_STATE, optional(BY), QP, STATE, BY);
    put(EventName.ASYNC, optional(QP), QP, EVENT);
    put(EventName.LOST, COUNT);
    put(EventName.PIN, optional(DMA_ADDR), MR, VA, LEN, DMA_ADDR);
    put(EventName.UNPIN, optional(DMA_ADDR), MR, VA, LEN, DMA_ADDR);
    put(EventName.MW_ALLOC, MW, PD, TYPE);
    put(EventName.MW_DEALLOC_CALL, MW, KEY);
    put(EventName.MW_DEALLOC_RETURN, MW, KEY, STATUS);
    put(EventName.PD_ALLOC, PD);
    put(EventName.PD_DEALLOC, PD, STATUS);
    put(EventName.QP_DESTROY, QP, STATUS);
    put(EventName.SRQ_POST, optional(LKEY), SRQ, WR, LKEY, LEN);
  }

  /** The fields of an event. */
  static EventFields of(EventName name) {
    return TABLE.get(name);
  }

  /** The fields as a reader of diagnostics sees them, optional ones in brackets. */
  List<String> described() {
    List<String> described = new ArrayList<>();
    for (Field field : fields) {
      boolean needed = (required & field.bit()) != 0;
      described.add(needed ? field.text() : "[" + field.text() + "]");
    }
    return described;
  }

  private static long optional(Field... fields) {
    long set = 0;
    for (Field field : fields) {
      set |= field.bit();
    }
    return set;
  }

  private static void put(EventName name, Field... fields) {
    put(name, 0L, fields);
  }

  private static void put(EventName name, long optional, Field... fields) {
    List<Field> all = new ArrayList<>(List.of(fields));
    all.add(FRAME);
    long allowed = optional(all.toArray(new Field[0]));
    TABLE.put(name, new EventFields(List.copyOf(all), allowed & ~optional & ~FRAME.bit(), allowed));
  }
}
