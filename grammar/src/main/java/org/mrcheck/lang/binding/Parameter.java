package org.mrcheck.lang.binding;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What a contract's instances are told apart by: the words after {@code slice} and {@code by}. */
public enum Parameter {
  /** A host; keys, registrations and queue pair numbers belong to one. */
  HOST,
  /** A memory key of that host, as it stands on the wire. */
  KEY,
  /** A registration of that host, never reused. */
  MR,
  /** A queue pair of that host. */
  QP,
  /** The PSN of one request packet of that queue pair. */
  PSN,
  /** A message of that queue pair, named by the PSN of its first packet. */
  MESSAGE,
  /** A work request of that queue pair. */
  WR;

  /** The word in a binding. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The parameter of that word. */
  public static Optional<Parameter> named(String word) {
    return Arrays.stream(values()).filter(parameter -> parameter.text().equals(word)).findFirst();
  }
}
