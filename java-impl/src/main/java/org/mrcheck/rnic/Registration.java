package org.mrcheck.rnic;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The identity of one life of a key: a registration, or one bind of a window. A later registration
 * may bear the same key, and is another object. It counts the messages that were accepted under it
 * and are not over. Safe for several threads.
 */
final class Registration {
  private final long number;
  private final boolean knowsUsers;
  private final AtomicInteger openMessages = new AtomicInteger();
  private final Map<QueuePair, Integer> users = new ConcurrentHashMap<>();

  /**
   * A registration without messages.
   *
   * @param number that of the region, for a window's bind that of the window
   * @param knowsUsers whether it is to know the queue pairs of its messages
   */
  Registration(long number, boolean knowsUsers) {
    this.number = number;
    this.knowsUsers = knowsUsers;
  }

  long number() {
    return number;
  }

  void openMessage(QueuePair qp) {
    openMessages.incrementAndGet();
    if (knowsUsers) {
      users.merge(qp, 1, Integer::sum);
    }
  }

  void closeMessage(QueuePair qp) {
    if (knowsUsers) {
      users.computeIfPresent(qp, (same, count) -> count == 1 ? null : count - 1);
    }
    openMessages.decrementAndGet();
  }

  boolean hasOpenMessages() {
    return openMessages.get() != 0;
  }

  /** The queue pairs with open messages, if it knows them. */
  Set<QueuePair> users() {
    return Set.copyOf(users.keySet());
  }
}
