package org.mrcheck.lang.trace;

/** A queue pair on any host, written {@code host/0x11.1}. */
public record QueuePairAddress(String host, QueuePairId id) {
  @Override
  public String toString() {
    return host + "/" + id;
  }
}
