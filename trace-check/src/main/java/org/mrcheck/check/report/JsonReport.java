package org.mrcheck.check.report;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.mrcheck.check.verdict.BindingResult;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.ContractResult;
import org.mrcheck.check.verdict.EventPlace;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.check.verdict.RefusalReport;
import org.mrcheck.check.verdict.RefusalSummary;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.check.verdict.VerdictCounts;
import org.mrcheck.check.verdict.VerdictExplanation;
import org.mrcheck.lang.diagnostic.Diagnostic;

/**
 * A check's result as JSON, for tools. Field names are stable within {@value #SCHEMA}; fields may
 * be added. Numbers that may exceed 53 bits, such as addresses, only occur inside texts.
 */
public final class JsonReport {
  /** Value of the field {@code schema}. */
  public static final String SCHEMA = "mrcheck-check-1";

  private JsonReport() {}

  /** The result of one input, as one JSON object ended by a line feed. */
  public static String text(CheckResult result, ExitCode exitCode) {
    StringWriter text = new StringWriter();
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    DefaultPrettyPrinter printer = new DefaultPrettyPrinter();
    printer.indentObjectsWith(lines);
    printer.indentArraysWith(lines);
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(printer);
      write(json, result, exitCode);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.append('\n').toString();
  }

  /** Writes the result as one JSON object; for an array of several inputs. */
  public static void write(JsonGenerator json, CheckResult result, ExitCode exitCode)
      throws IOException {
    json.writeStartObject();
    json.writeStringField("schema", SCHEMA);
    json.writeStringField("trace", result.trace());
    json.writeStringField(
        "verdict",
        result.verdict().map(verdict -> verdict.kind().name()).orElse("NOTHING_OBSERVED"));
    json.writeStringField("title", result.verdict().map(Verdict::title).orElse("NOTHING OBSERVED"));
    json.writeNumberField("exitCode", exitCode.code());
    json.writeStringField("specification", result.specification());
    json.writeNumberField("seconds", Math.round(result.seconds() * 1e6) / 1e6);
    input(json, result);
    counts(json, result.counts());
    refusals(json, result.refusals());
    json.writeArrayFieldStart("contracts");
    for (ContractResult contract : result.contracts()) {
      contract(json, contract);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void input(JsonGenerator json, CheckResult result) throws IOException {
    CheckResult.InputSummary input = result.input();
    json.writeObjectFieldStart("input");
    json.writeNumberField("events", input.events());
    json.writeNumberField("extensions", input.extensions());
    json.writeNumberField("gaps", input.gaps());
    json.writeNumberField("missing", input.missing());
    json.writeNumberField("declaredLost", input.declaredLost());
    json.writeNumberField("moved", input.moved());
    json.writeNumberField("warningCount", input.warningCount());
    json.writeArrayFieldStart("warnings");
    for (Diagnostic warning : input.warnings()) {
      json.writeStartObject();
      json.writeStringField("at", warning.span().toString());
      json.writeStringField("message", warning.message());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void counts(JsonGenerator json, VerdictCounts counts) throws IOException {
    json.writeObjectFieldStart("instances");
    json.writeNumberField("decided", counts.decided());
    json.writeNumberField("undecided", counts.undecided());
    json.writeNumberField("idle", counts.idle());
    for (Verdict.Kind kind : Verdict.Kind.values()) {
      json.writeNumberField(kind.name(), counts.of(kind));
    }
    json.writeEndObject();
  }

  private static void refusals(JsonGenerator json, RefusalSummary refusals) throws IOException {
    json.writeObjectFieldStart("remoteAccessErrors");
    json.writeNumberField("total", refusals.total());
    json.writeObjectFieldStart("byCause");
    for (Map.Entry<String, Long> kind : refusals.byKind().entrySet()) {
      json.writeNumberField(kind.getKey(), kind.getValue());
    }
    json.writeEndObject();
    json.writeArrayFieldStart("first");
    for (RefusalReport refusal : refusals.kept()) {
      refusal(json, refusal);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Writes one remote access error as a JSON object. */
  public static void refusal(JsonGenerator json, RefusalReport refusal) throws IOException {
    json.writeStartObject();
    json.writeStringField("kind", "REMOTE_ACCESS_ERROR");
    place(json, "at", Optional.of(refusal.at()));
    json.writeStringField("queuePair", refusal.queuePair());
    json.writeStringField("causeKind", refusal.kind());
    json.writeStringField("cause", refusal.cause());
    json.writeStringField("justice", refusal.justice().name());
    json.writeBooleanField("cutShort", refusal.cutShort());
    strings(json, "message", refusal.message());
    json.writeEndObject();
  }

  private static void contract(JsonGenerator json, ContractResult contract) throws IOException {
    json.writeStartObject();
    json.writeStringField("contract", contract.contract());
    json.writeStringField(
        "verdict",
        contract.verdict().map(verdict -> verdict.kind().name()).orElse("NOTHING_OBSERVED"));
    counts(json, contract.counts());
    json.writeArrayFieldStart("bindings");
    for (BindingResult binding : contract.bindings()) {
      binding(json, binding);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void binding(JsonGenerator json, BindingResult binding) throws IOException {
    json.writeStartObject();
    json.writeStringField("binding", binding.binding());
    json.writeStringField("module", binding.module());
    json.writeStringField("says", binding.says());
    json.writeNumberField("distinctInstances", binding.instances());
    json.writeNumberField("created", binding.created());
    json.writeNumberField("dropped", binding.dropped());
    json.writeNumberField("live", binding.live());
    counts(json, binding.counts());
    json.writeObjectFieldStart("table");
    json.writeNumberField("states", binding.table().states());
    json.writeNumberField("beliefs", binding.table().beliefs());
    json.writeNumberField("steps", binding.table().steps());
    json.writeNumberField("evaluated", binding.table().evaluated());
    json.writeEndObject();
    if (binding.gaveUp().isPresent()) {
      json.writeStringField("gaveUp", binding.gaveUp().get());
    }
    json.writeArrayFieldStart("undecidedBecause");
    for (Map.Entry<Verdict.Inconclusive, Long> reason : binding.reasons().entrySet()) {
      json.writeStartObject();
      json.writeStringField("reason", reason.getKey().reason());
      if (reason.getKey().missing().isPresent()) {
        json.writeStringField("missing", reason.getKey().missing().get().text());
      }
      json.writeNumberField("instances", reason.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("surprisingBecause");
    for (Map.Entry<String, Long> remark : binding.remarks().entrySet()) {
      json.writeStartObject();
      json.writeStringField("remark", remark.getKey());
      json.writeNumberField("instances", remark.getValue());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("details");
    for (InstanceReport report : binding.details()) {
      report(json, report);
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  /** Writes one instance as a JSON object. */
  public static void report(JsonGenerator json, InstanceReport report) throws IOException {
    json.writeStartObject();
    json.writeStringField("binding", report.binding());
    json.writeStringField("contract", report.contract());
    json.writeStringField("instance", report.instance().toString());
    json.writeStringField("verdict", report.verdict().kind().name());
    json.writeStringField("title", report.verdict().title());
    place(json, "at", report.at());
    place(json, "first", report.first());
    place(json, "last", report.last());
    if (report.explanation().isPresent()) {
      json.writeFieldName("explanation");
      explanation(json, report.explanation().get());
    }
    json.writeEndObject();
  }

  private static void place(JsonGenerator json, String name, Optional<EventPlace> place)
      throws IOException {
    if (place.isPresent()) {
      json.writeFieldName(name);
      place(json, place.get());
    }
  }

  private static void place(JsonGenerator json, EventPlace place) throws IOException {
    json.writeStartObject();
    json.writeNumberField("line", place.line());
    json.writeNumberField("seq", place.seq());
    if (place.frame() != 0) {
      json.writeNumberField("frame", place.frame());
    }
    json.writeStringField("actor", place.actor());
    json.writeStringField("event", place.text());
    json.writeEndObject();
  }

  private static void explanation(JsonGenerator json, VerdictExplanation explanation)
      throws IOException {
    json.writeStartObject();
    json.writeFieldName("event");
    place(json, explanation.event());
    json.writeStringField("source", explanation.sourceLine());
    strings(json, "steps", explanation.steps());
    json.writeArrayFieldStart("refusals");
    for (VerdictExplanation.Refusal refusal : explanation.refusals()) {
      json.writeStartObject();
      json.writeStringField("state", refusal.state());
      json.writeStringField("arm", refusal.arm());
      json.writeArrayFieldStart("conjuncts");
      for (VerdictExplanation.FailedConjunct conjunct : refusal.conjuncts()) {
        json.writeStartObject();
        json.writeStringField("text", conjunct.text());
        json.writeStringField("at", conjunct.location());
        json.writeBooleanField("undefined", conjunct.undefined());
        strings(json, "terms", conjunct.terms());
        strings(json, "parts", conjunct.parts());
        json.writeEndObject();
      }
      json.writeEndArray();
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeArrayFieldStart("values");
    for (VerdictExplanation.Comparison comparison : explanation.comparisons()) {
      json.writeStartObject();
      json.writeStringField("name", comparison.name());
      json.writeStringField("value", comparison.value());
      json.writeStringField("meaning", comparison.meaning());
      json.writeStringField("numbers", comparison.numbers());
      json.writeEndObject();
    }
    json.writeEndArray();
    place(json, "cause", explanation.cause());
    json.writeStringField("causeNote", explanation.causeNote());
    json.writeArrayFieldStart("prefix");
    for (VerdictExplanation.PrefixRow row : explanation.prefix()) {
      json.writeStartObject();
      json.writeFieldName("event");
      place(json, row.event());
      json.writeStringField("states", row.belief());
      json.writeBooleanField("explained", row.explained());
      json.writeBooleanField("cause", row.cause());
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeNumberField("omitted", explanation.omitted());
    json.writeStringField("specification", explanation.specification());
    json.writeStringField("hint", explanation.hint());
    strings(json, "notes", explanation.notes());
    json.writeStringField("command", explanation.command());
    json.writeEndObject();
  }

  private static void strings(JsonGenerator json, String name, List<String> texts)
      throws IOException {
    json.writeArrayFieldStart(name);
    for (String text : texts) {
      json.writeString(text);
    }
    json.writeEndArray();
  }
}
