package org.mrcheck.spec;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What single runs of a library are expected to show: the {@code rows} of {@code manifest.json}.
 * Version 2 of the file has more; see {@link org.mrcheck.spec.suite.SuiteManifest}.
 *
 * <pre>{@code
 * {
 *   "version": 1,
 *   "rows": [
 *     {
 *       "name": "deregistration-strict",     unique; letters, digits, hyphens
 *       "module": "MCDeregistration",        root module, without .tla
 *       "cfg": "MCDeregistration.cfg",       relative to the library
 *       "shows": "one sentence",
 *       "expect": "holds",                   holds, invariant, property, deadlock, assumption, error
 *       "violated": "Accepted",              only with invariant or property
 *       "deadlock": true,                    optional, default true: check for deadlock
 *       "workers": 1,                        optional, default 1
 *       "distinct": 1234,                    optional, compared exactly
 *       "generated": 5678,                   optional, compared exactly
 *       "depth": 12,                         optional, compared exactly; of a counterexample: states
 *       "seconds": 4.0                       optional, never compared: what it took when written
 *     }
 *   ]
 * }
 * }</pre>
 *
 * <p>Comments are allowed, other fields are not.
 *
 * @param rows the rows in the order of the file
 */
public record SpecManifest(List<Row> rows) {
  /** The file's name in a library. */
  public static final String FILE = "manifest.json";

  private static final int VERSION = 2;
  private static final Set<String> FIELDS =
      Set.of(
          "name",
          "module",
          "cfg",
          "shows",
          "expect",
          "violated",
          "deadlock",
          "workers",
          "distinct",
          "generated",
          "depth",
          "seconds");
  private static final Map<String, ModelResult.Outcome> OUTCOMES =
      Map.of(
          "holds", ModelResult.Outcome.HOLDS,
          "invariant", ModelResult.Outcome.INVARIANT_VIOLATED,
          "property", ModelResult.Outcome.PROPERTY_VIOLATED,
          "deadlock", ModelResult.Outcome.DEADLOCK,
          "assumption", ModelResult.Outcome.ASSUMPTION_FALSE,
          "error", ModelResult.Outcome.SPEC_ERROR);

  public SpecManifest {
    rows = List.copyOf(rows);
  }

  /**
   * One model and what it is expected to show.
   *
   * @param name unique in the manifest
   * @param module root module
   * @param config configuration file, relative to the library
   * @param shows one sentence for a person
   * @param expected the verdict
   * @param violated the violated invariant or property, when that is the verdict
   * @param checkDeadlock whether a state without successor is an error
   * @param workers threads that search
   * @param distinct distinct states, when they are to be compared
   * @param generated generated states, when they are to be compared
   * @param depth depth of the state graph or length of the counterexample, when to be compared
   * @param seconds what it took once; 0 when not known
   */
  public record Row(
      String name,
      String module,
      String config,
      String shows,
      ModelResult.Outcome expected,
      Optional<String> violated,
      boolean checkDeadlock,
      int workers,
      OptionalLong distinct,
      OptionalLong generated,
      OptionalInt depth,
      double seconds) {
    public Row {
      Objects.requireNonNull(name, "name");
      Objects.requireNonNull(module, "module");
      Objects.requireNonNull(config, "config");
      Objects.requireNonNull(shows, "shows");
      Objects.requireNonNull(expected, "expected");
      Objects.requireNonNull(violated, "violated");
    }

    /** This row with the counts and time that a run of it had. */
    public Row measured(ModelResult result) {
      return new Row(
          name,
          module,
          config,
          shows,
          expected,
          violated,
          checkDeadlock,
          workers,
          OptionalLong.of(result.counts().distinct()),
          OptionalLong.of(result.counts().generated()),
          OptionalInt.of(result.counts().depth()),
          Math.round(result.elapsed().toMillis() / 100.0) / 10.0);
    }
  }

  /**
   * Reads the manifest of a library.
   *
   * @throws SpecException when there is none or it is malformed
   */
  public static SpecManifest read(SpecLibrary library) {
    String text =
        library
            .text(FILE)
            .orElseThrow(
                () ->
                    new SpecException(
                        SpecException.Kind.MISSING_FILE,
                        SourceLocation.of(FILE),
                        "no such file in " + library.description()));
    return parse(text);
  }

  /**
   * Reads a manifest from its text.
   *
   * @throws SpecException when it is malformed
   */
  public static SpecManifest parse(String text) {
    JsonNode root;
    try {
      root = mapper().readTree(text);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      throw new SpecException(
          SpecException.Kind.MALFORMED,
          at == null
              ? SourceLocation.of(FILE)
              : SourceLocation.of(FILE, at.getLineNr(), at.getColumnNr()),
          e.getOriginalMessage());
    }
    int version = root.path("version").asInt();
    if (version < 1 || version > VERSION || !root.path("rows").isArray()) {
      throw malformed("must have \"version\" 1 or " + VERSION + " and an array \"rows\"");
    }
    return parseRows(root.path("rows"));
  }

