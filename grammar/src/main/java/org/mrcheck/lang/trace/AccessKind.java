package org.mrcheck.lang.trace;

import java.util.Locale;

/** What an access does to memory, and from which side of the connection it is asked for. */
public enum AccessKind {
  LOCAL_READ,
  LOCAL_WRITE,
  REMOTE_READ,
  REMOTE_WRITE,
  REMOTE_ATOMIC;

  /** The word in a trace. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
