package org.mrcheck.check.engine;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.mrcheck.check.ledger.DerivedFunction;
import org.mrcheck.check.ledger.DerivedValue;
import org.mrcheck.check.ledger.Instance;
import org.mrcheck.check.ledger.Ledger;
import org.mrcheck.check.ledger.ParameterValues;
import org.mrcheck.check.verdict.EventPlace;
import org.mrcheck.check.verdict.InstanceReport;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.check.verdict.VerdictExplanation;
import org.mrcheck.check.verdict.VerdictExplanation.Comparison;
import org.mrcheck.check.verdict.VerdictExplanation.FailedConjunct;
import org.mrcheck.check.verdict.VerdictExplanation.PrefixRow;
import org.mrcheck.check.verdict.VerdictExplanation.Refusal;
import org.mrcheck.lang.diagnostic.DiagnosticSink;
import org.mrcheck.lang.diagnostic.SyntaxException;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.text.TraceLine;
import org.mrcheck.spec.Explanation;
import org.mrcheck.spec.SpecValue;

/**
 * Says why an instance got its verdict, by reading the trace again up to the event in question and
 * following only that instance. Costs at most about what the first reading cost. Thread-safe.
 */
public final class TraceExplainer {
  private static final int CHANGES_KEPT = 200;

  private final ContractCatalogue catalogue;