  /**
   * Reads rows.
   *
   * @param array the rows
   * @throws SpecException when they are malformed
   */
  public static SpecManifest parseRows(JsonNode array) {
    List<Row> rows = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (JsonNode node : array) {
      Row row = row(node, rows.size() + 1);
      if (!names.add(row.name())) {
        throw malformed("two rows are named " + row.name());
      }
      rows.add(row);
    }
    return new SpecManifest(rows);
  }

  /** The row of that name. */
  public Optional<Row> row(String name) {
    return rows.stream().filter(row -> row.name().equals(name)).findFirst();
  }

  /** The text of the file, one row a line of fields. */
  public String toJson() {
    ObjectNode root = mapper().createObjectNode();
    root.put("version", 1);
    root.set("rows", rowsAsJson());
    return root.toPrettyString() + "\n";
  }

  /** The rows as they stand in the file. */
  public ArrayNode rowsAsJson() {
    ArrayNode list = mapper().createArrayNode();
    for (Row row : rows) {
      ObjectNode node = list.addObject();
      node.put("name", row.name());
      node.put("module", row.module());
      node.put("cfg", row.config());
      node.put("shows", row.shows());
      OUTCOMES.forEach(
          (word, outcome) -> {
            if (outcome == row.expected()) {
              node.put("expect", word);
            }
          });
      row.violated().ifPresent(violated -> node.put("violated", violated));
      if (!row.checkDeadlock()) {
        node.put("deadlock", false);
      }
      if (row.workers() != 1) {
        node.put("workers", row.workers());
      }
      row.distinct().ifPresent(count -> node.put("distinct", count));
      row.generated().ifPresent(count -> node.put("generated", count));
      row.depth().ifPresent(count -> node.put("depth", count));
      if (row.seconds() > 0) {
        node.put("seconds", row.seconds());
      }
    }
    return list;
  }

  private static ObjectMapper mapper() {
    return JsonMapper.builder()
        .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
        .enable(JsonParser.Feature.ALLOW_COMMENTS)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .build();
  }

  private static Row row(JsonNode node, int number) {
    String name = node.path("name").asText();
    String who = "row " + (name.isEmpty() ? "number " + number : name) + ": ";
    if (!name.matches("[A-Za-z0-9-]+")) {
      throw malformed(who + "\"name\" must be letters, digits and hyphens");
    }
    for (Iterator<String> fields = node.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!FIELDS.contains(field)) {
        throw malformed(who + "unknown field \"" + field + "\"");
      }
    }
    String expect = text(node, "expect", who);
    ModelResult.Outcome outcome = OUTCOMES.get(expect);
    if (outcome == null) {
      throw malformed(
          who
              + "\"expect\" must be one of holds, invariant, property, deadlock, assumption, error;"
              + " got \""
              + expect
              + "\"");
    }
    boolean names =
        outcome == ModelResult.Outcome.INVARIANT_VIOLATED
            || outcome == ModelResult.Outcome.PROPERTY_VIOLATED;
    if (node.hasNonNull("violated") && !names) {
      throw malformed(who + "\"violated\" goes only with invariant and property");
    }
    if (outcome == ModelResult.Outcome.INVARIANT_VIOLATED && !node.hasNonNull("violated")) {
      throw malformed(who + "\"violated\" must name the invariant");
    }
    int workers = node.hasNonNull("workers") ? (int) count(node, "workers", who) : 1;
    if (workers < 1 || workers > 1 && outcome != ModelResult.Outcome.HOLDS) {
      throw malformed(who + "only rows that hold may have several workers");
    }
    return new Row(
        name,
        text(node, "module", who),
        text(node, "cfg", who),
        text(node, "shows", who),
        outcome,
        node.hasNonNull("violated") ? Optional.of(text(node, "violated", who)) : Optional.empty(),
        node.path("deadlock").asBoolean(true),
        workers,
        node.hasNonNull("distinct")
            ? OptionalLong.of(count(node, "distinct", who))
            : OptionalLong.empty(),
        node.hasNonNull("generated")
            ? OptionalLong.of(count(node, "generated", who))
            : OptionalLong.empty(),
        node.hasNonNull("depth")
            ? OptionalInt.of((int) count(node, "depth", who))
            : OptionalInt.empty(),
        node.path("seconds").asDouble(0));
  }

  private static String text(JsonNode node, String field, String who) {
    JsonNode value = node.path(field);
    if (!value.isTextual() || value.asText().isBlank()) {
      throw malformed(who + "\"" + field + "\" must be a text");
    }
    return value.asText();
  }

  private static long count(JsonNode node, String field, String who) {
    JsonNode value = node.path(field);
    if (!value.isIntegralNumber() || value.asLong() < 0) {
      throw malformed(who + "\"" + field + "\" must be a whole number");
    }
    return value.asLong();
  }

  private static SpecException malformed(String message) {
    return new SpecException(SpecException.Kind.MALFORMED, SourceLocation.of(FILE), message);
  }
}
