package org.mrcheck.lang.diagnostic;

import java.util.Locale;

/** How bad a finding about an input is. */
public enum Severity {
  /** The input cannot be used from here on. */
  ERROR,
  /** The input is used, but something of it was lost or looks wrong. */
  WARNING;

  /** The word before a diagnostic's message. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
