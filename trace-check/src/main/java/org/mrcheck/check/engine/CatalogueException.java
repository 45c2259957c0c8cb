package org.mrcheck.check.engine;

import java.util.List;
import java.util.Optional;
import org.mrcheck.lang.binding.Binding;
import org.mrcheck.lang.binding.BoundEvent;
import org.mrcheck.lang.diagnostic.Suggestion;

/**
 * The contracts cannot be loaded; the message says which file and why, for the contract's author.
 */
public final class CatalogueException extends Exception {
  private static final long serialVersionUID = 1L;

  CatalogueException(String message) {
    super(message);
  }

  CatalogueException(String message, Throwable cause) {
    super(message, cause);
  }

  static CatalogueException unknownDerivedValue(
      Binding binding, BoundEvent event, String name, List<String> names) {
    Optional<String> near = Suggestion.nearest(name, names);
    return new CatalogueException(
        event.span()
            + ": there is no derived value \""
            + name
            + "\""
            + near.map(word -> "; did you mean \"" + word + "\"?").orElse("")
            + "\n  binding "
            + binding.name()
            + ", event "
            + event.name().text()
            + "; the derived values are "
            + String.join(", ", names));
  }
}
