package org.mrcheck.spec.suite;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.mrcheck.spec.ModelProgress;

/**
 * What one run of a focused model found: every contract that some choice breaks.
 *
 * @param model the model's name in the manifest
 * @param settings what the model is about
 * @param broken for each choice and contract that it breaks one finding, in order of depth
 * @param reached for each probe that is reached one finding, in order of depth
 * @param counts states, and depth of the whole state graph
 * @param elapsed wall-clock time
 * @param unfinished why the run tells nothing: an error in the modules, another invariant that is
 *     violated, limits hit; empty when all states within bounds were explored
 * @param kind what kind of failure that is
 */
public record ModelFindings(
    String model,
    ModelSettings settings,
    List<Finding> broken,
    List<Finding> reached,
    ModelProgress counts,
    Duration elapsed,
    Optional<String> unfinished,
    Kind kind) {
  /** How a run ended. */
  public enum Kind {
    /** All states within bounds were explored. */
    EXPLORED,
    /** The modules are wrong. */
    ERROR,
    /** A limit of time or memory was hit. */
    GAVE_UP
  }

  public ModelFindings {
    Objects.requireNonNull(model, "model");
    Objects.requireNonNull(settings, "settings");
    broken = List.copyOf(broken);
    reached = List.copyOf(reached);
    Objects.requireNonNull(counts, "counts");
    Objects.requireNonNull(elapsed, "elapsed");
    Objects.requireNonNull(unfinished, "unfinished");
    Objects.requireNonNull(kind, "kind");
  }

  /** Whether the run explored everything. */
  public boolean explored() {
    return kind == Kind.EXPLORED;
  }

  /**
   * A shortest finding of that contract under a choice of the profile; of several the one whose
   * choice is closest to the strict one, since that tells most about the cause.
   */
  public Optional<Finding> shortest(String contract, String profile, ProfileTable profiles) {
    return broken.stream()
        .filter(each -> each.name().equals(contract) && profiles.belongs(each.choice(), profile))
        .min(
            Comparator.comparingInt(Finding::steps)
                .thenComparing(each -> each.choice().distance(profiles.strict())));
  }

  /** The finding of that contract under that choice. */
  public Optional<Finding> finding(String contract, Choice choice) {
    return broken.stream()
        .filter(each -> each.name().equals(contract) && each.choice().equals(choice))
        .findFirst();
  }

  /** The contracts that a choice breaks. */
  public SortedSet<String> brokenBy(Choice choice) {
    TreeSet<String> names = new TreeSet<>();
    broken.stream()
        .filter(each -> each.choice().equals(choice))
        .forEach(each -> names.add(each.name()));
    return names;
  }
}
