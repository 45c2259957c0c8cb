package org.mrcheck.lang.trace;

import java.util.Locale;

/** What the importer found about a frame's invariant CRC. A warning, never a verdict by itself. */
public enum Icrc {
  OK,
  BAD,
  UNCHECKED;

  /** The word in a trace. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
