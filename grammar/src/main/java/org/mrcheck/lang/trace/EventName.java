package org.mrcheck.lang.trace;

import static org.mrcheck.lang.trace.EventClass.CACHE;
import static org.mrcheck.lang.trace.EventClass.CHECK;
import static org.mrcheck.lang.trace.EventClass.DMA;
import static org.mrcheck.lang.trace.EventClass.POSTING;
import static org.mrcheck.lang.trace.EventClass.QUEUE_PAIR;
import static org.mrcheck.lang.trace.EventClass.RECORDING;
import static org.mrcheck.lang.trace.EventClass.REGISTRATION;
import static org.mrcheck.lang.trace.EventClass.WIRE;

/**
 * The one list of event names: the words of the trace language, of {@code Emit} in the TLA+ modules
 * and of the trace points of the soft RNIC.
 */
public enum EventName {
  REG_CALL("reg.call", REGISTRATION),
  REG("reg", REGISTRATION),
  DEREG_CALL("dereg.call", REGISTRATION),
  DEREG_RETURN("dereg.return", REGISTRATION),
  REREG_CALL("rereg.call", REGISTRATION),
  REREG_RETURN("rereg.return", REGISTRATION),
  BIND_CALL("bind.call", REGISTRATION),
  BIND_RETURN("bind.return", REGISTRATION),
  INV_CALL("inv.call", REGISTRATION),
  INV_RETURN("inv.return", REGISTRATION),
  POST("post", POSTING),
  WC("wc", POSTING),
  RX("rx", WIRE),
  TX("tx", WIRE),
  ACK("ack", WIRE),
  NAK("nak", WIRE),
  CHECK_KEY("check", CHECK),
  DMA_READ("dma.read", DMA),
  DMA_WRITE("dma.write", DMA),
  CACHE_FILL("cache.fill", CACHE),
  CACHE_HIT("cache.hit", CACHE),
  CACHE_INVAL("cache.inval", CACHE),
  QP_CREATE("qp.create", QUEUE_PAIR),
  QP_CONNECT("qp.connect", QUEUE_PAIR),
  QP_STATE("qp.state", QUEUE_PAIR),
  ASYNC("async", QUEUE_PAIR),
  LOST("lost", RECORDING),
  PIN("pin", REGISTRATION),
  UNPIN("unpin", REGISTRATION),
  MW_ALLOC("mw.alloc", REGISTRATION),
  MW_DEALLOC_CALL("mw.dealloc.call", REGISTRATION),
  MW_DEALLOC_RETURN("mw.dealloc.return", REGISTRATION),
  PD_ALLOC("pd.alloc", REGISTRATION),
  PD_DEALLOC("pd.dealloc", REGISTRATION),
  QP_DESTROY("qp.destroy", QUEUE_PAIR),
  SRQ_POST("srq.post", POSTING);

  private final String text;
  private final EventClass eventClass;

  EventName(String text, EventClass eventClass) {
    this.text = text;
    this.eventClass = eventClass;
  }

  /** The word in a trace, in {@code Emit} and in bindings. */
  public String text() {
    return text;
  }

  /** The class of events this one belongs to. */
  public EventClass eventClass() {
    return eventClass;
  }
}
