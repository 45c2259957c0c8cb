package org.mrcheck.lang.trace;

/** The separable groups of events; a recording declares which of them it observed. */
public enum EventClass {
  /** Registration, deregistration, windows and invalidation, as calls and returns. */
  REGISTRATION("registration"),
  /** Work requests posted and completions polled. */
  POSTING("posting"),
  /** Packets that arrive at or leave a queue pair. */
  WIRE("wire"),
  /** Key checks inside the device. */
  CHECK("check"),
  /** Memory accesses made by the device. */
  DMA("dma"),
  /** Key cache and translation cache. */
  CACHE("cache"),
  /** Creation, connection and states of queue pairs, and asynchronous events. */
  QUEUE_PAIR("queue_pair"),
  /** Facts about the recording itself. */
  RECORDING("recording");

  private final String text;

  EventClass(String text) {
    this.text = text;
  }

  /** The word for this class in a trace. */
  public String text() {
    return text;
  }
}
