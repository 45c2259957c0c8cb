package org.mrcheck.rnic;

import org.mrcheck.lang.trace.Actor;

/**
 * What an accepted check gives: the right to access memory under one registration, directly or
 * through a window, and the packet's reference that keeps that memory in place meanwhile. The same
 * object for every check that meets the same state of the same key.
 */
interface KeyTarget {
  /** The number of the registration whose memory it is; for a window, that of its region. */
  long number();

  /**
   * Reads memory and traces {@code dma.read}. The caller holds a reference.
   *
   * @param va first address
   * @param length bytes, at most {@code into.length}
   */
  void read(Actor actor, QueuePair qp, int psn, long va, byte[] into, int length);

  /** Writes memory and traces {@code dma.write}. The caller holds a reference. */
  void write(Actor actor, QueuePair qp, int psn, long va, byte[] from, int length);

  /** Gives back the reference that an accepted check took. */
  void release();

  /** A message of that queue pair was accepted; until it is closed, its registration is in use. */
  void openMessage(QueuePair qp);

  /** The message is over. */
  void closeMessage(QueuePair qp);
}
