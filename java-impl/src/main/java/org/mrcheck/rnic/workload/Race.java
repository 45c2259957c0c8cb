package org.mrcheck.rnic.workload;

/**
 * What the applications at the two ends of one connection do, a turn at a time. Each connection has
 * a race of its own, whose methods are called by two threads: {@link #use} by that of the
 * connection, {@link #own} by that of its owner. What both look at must be safe for that.
 */
interface Race {
  /** Before all turns, by the thread that starts the workload. */
  default void begin(Lane lane) {}

  /** One turn of the thread that works with the connection. */
  void use(Lane lane) throws InterruptedException;

  /** One turn of the responder's application, which registers and deregisters. */
  default void own(Lane lane) throws InterruptedException {
    lane.rest(200, 1000);
  }

  /** After all turns, by the owner's thread: gives back what it still has. */
  default void end(Lane lane) throws InterruptedException {}
}
