package org.mrcheck.spec.suite;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Property against profile. A cell is
 *
 * <ul>
 *   <li><b>red</b> when some device of the profile breaks the property in some model;
 *   <li><b>green</b> when none does, and in one of the models that judged it a mutant or another
 *       profile does break the property: so the model could have shown it;
 *   <li><b>bounded</b> when none does, but nobody broke the property in those models either: green
 *       would claim more than the bounds allow;
 *   <li><b>not applicable</b> when the manifest declares it so, or no model judges it.
 * </ul>
 *
 * @param profiles the columns
 * @param rows the rows: contracts, then liveness properties
 */
public record Matrix(List<String> profiles, List<Row> rows) {
  /** What a cell says. */
  public enum Colour {
    /** Broken. */
    RED,
    /** Holds, where others break it. */
    GREEN,
    /** Holds as far as was looked. */
    BOUNDED,
    /** Means nothing. */
    NOT_APPLICABLE
  }

  /**
   * One cell.
   *
   * @param colour what it says
   * @param models the models that judged it; for a red cell the one with the shortest
   *     counterexample first
   * @param steps for a red cell the steps of a shortest counterexample, else 0
   * @param finding for a red cell a shortest counterexample, when it comes from a run
   * @param why for a cell that is not applicable, why
   */
  public record Cell(
      Colour colour,
      List<String> models,
      int steps,
      Optional<Finding> finding,
      Optional<String> why) {
    public Cell {
      models = List.copyOf(models);
    }
  }

  /**
   * The cells of one property.
   *
   * @param property a contract or a liveness property
   * @param liveness whether it is a liveness property
   * @param cells by profile
   */
  public record Row(String property, boolean liveness, Map<String, Cell> cells) {
    public Row {
      cells = Collections.unmodifiableMap(new LinkedHashMap<>(cells));
    }
  }

  public Matrix {
    profiles = List.copyOf(profiles);
    rows = List.copyOf(rows);
  }

  /** The cell of a profile and a property. */
  public Optional<Cell> cell(String profile, String property) {
    return rows.stream()
        .filter(row -> row.property().equals(property))
        .map(row -> row.cells().get(profile))
        .filter(cell -> cell != null)
        .findFirst();
  }

  /**
   * The matrix of some runs.
   *
   * @param results runs that explored everything; others are passed over
   * @param profiles the profiles
   * @param notApplicable declared cells
   */
  public static Matrix of(
      List<SuiteRunner.RowResult> results,
      ProfileTable profiles,
      List<SuiteManifest.NotApplicable> notApplicable) {
    List<SuiteRunner.RowResult> explored =
        results.stream().filter(result -> result.findings().explored()).toList();
    List<Row> rows = new ArrayList<>();
    for (boolean liveness : new boolean[] {false, true}) {
      Set<String> properties = new LinkedHashSet<>();
      if (liveness) {
        explored.forEach(result -> result.row().property().ifPresent(properties::add));
      } else {
        TreeSet<String> contracts = new TreeSet<>();
        explored.stream()
            .filter(result -> result.row().property().isEmpty())
            .forEach(result -> contracts.addAll(result.findings().settings().watched()));
        properties.addAll(contracts);
      }
      for (String property : properties) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        for (String profile : profiles.names()) {
          cells.put(profile, cell(property, profile, explored, profiles, notApplicable));
        }
        rows.add(new Row(property, liveness, cells));
      }
    }
    return new Matrix(profiles.names(), rows);
  }

  /** The matrix that the manifest expects; the runs hold the manifest to the truth. */
  public static Matrix expected(SuiteManifest manifest, List<String> profiles) {
    List<Row> rows = new ArrayList<>();
    for (boolean liveness : new boolean[] {false, true}) {
      List<SuiteManifest.Row> judging = liveness ? manifest.liveness() : manifest.models();
      Set<String> properties = liveness ? new LinkedHashSet<>() : new TreeSet<>();
      judging.forEach(row -> properties.addAll(row.expected().watched()));
      for (String property : properties) {
        Map<String, Cell> cells = new LinkedHashMap<>();
        for (String profile : profiles) {
          cells.put(profile, expected(property, profile, judging, manifest.notApplicable()));
        }
        rows.add(new Row(property, liveness, cells));
      }
    }
    return new Matrix(profiles, rows);
  }

  private static Cell expected(
      String property,
      String profile,
      List<SuiteManifest.Row> rows,
      List<SuiteManifest.NotApplicable> notApplicable) {
    Optional<String> declared = declared(property, profile, notApplicable);
    List<String> models = new ArrayList<>();
    int steps = Integer.MAX_VALUE;
    boolean othersBreakIt = false;
    for (SuiteManifest.Row row : rows) {
      if (!row.expected().watched().contains(property)
          || !row.expected().profiles().contains(profile)) {
        continue;
      }
      models.add(row.name());
      Verdicts.Breakers breakers = row.expected().verdicts().red().get(property);
      if (breakers != null) {
        othersBreakIt = true;
        steps = Math.min(steps, breakers.profiles().getOrDefault(profile, steps));
      }
    }
    if (declared.isPresent() || models.isEmpty()) {
      return new Cell(
          Colour.NOT_APPLICABLE,
          List.of(),
          0,
          Optional.empty(),
          declared.or(() -> Optional.of("no model judges it for this profile")));
    }
    boolean red = steps < Integer.MAX_VALUE;
    return new Cell(
        red ? Colour.RED : othersBreakIt ? Colour.GREEN : Colour.BOUNDED,
        models,
        red ? steps : 0,
        Optional.empty(),
        Optional.empty());
  }

  private static Optional<String> declared(
      String property, String profile, List<SuiteManifest.NotApplicable> notApplicable) {
    return notApplicable.stream()
        .filter(each -> each.profile().equals(profile) && each.contract().equals(property))
        .map(SuiteManifest.NotApplicable::why)
        .findFirst();
  }

  private static Cell cell(
      String property,
      String profile,
      List<SuiteRunner.RowResult> results,
      ProfileTable profiles,
      List<SuiteManifest.NotApplicable> notApplicable) {
    Optional<String> declared = declared(property, profile, notApplicable);
    if (declared.isPresent()) {
      return new Cell(Colour.NOT_APPLICABLE, List.of(), 0, Optional.empty(), declared);
    }
    List<String> models = new ArrayList<>();
    Optional<Finding> shortest = Optional.empty();
    boolean othersBreakIt = false;
    for (SuiteRunner.RowResult result : results) {
      ModelFindings findings = result.findings();
      if (!findings.settings().watched().contains(property)
          || !findings.settings().profiles().contains(profile)) {
        continue;
      }
      Optional<Finding> found = findings.shortest(property, profile, profiles);
      if (found.isPresent()
          && (shortest.isEmpty() || found.get().steps() < shortest.get().steps())) {
        shortest = found;
        models.add(0, findings.model());
      } else {
        models.add(findings.model());
      }
      othersBreakIt |= findings.broken().stream().anyMatch(each -> each.name().equals(property));
    }
    if (models.isEmpty()) {
      return new Cell(
          Colour.NOT_APPLICABLE,
          models,
          0,
          Optional.empty(),
          Optional.of("no model judges it for this profile"));
    }
    Colour colour =
        shortest.isPresent() ? Colour.RED : othersBreakIt ? Colour.GREEN : Colour.BOUNDED;
    return new Cell(
        colour, models, shortest.map(Finding::steps).orElse(0), shortest, Optional.empty());
  }
}
