package org.mrcheck.spec;

import java.util.Objects;
import java.util.Optional;

/**
 * Something is wrong with a TLA+ module, a value given to it, or the TLC jar. The message is one
 * for the module's author: {@code file:line:column: what}, and holds no Java or TLC class name.
 */
public final class SpecException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** What kind of thing is wrong. */
  public enum Kind {
    /** A module or configuration file that was asked for or is imported does not exist. */
    MISSING_FILE,
    /** A module or configuration file does not parse, or names something undefined. */
    MALFORMED,
    /** The module has no such operator, or it takes another number of arguments. */
    NO_SUCH_OPERATOR,
    /** An operator could not be evaluated on the given values. */
    EVALUATION,
    /** An operator's value is not of the expected kind, or is infinite. */
    UNEXPECTED_VALUE,
    /** The TLC jar is missing, damaged or of a release that does not fit. */
    TOOLS
  }

  private final Kind kind;
  private final transient SourceLocation location;

  /**
   * Creates an exception.
   *
   * @param kind what kind of thing is wrong
   * @param location where in the spec, or null
   * @param message what is wrong, without the location
   */
  public SpecException(Kind kind, SourceLocation location, String message) {
    this(kind, location, message, null);
  }

  /** As the other constructor, with the exception that was met. */
  public SpecException(Kind kind, SourceLocation location, String message, Throwable cause) {
    super(location == null ? message : location + ": " + message, cause);
    this.kind = Objects.requireNonNull(kind, "kind");
    this.location = location;
  }

  /** What kind of thing is wrong. */
  public Kind kind() {
    return kind;
  }

  /** Where in the spec, if known. */
  public Optional<SourceLocation> location() {
    return Optional.ofNullable(location);
  }
}
