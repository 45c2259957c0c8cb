package org.mrcheck.spec.suite;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.mrcheck.spec.SourceLocation;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.SpecManifest;

/**
 * The manifest of a family of models, {@code manifest.json}, version 2.
 *
 * <pre>{@code
 * {
 *   "version": 2,
 *   "models": [
 *     {
 *       "name": "deregistration",            unique; letters, digits, hyphens
 *       "module": "MCDeregistration",        root module, without .tla
 *       "cfg": "MCDeregistration.cfg",       relative to the library
 *       "shows": "one sentence",
 *       "bounds": "the bounds in words",
 *       "opened": ["DeregPolicy"],           policies that initial states choose
 *       "watched": ["NoAccessAfterReturn"],  contracts
 *       "profiles": ["spec", "strict"],
 *       "choices": 12,                       initial states
 *       "red": {"NoAccessAfterReturn": {     who breaks it, after how many steps
 *         "profiles": {"siw": 9}, "mutants": {"DeregDoesNotDrain": 8}, "choices": 4}},
 *       "reached": {"DrainWaits": 6},        probes, after how many steps
 *       "distinct": 1234, "generated": 5678, "depth": 20,     compared exactly
 *       "seconds": 4.0,                      never compared
 *       "wide": {"cfg": "MCDeregistrationWide.cfg", "bounds": "...", "seconds": 900}   optional
 *     }
 *   ],
 *   "liveness": [
 *     {
 *       "name": "dereg-terminates", "module": "MCLiveDereg", "cfg": "MCLiveDereg.cfg",
 *       "property": "DeregTerminates", "shows": "...", "bounds": "...", "fairness": "...",
 *       "opened": [...], "profiles": [...], "choices": 6,
 *       "red": {"DeregTerminates": {...}}, "distinct": 1, "generated": 1, "depth": 1, "seconds": 1
 *     }
 *   ],
 *   "neutral": [{"policy": "CheckOrder", "values": ["Combined", "DomainFirst"], "why": "..."}],
 *   "notApplicable": [{"profile": "siw", "contract": "UmbrellaStatus", "why": "..."}],
 *   "rows": []                               single runs, see SpecManifest
 * }
 * }</pre>
 *
 * <p>Comments are allowed, other fields are not. A neutral policy is one whose values give the same
 * verdicts in every model that opens it; the runs check that. Without {@code values} all its values
 * are meant.
 *
 * @param models the focused models
 * @param liveness the liveness properties
 * @param neutral policies that are declared to make no difference
 * @param notApplicable cells that mean nothing
 * @param rows single runs
 */
