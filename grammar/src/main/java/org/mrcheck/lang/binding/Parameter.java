package org.mrcheck.lang.binding;

import java.util.Locale;
import java.util.Optional;

/** What a trace can be sliced by. */
public enum Parameter {
  /** A host; queue pairs and keys belong to one. */
  HOST,
  /** A memory key, remote or local. */
  KEY,
  /** A registration. */
  MR,
  /** A queue pair with its incarnation. */
  QP,
  /** A packet sequence number. */
  PSN,
  /** A message on a queue pair. */
  MESSAGE,
  /** A work request. */
  WR;

  /** The word in a binding. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The parameter of that word, if there is one. */
  public static Optional<Parameter> of(String text) {
    for (Parameter parameter : values()) {
      if (parameter.text().equals(text)) {
        return Optional.of(parameter);
      }
    }
    return Optional.empty();
  }
}
