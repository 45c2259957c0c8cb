package org.mrcheck.cli;

import java.util.ArrayList;
import java.util.List;
import org.mrcheck.spec.Counterexample;

/** A counterexample for people: one step a paragraph, and of each state only what changed. */
final class ModelText {
  private ModelText() {}

  /** What the observer remembers; long, and no part of the machine. */
  private static final String LEDGER = "ledger";

  /**
   * The counterexample as lines of at most 80 columns, as far as its words allow.
   *
   * @param whole whether the observer's ledger is shown too
   */
  static List<String> lines(Counterexample counterexample, boolean whole) {
    List<String> lines = new ArrayList<>();
    lines.add(
        "    counterexample of %d steps%s:"
            .formatted(
                counterexample.states().size() - 1,
                counterexample.shortest() ? ", the shortest there is" : ""));
    for (Counterexample.State state : counterexample.states()) {
      lines.add("    %2d. %s".formatted(state.number() - 1, state.action()));
      if (state.number() > 1) {
        state
            .changed()
            .forEach(
                (name, value) -> {
                  if (whole || !name.equals(LEDGER)) {
                    lines.addAll(wrap(name + " = " + value, "          "));
                  }
                });
      }
    }
    counterexample
        .backTo()
        .ifPresent(number -> lines.add("    and back to step " + (number - 1) + ", for ever"));
    if (counterexample.stutters()) {
      lines.add("    and then nothing, for ever");
    }
    return lines;
  }

  /** Breaks a text at blanks so that it fits 80 columns behind an indentation. */
  static List<String> wrap(String text, String indentation) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : text.split("\\s+")) {
      boolean full = indentation.length() + line.length() + 1 + word.length() > Console.WIDTH;
      if (line.length() > 0 && full) {
        lines.add(indentation + line);
        // What goes on is set in further, so that the names at the left stand out.
        line.setLength(0);
        line.append("  ");
      } else if (line.length() > 0) {
        line.append(' ');
      }
      line.append(word);
    }
    if (line.length() > 0) {
      lines.add(indentation + line);
    }
    return lines;
  }
}
