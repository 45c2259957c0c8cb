package org.mrcheck.spec.suite;

import java.util.Collections;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecValue;

/**
 * What a focused model is about, as its operator {@code Settings} tells.
 *
 * @param opened the policies that initial states choose
 * @param watched the contracts that are watched
 * @param probes the situations that must be reached
 * @param profiles the profiles whose values are chosen
 * @param defects the defects that are tried, one at a time, with strict policies
 * @param ran every choice that an initial state makes
 */
public record ModelSettings(
    SortedSet<String> opened,
    SortedSet<String> watched,
    SortedSet<String> probes,
    SortedSet<String> profiles,
    SortedSet<String> defects,
    SortedSet<Choice> ran) {
  /** The operator of the model that gives them. */
  static final String OPERATOR = "Settings";

  /** Of a model that could not tell. */
  static final ModelSettings UNKNOWN =
      new ModelSettings(
          new TreeSet<>(),
          new TreeSet<>(),
          new TreeSet<>(),
          new TreeSet<>(),
          new TreeSet<>(),
          new TreeSet<>());

  public ModelSettings {
    opened = copy(opened);
    watched = copy(watched);
    probes = copy(probes);
    profiles = copy(profiles);
    defects = copy(defects);
    ran = copy(ran);
  }

  /** These settings for a model that judges one liveness property. */
  ModelSettings watching(String property) {
    return new ModelSettings(
        opened, new TreeSet<>(Set.of(property)), new TreeSet<>(), profiles, defects, ran);
  }

  private static <T> SortedSet<T> copy(SortedSet<T> set) {
    return Collections.unmodifiableSortedSet(new TreeSet<>(set));
  }

  /**
   * Reads the record.
   *
   * @throws SpecException when it has another shape
   */
  static ModelSettings of(SpecValue value) {
    SortedSet<String> opened = Records.texts(Records.field(value, "opened"));
    TreeSet<Choice> ran = new TreeSet<>();
    if (!(Records.field(value, "ran") instanceof SpecValue.SetOf choices)) {
      throw Records.unexpected("a set of choices", value);
    }
    choices.elements().forEach(choice -> ran.add(Choice.of(choice, opened)));
    return new ModelSettings(
        opened,
        Records.texts(Records.field(value, "watched")),
        Records.texts(Records.field(value, "probes")),
        Records.texts(Records.field(value, "profiles")),
        Records.texts(Records.field(value, "defects")),
        ran);
  }
}