public record SuiteManifest(
    List<Row> models,
    List<Row> liveness,
    List<Neutral> neutral,
    List<NotApplicable> notApplicable,
    SpecManifest rows) {
  private static final int VERSION = 2;
  private static final DefaultPrettyPrinter PRETTY =
      new DefaultPrettyPrinter(
              Separators.createDefaultInstance()
                  .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
          .withObjectIndenter(new DefaultIndenter("  ", "\n"));

  /** The expectation of a model that was never run. */
  public static final Expected NOTHING =
      new Expected(
          new TreeSet<>(),
          new TreeSet<>(),
          new TreeSet<>(),
          0,
          new Verdicts(new TreeMap<>(), new TreeMap<>()),
          0,
          0,
          0,
          0);

  public SuiteManifest {
    models = List.copyOf(models);
    liveness = List.copyOf(liveness);
    neutral = List.copyOf(neutral);
    notApplicable = List.copyOf(notApplicable);
    Objects.requireNonNull(rows, "rows");
  }

  /**
   * What a model is about and the state counts it had.
   *
   * @param opened the policies that initial states choose
   * @param watched the contracts
   * @param profiles the profiles
   * @param choices initial states
   * @param verdicts who breaks what
   * @param distinct distinct states
   * @param generated generated states
   * @param depth depth of the state graph
   * @param seconds what it took once; 0 when not known
   */
  public record Expected(
      SortedSet<String> opened,
      SortedSet<String> watched,
      SortedSet<String> profiles,
      int choices,
      Verdicts verdicts,
      long distinct,
      long generated,
      int depth,
      double seconds) {
    public Expected {
      opened = Collections.unmodifiableSortedSet(new TreeSet<>(opened));
      watched = Collections.unmodifiableSortedSet(new TreeSet<>(watched));
      profiles = Collections.unmodifiableSortedSet(new TreeSet<>(profiles));
      Objects.requireNonNull(verdicts, "verdicts");
    }

    /** What a run of a model showed. */
    static Expected of(ModelFindings found, ProfileTable profiles) {
      ModelSettings about = found.settings();
      return new Expected(
          about.opened(),
          about.watched(),
          about.profiles(),
          about.ran().size(),
          Verdicts.of(found, profiles),
          found.counts().distinct(),
          found.counts().generated(),
          found.counts().depth(),
          seconds(found.elapsed()));
    }

    private static double seconds(java.time.Duration elapsed) {
      return Math.round(elapsed.toMillis() / 100.0) / 10.0;
    }

    /**
     * What differs, a line each.
     *
     * @param exactly whether numbers of states are compared too
     * @param steps whether numbers of steps are compared too; how long a behaviour is that TLC
     *     shows against a liveness property depends on when it looks
     */
    List<String> differences(Expected got, boolean exactly, boolean steps) {
      List<String> lines = settingsThatDiffer(got);
      lines.addAll(verdicts.differences(got.verdicts, steps));
      if (exactly) {
        same("choices", choices, got.choices, lines);
        same("distinct states", distinct, got.distinct, lines);
        same("generated states", generated, got.generated, lines);
        same("depth", depth, got.depth, lines);
      }
      return lines;
    }

    /** What differs at wider bounds, a line each: {@link Verdicts#differencesAtWiderBounds}. */
    List<String> differencesAtWiderBounds(Expected got) {
      List<String> lines = settingsThatDiffer(got);
      lines.addAll(verdicts.differencesAtWiderBounds(got.verdicts));
      return lines;
    }

    private List<String> settingsThatDiffer(Expected got) {
      List<String> lines = new ArrayList<>();
      same("opened policies", opened, got.opened, lines);
      same("contracts", watched, got.watched, lines);
      same("profiles", profiles, got.profiles, lines);
      return lines;
    }

    private static void same(String what, Object expected, Object got, List<String> lines) {
      if (!expected.equals(got)) {
        lines.add("%s: %s, expected %s".formatted(what, got, expected));
      }
    }
  }

  /**
   * A focused model, or a liveness property of one.
   *
   * @param name unique in the manifest
   * @param module root module
   * @param config configuration file, relative to the library
   * @param property the temporal property, a definition of the module; empty when the model watches
   *     safety contracts
   * @param shows one sentence for a person
   * @param bounds the bounds in words
   * @param fairness for a liveness property what is assumed to happen at last, in words; else empty
   * @param expected what a run shows
   * @param wide the same model at wider bounds
   */
  public record Row(
      String name,
      String module,
      String config,
      Optional<String> property,
      String shows,
      String bounds,
      String fairness,
      Expected expected,
      Optional<Wide> wide) {
    /** This row with other expectations. */
    public Row expecting(Expected other) {
      return new Row(name, module, config, property, shows, bounds, fairness, other, wide);
    }

    /** This row, saying its wide bounds if it has them. */
    public Row widened() {
      return wide.isEmpty()
          ? this
          : new Row(
              name,
              module,
              wide.get().config(),
              property,
              shows,
              wide.get().bounds(),
              fairness,
              expected,
              wide);
    }
  }

  /**
   * A model at wider bounds; its verdicts must include those of the narrow one, and no profile may
   * break more.
   *
   * @param config configuration file
   * @param bounds the bounds in words
   * @param seconds what it took once; 0 when not known
   */
  public record Wide(String config, String bounds, double seconds) {}

  /**
   * Values of a policy between which no verdict of any model differs.
   *
   * @param policy the policy
   * @param values the values; empty for all
   * @param why why that is so
   */
  public record Neutral(String policy, SortedSet<String> values, String why) {}

  /**
   * A cell that means nothing.
   *
   * @param profile the profile
   * @param contract the contract
   * @param why why
   */
  public record NotApplicable(String profile, String contract, String why) {}

  /**
   * Reads the manifest of a library.
   *
   * @throws SpecException when there is none or it is malformed
   */
  public static SuiteManifest read(SpecLibrary library) {
    return parse(
        library
            .text(SpecManifest.FILE)
            .orElseThrow(
                () ->
                    new SpecException(
                        SpecException.Kind.MISSING_FILE,
                        SourceLocation.of(SpecManifest.FILE),
                        "no such file in " + library.description())));
  }

  /**
   * Reads a manifest from its text.
   *
   * @throws SpecException when it is malformed
   */
  public static SuiteManifest parse(String text) {
    JsonNode root;
    try {
      root = mapper().readTree(text);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw new SpecException(
          SpecException.Kind.MALFORMED,
          at == null
              ? SourceLocation.of(SpecManifest.FILE)
              : SourceLocation.of(SpecManifest.FILE, at.getLineNr(), at.getColumnNr()),
          e.getOriginalMessage());
    }
    if (root.path("version").asInt() != VERSION) {
      throw malformed("must have \"version\": " + VERSION);
    }
    only(root, "the manifest", "version", "models", "liveness", "neutral", "notApplicable", "rows");
    Set<String> names = new HashSet<>();
    List<Row> models = new ArrayList<>();
    for (JsonNode node : root.path("models")) {
      models.add(model(node, who(node, names)));
    }
    List<Row> liveness = new ArrayList<>();
    for (JsonNode node : root.path("liveness")) {
      liveness.add(livenessRow(node, who(node, names)));
    }
    List<Neutral> neutral = new ArrayList<>();
    for (JsonNode node : root.path("neutral")) {
      only(node, "a neutral policy", "policy", "values", "why");
      neutral.add(
          new Neutral(
              text(node, "policy", "a neutral policy"),
              texts(node.path("values")),
              text(node, "why", "a neutral policy")));
    }
    List<NotApplicable> notApplicable = new ArrayList<>();
    for (JsonNode node : root.path("notApplicable")) {
      String who = "a cell that is not applicable";
      only(node, who, "profile", "contract", "why");
      notApplicable.add(
          new NotApplicable(
              text(node, "profile", who), text(node, "contract", who), text(node, "why", who)));
    }
    SpecManifest rows = SpecManifest.parseRows(root.path("rows"));
    rows.rows().stream()
        .filter(row -> !names.add(row.name()))
        .findFirst()
        .ifPresent(
            row -> {
              throw malformed("two rows are named " + row.name());
            });
    return new SuiteManifest(models, liveness, neutral, notApplicable, rows);
  }

  private static String who(JsonNode node, Set<String> names) {
    String name = node.path("name").asText();
    if (!name.matches("[A-Za-z0-9-]+")) {
      throw malformed("row \"" + name + "\": \"name\" must be letters, digits and hyphens");
    }
    if (!names.add(name)) {
      throw malformed("two rows are named " + name);
    }
    return "row " + name;
  }

  private static Row model(JsonNode node, String who) {
    only(
        node,
        who,
        "name",
        "module",
        "cfg",
        "shows",
        "bounds",
        "opened",
        "watched",
        "profiles",
        "choices",
        "red",
        "reached",
        "distinct",
        "generated",
        "depth",
        "seconds",
        "wide");
    Optional<Wide> wide = Optional.empty();
    if (node.has("wide")) {
      JsonNode wider = node.path("wide");
      only(wider, who + ", wide", "cfg", "bounds", "seconds");
      wide =
          Optional.of(
              new Wide(
                  text(wider, "cfg", who + ", wide"),
                  text(wider, "bounds", who + ", wide"),
                  wider.path("seconds").asDouble(0)));
    }
    return new Row(
        text(node, "name", who),
        text(node, "module", who),
        text(node, "cfg", who),
        Optional.empty(),
        text(node, "shows", who),
        text(node, "bounds", who),
        "",
        expected(node, texts(node.path("watched")), who),
        wide);
  }

  private static Row livenessRow(JsonNode node, String who) {
    only(
        node,
        who,
        "name",
        "module",
        "cfg",
        "property",
        "shows",
        "bounds",
        "fairness",
        "opened",
        "profiles",
        "choices",
        "red",
        "distinct",
        "generated",
        "depth",
        "seconds");
    String property = text(node, "property", who);
    return new Row(
        text(node, "name", who),
        text(node, "module", who),
        text(node, "cfg", who),
        Optional.of(property),
        text(node, "shows", who),
        text(node, "bounds", who),
        text(node, "fairness", who),
        expected(node, new TreeSet<>(List.of(property)), who),
        Optional.empty());
  }

  private static Expected expected(JsonNode node, SortedSet<String> watched, String who) {
    SortedMap<String, Verdicts.Breakers> red = new TreeMap<>();
    for (Iterator<Map.Entry<String, JsonNode>> fields = node.path("red").fields();
        fields.hasNext(); ) {
      Map.Entry<String, JsonNode> field = fields.next();
      only(field.getValue(), who + ", " + field.getKey(), "profiles", "mutants", "choices");
      red.put(
          field.getKey(),
          new Verdicts.Breakers(
              numbers(field.getValue().path("profiles")),
              numbers(field.getValue().path("mutants")),
              field.getValue().path("choices").asInt()));
    }
    return new Expected(
        texts(node.path("opened")),
        watched,
        texts(node.path("profiles")),
        (int) count(node, "choices", who),
        new Verdicts(red, numbers(node.path("reached"))),
        count(node, "distinct", who),
        count(node, "generated", who),
        node.path("depth").asInt(0),
        node.path("seconds").asDouble(0));
  }

  private static SortedSet<String> texts(JsonNode array) {
    TreeSet<String> texts = new TreeSet<>();
    array.forEach(element -> texts.add(element.asText()));
    return Collections.unmodifiableSortedSet(texts);
  }

  private static SortedMap<String, Integer> numbers(JsonNode object) {
    TreeMap<String, Integer> numbers = new TreeMap<>();
    object
        .fields()
        .forEachRemaining(field -> numbers.put(field.getKey(), field.getValue().asInt()));
    return numbers;
  }

  private static void only(JsonNode node, String who, String... known) {
    for (Iterator<String> fields = node.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!Set.of(known).contains(field)) {
        throw malformed(who + ": unknown field \"" + field + "\"");
      }
    }
  }

  private static String text(JsonNode node, String field, String who) {
    JsonNode value = node.path(field);
    if (!value.isTextual() || value.asText().isBlank()) {
      throw malformed(who + ": \"" + field + "\" must be a text");
    }
    return value.asText();
  }

  private static long count(JsonNode node, String field, String who) {
    JsonNode value = node.path(field);
    if (!value.isIntegralNumber() || value.asLong() < 0) {
      throw malformed(who + ": \"" + field + "\" must be a whole number");
    }
    return value.asLong();
  }

  private static SpecException malformed(String message) {
    return new SpecException(
        SpecException.Kind.MALFORMED, SourceLocation.of(SpecManifest.FILE), message);
  }

  private static ObjectMapper mapper() {
    return JsonMapper.builder()
        .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
        .enable(JsonParser.Feature.ALLOW_COMMENTS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build();
  }

  /** This manifest with what runs showed in place of what was expected. */
  public SuiteManifest updated(List<SuiteRunner.RowResult> results, ProfileTable profiles) {
    Map<String, Expected> measured = new TreeMap<>();
    for (SuiteRunner.RowResult result : results) {
      if (result.findings().explored() && !result.wide()) {
        measured.put(result.row().name(), Expected.of(result.findings(), profiles));
      }
    }
    return new SuiteManifest(
        measured(models, measured), measured(liveness, measured), neutral, notApplicable, rows);
  }

  private static List<Row> measured(List<Row> rows, Map<String, Expected> measured) {
    return rows.stream()
        .map(row -> row.expecting(measured.getOrDefault(row.name(), row.expected())))
        .toList();
  }

  /** The focused models, then the liveness properties. */
  public List<Row> all() {
    List<Row> all = new ArrayList<>(models);
    all.addAll(liveness);
    return all;
  }

  /** The text of the file. */
  public String toJson() {
    ObjectNode root = mapper().createObjectNode();
    root.put("version", VERSION);
    ArrayNode list = root.putArray("models");
    for (Row row : models) {
      ObjectNode node = list.addObject();
      node.put("name", row.name()).put("module", row.module()).put("cfg", row.config());
      node.put("shows", row.shows()).put("bounds", row.bounds());
      write(row.expected(), node, true);
      row.wide()
          .ifPresent(
              wide ->
                  node.putObject("wide")
                      .put("cfg", wide.config())
                      .put("bounds", wide.bounds())
                      .put("seconds", wide.seconds()));
    }
    ArrayNode properties = root.putArray("liveness");
    for (Row row : liveness) {
      ObjectNode node = properties.addObject();
      node.put("name", row.name()).put("module", row.module()).put("cfg", row.config());
      row.property().ifPresent(property -> node.put("property", property));
      node.put("shows", row.shows()).put("bounds", row.bounds());
      node.put("fairness", row.fairness());
      write(row.expected(), node, false);
    }
    ArrayNode neutrals = root.putArray("neutral");
    for (Neutral each : neutral) {
      ObjectNode node = neutrals.addObject();
      node.put("policy", each.policy());
      if (!each.values().isEmpty()) {
        each.values().forEach(node.putArray("values")::add);
      }
      node.put("why", each.why());
    }
    ArrayNode cells = root.putArray("notApplicable");
    notApplicable.forEach(
        each ->
            cells
                .addObject()
                .put("profile", each.profile())
                .put("contract", each.contract())
                .put("why", each.why()));
    root.set("rows", rows.rowsAsJson());
    try {
      return mapper().writer(PRETTY).writeValueAsString(root) + "\n";
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  private static void write(Expected expected, ObjectNode node, boolean safety) {
    expected.opened().forEach(node.putArray("opened")::add);
    if (safety) {
      expected.watched().forEach(node.putArray("watched")::add);
    }
    expected.profiles().forEach(node.putArray("profiles")::add);
    node.put("choices", expected.choices());
    ObjectNode red = node.putObject("red");
    expected
        .verdicts()
        .red()
        .forEach(
            (contract, breakers) -> {
              ObjectNode one = red.putObject(contract);
              ObjectNode profiles = one.putObject("profiles");
              breakers.profiles().forEach(profiles::put);
              ObjectNode mutants = one.putObject("mutants");
              breakers.mutants().forEach(mutants::put);
              one.put("choices", breakers.choices());
            });
    if (safety) {
      ObjectNode reached = node.putObject("reached");
      expected.verdicts().reached().forEach(reached::put);
    }
    node.put("distinct", expected.distinct()).put("generated", expected.generated());
    node.put("depth", expected.depth());
    node.put("seconds", expected.seconds());
  }
}