  /** An explainer for verdicts on these contracts. */
  public TraceExplainer(ContractCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** An instance and the event to explain about it. */
  private record Target(
      ContractCatalogue.Entry entry,
      InstanceReport report,
      EventReference at,
      Optional<Instance> facts) {}

  /** The last event that gave a derived value its present value. */
  private record Change(EventReference at, String from, String to) {}

  /**
   * Explains the event of one sequence number for every instance it stepped.
   *
   * @param seq the event's sequence number
   * @return one explained report for each instance, worst first; empty if there is no such event or
   *     no contract looks at it
   */
  public List<InstanceReport> explain(TraceSource source, CheckOptions options, long seq)
      throws IOException, SyntaxException, CatalogueException {
    Map<BindingRun, ContractCatalogue.Entry> entries = new IdentityHashMap<>();
    List<Target> targets = new ArrayList<>();
    Map<ParameterValues, Verdict> verdicts = new HashMap<>();
    TracePass pass = new TracePass(source, Set.of());
    boolean[] passed = new boolean[1];
    pass.read(
        (ledger, reading) -> {
          List<BindingRun> runs = new ArrayList<>();
          for (ContractCatalogue.Entry entry : catalogue.entries()) {
            BindingRun run = catalogue.run(entry, ledger, reading.header(), 0);
            entries.put(run, entry);
            run.watch(Optional.empty(), new Finder(entry, seq, targets));
            runs.add(run);
          }
          return runs;
        },
        (line, ledger) -> {
          boolean goOn = !passed[0];
          passed[0] |= line.event().stamp().seq() == seq;
          return goOn;
        },
        DiagnosticSink.ignoring(),
        CheckProgress.silent());
    List<InstanceReport> explained = explain(source, targets, Set.of(), options);
    return explained.stream()
        .sorted(Comparator.comparing((InstanceReport report) -> report.verdict().kind()).reversed())
        .toList();
  }

  /** Notes the instances that the event of one sequence number steps. */
  private static final class Finder implements BindingRun.Observer {
    private final ContractCatalogue.Entry entry;
    private final long seq;
    private final List<Target> targets;

    Finder(ContractCatalogue.Entry entry, long seq, List<Target> targets) {
      this.entry = entry;
      this.seq = seq;
      this.targets = targets;
    }

    @Override
    public void stepped(ParameterValues instance, BindingRun.Step step) {
      if (step.replayed() || step.at().event().stamp().seq() != seq) {
        return;
      }
      Verdict verdict =
          step.after() == BeliefTable.NOTHING
              ? new Verdict.Violation(entry.binding().contract())
              : entry
                  .table()
                  .remark(step.after())
                  .<Verdict>map(Verdict.Surprising::new)
                  .orElseGet(Verdict.Conformant::new);
      add(instance, step.at(), verdict, step.facts());
    }

    @Override
    public void finished(ParameterValues instance, Verdict verdict, EventReference at) {
      // The verdict of the instance as a whole; here it is the event that counts.
    }

    private void add(
        ParameterValues instance, EventReference at, Verdict verdict, Optional<Instance> facts) {
      EventPlace place = EventTexts.place(at);
      targets.add(
          new Target(
              entry,
              new InstanceReport(
                  entry.binding().name(),
                  entry.binding().contract(),
                  instance,
                  verdict,
                  Optional.of(place),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty()),
              at,
              facts));
    }
  }

  /**
   * Explains the first details that an event decided.
   *
   * @param deciding the event and facts behind a report
   */
  Map<InstanceReport, InstanceReport> explainDetails(
      TraceSource source,
      List<InstanceReport> details,
      Function<InstanceReport, Optional<BindingRun.Deciding>> deciding,
      Set<Long> movedLater,
      CheckOptions options)
      throws IOException, SyntaxException, CatalogueException {
    Map<String, ContractCatalogue.Entry> byBinding = new HashMap<>();
    catalogue.entries().forEach(entry -> byBinding.put(entry.binding().name(), entry));
    List<Target> targets = new ArrayList<>();
    List<InstanceReport> chosen = new ArrayList<>();
    for (InstanceReport report : details) {
      Optional<BindingRun.Deciding> by = deciding.apply(report);
      boolean wanted = options.surprises() || report.verdict().kind() != Verdict.Kind.SURPRISING;
      if (wanted && by.isPresent() && targets.size() < options.explanations()) {
        targets.add(
            new Target(byBinding.get(report.binding()), report, by.get().at(), by.get().facts()));
        chosen.add(report);
      }
    }
    List<InstanceReport> explained = explain(source, targets, movedLater, options);
    Map<InstanceReport, InstanceReport> found = new IdentityHashMap<>();
    for (int index = 0; index < chosen.size(); index++) {
      found.put(chosen.get(index), explained.get(index));
    }
    return found;
  }

  private List<InstanceReport> explain(
      TraceSource source, List<Target> targets, Set<Long> movedLater, CheckOptions options)
      throws IOException, SyntaxException, CatalogueException {
    if (targets.isEmpty()) {
      return List.of();
    }
    long lastLine = targets.stream().mapToLong(target -> target.at().line()).max().orElseThrow();
    List<Follower> followers = new ArrayList<>();
    TracePass pass = new TracePass(source, movedLater);
    pass.read(
        (ledger, reading) -> {
          List<BindingRun> runs = new ArrayList<>();
          for (Target target : targets) {
            ContractCatalogue.Entry entry = target.entry();
            BindingRun run = catalogue.run(entry, ledger, reading.header(), 0);
            Follower follower = new Follower(target, run, ledger, options, source.name());
            run.watch(Optional.of(target.report().instance()), follower);
            followers.add(follower);
            runs.add(run);
          }
          return runs;
        },
        (line, ledger) -> {
          for (Follower follower : followers) {
            follower.before(line);
          }
          return line.line() <= lastLine || followers.stream().anyMatch(Follower::wantsTheRest);
        },
        DiagnosticSink.ignoring(),
        CheckProgress.silent());
    List<InstanceReport> explained = new ArrayList<>();
    for (Follower follower : followers) {
      explained.add(follower.explained(source));
    }
    return explained;
  }

  /** Follows one instance up to the event to explain. */
  private static final class Follower implements BindingRun.Observer {
    private final Target target;
    private final Ledger ledger;
    private final CheckOptions options;
    private final String traceName;
    private final BeliefTable<SpecValue> table;
    private final Deque<BindingRun.Step> recent = new ArrayDeque<>();
    private final Deque<BindingRun.Step> changing = new ArrayDeque<>();
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, Change> valueChanges = new LinkedHashMap<>();
    private final List<DerivedFunction> functions;
    private EventReference previous;
    private long taken;
    private final Optional<MessageNotes> messageNotes;
    private TraceLine targetLine;
    private BindingRun.Step explainedStep;
    private List<Comparison> comparisons = List.of();

    Follower(Target target, BindingRun run, Ledger ledger, CheckOptions options, String traceName) {
      this.target = target;
      this.ledger = ledger;
      this.options = options;
      this.traceName = traceName;
      this.messageNotes = messageNotes(target);
      this.table = target.entry().table();
      this.functions =
          run.step(target.at().event().name()).map(BoundStep::functions).orElse(List.of());
    }

    private static Optional<MessageNotes> messageNotes(Target target) {
      if (target.at().event() instanceof TraceEvent.Nak nak) {
        return target
            .facts()
            .flatMap(Instance::message)
            .map(
                span ->
                    new MessageNotes(target.report().instance(), span, nak, target.at().line()));
      }
      return Optional.empty();
    }

    /** Whether what comes after the event is of interest as well. */
    boolean wantsTheRest() {
      return messageNotes.isPresent();
    }

    void before(TraceLine line) {
      messageNotes.ifPresent(notes -> notes.take(line, ledger));
      if (explainedStep != null) {
        return;
      }
      noteValueChanges();
      previous = new EventReference(line.event(), line.line());
      if (line.line() == target.at().line()) {
        targetLine = line;
      }
    }

    /** What the values of the event to explain would be now; looked at after every event. */
    private void noteValueChanges() {
      for (DerivedFunction function : functions) {
        String now = function.derive(ledger, target.facts(), target.at().event()).toString();
        String before = values.put(function.name(), now);
        if (before != null && !before.equals(now)) {
          valueChanges.put(function.name(), new Change(previous, before, now));
        }
      }
    }

    @Override
    public void stepped(ParameterValues instance, BindingRun.Step step) {
      if (explainedStep != null) {
        return;
      }
      if (step.replayed() && step.before() == table.initial()) {
        // A new instance begins with the whole history of its key.
        recent.clear();
        changing.clear();
        taken = 0;
      }
      taken++;
      recent.addLast(step);
      if (recent.size() > options.prefix()) {
        recent.removeFirst();
      }
      if (step.before() != step.after()) {
        changing.addLast(step);
        if (changing.size() > CHANGES_KEPT) {
          changing.removeFirst();
        }
      }
      if (!step.replayed() && step.at().line() == target.at().line()) {
        explainedStep = step;
        comparisons = comparisons(step.bound(), step.at().event(), step.facts());
      }
    }

    @Override
    public void finished(ParameterValues instance, Verdict verdict, EventReference at) {
      // Nothing to note: the first pass has the verdict.
    }

    private List<Comparison> comparisons(
        BoundStep step, TraceEvent event, Optional<Instance> facts) {
      List<Comparison> found = new ArrayList<>();
      for (DerivedFunction function : step.functions()) {
        DerivedValue value = function.derive(ledger, facts, event);
        found.add(
            new Comparison(
                function.name(),
                value.toString(),
                function.meaning(),
                function.describe(ledger, facts, event).orElse("")));
      }
      return found;
    }

    InstanceReport explained(TraceSource source) throws IOException {
      if (explainedStep == null) {
        return target.report();
      }
      boolean refused = explainedStep.after() == BeliefTable.NOTHING;
      List<StepRecord> records = explainedStep.bound().records(explainedStep.code());
      List<Explanation> raw = new ArrayList<>();
      List<Refusal> refusals = refused ? refusals(records, raw) : List.of();
      Cause cause = refused ? cause(records, raw) : Cause.none("");
      String specification =
          refusals.stream()
              .flatMap(refusal -> refusal.conjuncts().stream())
              .map(FailedConjunct::location)
              .findFirst()
              .orElseGet(() -> armLocation(records));
      VerdictExplanation explanation =
          new VerdictExplanation(
              EventTexts.place(explainedStep.at()),
              targetLine == null ? "" : source.sourceLine(targetLine).orElse(""),
              records.stream().map(StepRecord::toString).toList(),
              refusals,
              comparisons,
              cause.at().map(EventTexts::place),
              cause.note(),
              prefix(cause),
              taken - recent.size(),
              specification,
              Hints.hint(explainedStep.at().event()),
              messageNotes.map(MessageNotes::notes).orElse(List.of()),
              options.command()
                  + " "
                  + traceName
                  + " --event "
                  + explainedStep.at().event().stamp().seq()
                  + " --contract "
                  + target.entry().binding().contract());
      return target.report().explained(explanation);
    }

    private String armLocation(List<StepRecord> records) {
      for (List<SpecValue> belief : table.alternatives(explainedStep.before())) {
        for (SpecValue state : belief) {
          return target.entry().automaton().explain(state, records.get(0)).location().toString();
        }
      }
      return "";
    }

    /** What fails in each state, the state with the fewest failing conjuncts first. */
    private List<Refusal> refusals(List<StepRecord> records, List<Explanation> raw) {
      List<Refusal> found = new ArrayList<>();
      for (List<SpecValue> belief : table.alternatives(explainedStep.before())) {
        for (SpecValue state : belief) {
          for (StepRecord record : records) {
            Explanation explanation = target.entry().automaton().explain(state, record);
            if (!isEmptySet(explanation.result())) {
              continue;
            }
            raw.add(explanation);
            found.add(
                new Refusal(
                    stateText(state),
                    explanation.arm(),
                    explanation.failing().stream().map(Follower::conjunct).toList()));
          }
        }
      }
      found.sort(Comparator.comparingInt(refusal -> refusal.conjuncts().size()));
      raw.sort(Comparator.comparingInt(explanation -> explanation.failing().size()));
      return found;
    }

    private static boolean isEmptySet(SpecValue value) {
      return value instanceof SpecValue.SetOf set && set.isEmpty();
    }

    private static FailedConjunct conjunct(Explanation.Conjunct conjunct) {
      return new FailedConjunct(
          conjunct.text(),
          terms(conjunct),
          conjunct.location().toString(),
          conjunct.truth() == Explanation.Truth.UNDEFINED,
          parts(conjunct));
    }

    /** Both sides with their values; a side that is a value already says nothing. */
    private static List<String> terms(Explanation.Conjunct conjunct) {
      List<String> found = new ArrayList<>();
      for (Explanation.Term term : conjunct.terms()) {
        String value = term.value().map(SpecValue::toString).orElse("undefined");
        if (!value.equals(term.text()) && !term.text().startsWith("{")) {
          found.add(term.text() + " = " + value);
        }
      }
      return found;
    }

    private static List<String> parts(Explanation.Conjunct conjunct) {
      List<String> found = new ArrayList<>();
      for (Explanation.Conjunct part : conjunct.parts()) {
        String truth =
            switch (part.truth()) {
              case TRUE -> "true";
              case FALSE -> "false";
              case UNDEFINED -> "undefined";
            };
        List<String> terms =
            terms(part).stream().filter(term -> !term.startsWith(part.text() + " = ")).toList();
        found.add(
            part.text()
                + " is "
                + truth
                + (terms.isEmpty() ? "" : ": " + String.join(", ", terms)));
        found.addAll(parts(part));
      }
      return found;
    }

    private record Cause(Optional<EventReference> at, String note) {
      static Cause none(String note) {
        return new Cause(Optional.empty(), note);
      }
    }

    /**
     * The last event after which the failing conjunct of the nearest miss had its present value.
     */
    private Cause cause(List<StepRecord> records, List<Explanation> raw) {
      if (raw.isEmpty() || raw.get(0).failing().isEmpty()) {
        return Cause.none("");
      }
      Explanation.Conjunct failing = raw.get(0).failing().get(0);
      Optional<BindingRun.Step> byState = stateChange(failing, records);
      Optional<Map.Entry<String, Change>> byValue = valueChange(failing);
      if (byState.isPresent()
          && (byValue.isEmpty()
              || byState.get().at().line() >= byValue.get().getValue().at().line())) {
        return new Cause(
            Optional.of(byState.get().at()),
            "it took the contract from "
                + states(byState.get().before())
                + " to "
                + states(byState.get().after()));
      }
      if (byValue.isPresent()) {
        Change change = byValue.get().getValue();
        return new Cause(
            Optional.of(change.at()),
            "it made `"
                + byValue.get().getKey()
                + "' of this event "
                + change.to()
                + ", which was "
                + change.from()
                + " before");
      }
      return Cause.none("no earlier event of the trace made it false: it never held");
    }

    private Optional<BindingRun.Step> stateChange(
        Explanation.Conjunct failing, List<StepRecord> records) {
      List<BindingRun.Step> latestFirst = new ArrayList<>(changing);
      Collections.reverse(latestFirst);
      for (BindingRun.Step candidate : latestFirst) {
        if (candidate == explainedStep) {
          continue;
        }
        if (holdsSomewhere(failing, candidate.before(), records)
            && !holdsSomewhere(failing, candidate.after(), records)) {
          return Optional.of(candidate);
        }
      }
      return Optional.empty();
    }

    private boolean holdsSomewhere(
        Explanation.Conjunct wanted, int knowledge, List<StepRecord> records) {
      for (List<SpecValue> belief : table.alternatives(knowledge)) {
        for (SpecValue state : belief) {
          for (StepRecord record : records) {
            for (Explanation.Conjunct conjunct :
                target.entry().automaton().explain(state, record).conjuncts()) {
              if (conjunct.text().equals(wanted.text())
                  && conjunct.location().equals(wanted.location())
                  && conjunct.holds()) {
                return true;
              }
            }
          }
        }
      }
      return false;
    }

    private Optional<Map.Entry<String, Change>> valueChange(Explanation.Conjunct failing) {
      String text = allText(failing);
      return valueChanges.entrySet().stream()
          .filter(
              entry ->
                  Pattern.compile("\\b" + Pattern.quote(entry.getKey()) + "\\b")
                      .matcher(text)
                      .find())
          .max(Comparator.comparingLong(entry -> entry.getValue().at().line()));
    }

    private static String allText(Explanation.Conjunct conjunct) {
      StringBuilder text = new StringBuilder(conjunct.text());
      conjunct.terms().forEach(term -> text.append(' ').append(term.text()));
      conjunct.parts().forEach(part -> text.append(' ').append(allText(part)));
      return text.toString();
    }

    private List<PrefixRow> prefix(Cause cause) {
      List<PrefixRow> rows = new ArrayList<>();
      cause
          .at()
          .filter(at -> recent.stream().noneMatch(step -> step.at().line() == at.line()))
          .ifPresent(at -> rows.add(new PrefixRow(EventTexts.place(at), "", false, true)));
      int shown = -1;
      for (BindingRun.Step step : recent) {
        boolean explained = step == explainedStep;
        String belief = step.after() == shown ? "" : states(step.after());
        shown = step.after();
        rows.add(
            new PrefixRow(
                EventTexts.place(step.at()),
                belief,
                explained,
                cause.at().isPresent() && cause.at().get().line() == step.at().line()));
      }
      rows.sort(Comparator.comparingLong(row -> row.event().line()));
      return rows;
    }

    /** A state; of a record only the fields that differ from the one state of the start. */
    private String stateText(SpecValue state) {
      List<List<SpecValue>> start = table.alternatives(table.initial());
      if (state instanceof SpecValue.Rec fields
          && start.size() == 1
          && start.get(0).size() == 1
          && start.get(0).get(0) instanceof SpecValue.Rec initial) {
        List<String> changed = new ArrayList<>();
        fields
            .fields()
            .forEach(
                (name, value) -> {
                  if (!initial.field(name).equals(Optional.of(value))) {
                    changed.add(name + " " + value);
                  }
                });
        return changed.isEmpty() ? "as at the start" : String.join(", ", changed);
      }
      return state.toString();
    }

    private String states(int knowledge) {
      if (knowledge == BeliefTable.NOTHING) {
        return "not allowed";
      }
      List<String> alternatives = new ArrayList<>();
      for (List<SpecValue> belief : table.alternatives(knowledge)) {
        alternatives.add(String.join(" or ", belief.stream().map(this::stateText).toList()));
      }
      return String.join("; or ", alternatives);
    }
  }
}
