package org.mrcheck.rnic;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * An unbounded queue with many senders and one receiver. The receiver sleeps when it is empty; a
 * sender wakes it only then. Between the receiver's announcement that it sleeps and its sleep it
 * looks once more, so that no message is overlooked.
 */
final class Mailbox<T> {
  private final ConcurrentLinkedQueue<T> messages = new ConcurrentLinkedQueue<>();
  private volatile Thread sleeper;

  void send(T message) {
    messages.offer(message);
    Thread asleep = sleeper;
    if (asleep != null) {
      LockSupport.unpark(asleep);
    }
  }

  /** The oldest message, or null when there was none for about that long. */
  T receive(long patienceNanos) {
    T message = messages.poll();
    if (message != null) {
      return message;
    }
    sleeper = Thread.currentThread();
    try {
      message = messages.poll();
      if (message == null) {
        LockSupport.parkNanos(patienceNanos);
        message = messages.poll();
      }
      return message;
    } finally {
      sleeper = null;
    }
  }
}
