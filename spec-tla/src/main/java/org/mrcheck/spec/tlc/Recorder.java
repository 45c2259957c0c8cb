package org.mrcheck.spec.tlc;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mrcheck.spec.ModelProgress;
import org.mrcheck.spec.ModelResult.ActionCoverage;
import org.mrcheck.spec.ModelResult.Outcome;
import org.mrcheck.spec.SourceLocation;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecValue;
import org.mrcheck.spec.spi.CheckerMessage;
import tlc2.TLCGlobals;
import tlc2.output.EC;
import tlc2.output.MP;
import tlc2.output.MPRecorder;
import tlc2.tool.AbstractChecker;
import tlc2.tool.EvalException;
import tlc2.tool.ITool;
import tlc2.tool.ModelChecker;
import tlc2.tool.TLCState;
import tlc2.tool.TLCStateInfo;
import tlc2.tool.impl.CallStackTool;
import tlc2.value.IValue;
import util.Assert.TLCRuntimeException;
import util.ToolIO;
import util.UniqueString;

/**
 * Hears every message that TLC reports, by its code and with its objects, and makes the verdict of
 * them. What TLC says at the end in prose, and its exit status, can be wrong and are not looked at.
 *
 * <p>TLC also "reports" messages of exceptions that it goes on to swallow, so an error counts only
 * if the code is one that TLC reports for nothing else, or if the run itself ended with it.
 */
final class Recorder extends MPRecorder {
  private static final Pattern ACTION =
      Pattern.compile("<(\\S+|Initial predicate)(?: (line .*))?>");
  private static final int MESSAGES_KEPT = 1000;

  private static final Pattern CONFIG_LINE = Pattern.compile("configuration file at line (\\d+)");

  private final String config;
  private final Consumer<CheckerMessage> sink;
  private final ByteArrayOutputStream printed;
  private final boolean goesOn;
  private final Map<Integer, Object[]> firstOfCode = new HashMap<>();
  private final List<String> warnings = new ArrayList<>();

  private Outcome violation;
  private Optional<String> violated = Optional.empty();
  private Optional<SourceLocation> location = Optional.empty();
  private boolean success;
  private boolean closed;
  private int depth;
  private ModelProgress counts;
  private TLCState stateBefore;
  private TLCState lastState;

  /**
   * Creates a recorder.
   *
   * @param config the configuration file's name
   * @param sink gets the messages but the last
   * @param printed what the tools print while they load modules
   * @param goesOn whether the search goes on after a violation
   */
  Recorder(
      String config, Consumer<CheckerMessage> sink, ByteArrayOutputStream printed, boolean goesOn) {
    this.config = config;
    this.sink = sink;
    this.printed = printed;
    this.goesOn = goesOn;
  }

  @Override
  public synchronized void record(int code, Object... objects) {
    if (closed) {
      return;
    }
    if (firstOfCode.size() < MESSAGES_KEPT) {
      firstOfCode.putIfAbsent(code, objects);
    }
    switch (code) {
      case EC.TLC_COMPUTING_INIT ->
          // The modules are loaded; from here on only PrintT prints.
          ToolIO.out =
              new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
      case EC.TLC_INVARIANT_VIOLATED_BEHAVIOR -> violated(Outcome.INVARIANT_VIOLATED, objects);
      case EC.TLC_INVARIANT_VIOLATED_INITIAL -> {
        violated(Outcome.INVARIANT_VIOLATED, objects);
        initialState(objects);
      }
      case EC.TLC_ACTION_PROPERTY_VIOLATED_BEHAVIOR -> violated(Outcome.PROPERTY_VIOLATED, objects);
      case EC.TLC_PROPERTY_VIOLATED_INITIAL -> {
        violated(Outcome.PROPERTY_VIOLATED, objects);
        initialState(objects);
      }
      case EC.TLC_TEMPORAL_PROPERTY_VIOLATED -> {
        violated(Outcome.PROPERTY_VIOLATED);
        violated = onlyProperty();
      }
      case EC.TLC_DEADLOCK_REACHED -> violated(Outcome.DEADLOCK);
      case EC.TLC_ASSUMPTION_FALSE -> {
        violated(Outcome.ASSUMPTION_FALSE);
        location = Optional.ofNullable(SpecFailures.placeIn(text(objects, 0)));
      }
      case EC.TLC_STATE_PRINT2 -> state(objects);
      case EC.TLC_STATE_PRINT3 -> sink.accept(new CheckerMessage.Stutters());
      case EC.TLC_BACK_TO_STATE ->
          sink.accept(new CheckerMessage.BackTo(Integer.parseInt(text(objects, 0))));
      case EC.TLC_COVERAGE_INIT -> coverage(true, objects);
      case EC.TLC_COVERAGE_NEXT -> coverage(false, objects);
      case EC.TLC_SUCCESS -> success = true;
      case EC.TLC_SEARCH_DEPTH -> depth = (int) number(objects, 0);
      case EC.TLC_STATS ->
          counts = new ModelProgress(0, number(objects, 0), number(objects, 1), number(objects, 2));
      case EC.TLC_FEATURE_UNSUPPORTED_LIVENESS_SYMMETRY ->
          warnings.add(
              "symmetry is declared and a liveness property checked: the verdict on it"
                  + " can be wrong");
      case EC.TLC_FEATURE_LIVENESS_CONSTRAINTS ->
          warnings.add(
              "a state or action constraint is declared and a liveness property checked:"
                  + " behaviours that leave the constraint are not seen");
      default -> {
        // Everything else is of interest only if the run ends with it.
      }
    }
  }

  /** The verdict, when TLC has ended with {@code code}. */
  synchronized CheckerMessage.Finished finished(int code) {
    closed = true;
    ModelProgress end = counts();
    boolean explored = code == EC.NO_ERROR && success && end.queued() == 0;
    if (violation != null && (!goesOn || explored)) {
      return new CheckerMessage.Finished(violation, violated, location, sentence(), end, warnings);
    }
    if (explored) {
      return new CheckerMessage.Finished(
          Outcome.HOLDS,
          Optional.empty(),
          Optional.empty(),
          "no error within the bounds of the model",
          end,
          warnings);
    }
    if (code == EC.NO_ERROR) {
      return ended(Outcome.GAVE_UP, null, "stopped before all states were explored", end);
    }
    return switch (code) {
      case EC.SYSTEM_OUT_OF_MEMORY,
          EC.SYSTEM_OUT_OF_MEMORY_TOO_MANY_INIT,
          EC.SYSTEM_OUT_OF_MEMORY_LIVENESS ->
          ended(Outcome.GAVE_UP, null, "out of memory", end);
      default -> error(code, end);
    };
  }

  private CheckerMessage.Finished error(int code, ModelProgress end) {
    if (!firstOfCode.containsKey(EC.TLC_COMPUTING_INIT)) {
      String text = SpecFailures.oneLine(standardText(code));
      Matcher inConfig = CONFIG_LINE.matcher(text);
      if (inConfig.find()) {
        int line = Integer.parseInt(inConfig.group(1));
        return ended(Outcome.SPEC_ERROR, SourceLocation.of(config, line, 0), text, end);
      }
      SpecException failure =
          SpecFailures.whileLoading(
              new RuntimeException(text),
              printed.toString(StandardCharsets.UTF_8),
              "the given modules");
      String message = failure.getMessage();
      String place = failure.location().map(where -> where + ": ").orElse("");
      return ended(
          Outcome.SPEC_ERROR,
          failure.location().orElse(null),
          message.startsWith(place) ? message.substring(place.length()) : message,
          end);
    }
    Object[] calls = firstOfCode.get(EC.TLC_NESTED_EXPRESSION);
    SourceLocation innermost =
        calls == null ? placeOfFailure(code) : SpecFailures.innermost(text(calls, 0));
    Object[] details = firstOfCode.getOrDefault(code, new Object[0]);
    String message =
        switch (code) {
          case EC.TLC_INVARIANT_EVALUATION_FAILED ->
              "cannot evaluate invariant " + text(details, 0) + ": " + text(details, 1);
          case EC.TLC_ACTION_PROPERTY_EVALUATION_FAILED ->
              "cannot evaluate property " + text(details, 0) + ": " + text(details, 1);
          case EC.TLC_NESTED_EXPRESSION -> nestedCause();
          case EC.SYSTEM_STACK_OVERFLOW -> "endless recursion";
          default -> standardText(code);
        };
    return ended(Outcome.SPEC_ERROR, innermost, SpecFailures.withoutPlace(message), end);
  }

  /** TLC does not tell where a property could not be evaluated; evaluates it once more to see. */
  private SourceLocation placeOfFailure(int code) {
    boolean invariant = code == EC.TLC_INVARIANT_EVALUATION_FAILED;
    if (!invariant && code != EC.TLC_ACTION_PROPERTY_EVALUATION_FAILED
        || TLCGlobals.mainChecker == null
        || lastState == null) {
      return null;
    }
    ITool tool = TLCGlobals.mainChecker.tool;
    String name = text(firstOfCode.get(code), 0);
    List<String> names = List.of(invariant ? tool.getInvNames() : tool.getImpliedActNames());
    if (!names.contains(name)) {
      return null;
    }
    CallStackTool tracing = new CallStackTool(tool);
    try {
      if (invariant) {
        tracing.isValid(tool.getInvariants()[names.indexOf(name)], lastState);
      } else {
        tracing.isValid(tool.getImpliedActions()[names.indexOf(name)], stateBefore, lastState);
      }
    } catch (TLCRuntimeException | EvalException e) {
      return SpecFailures.innermost(tracing.toString());
    }
    return null;
  }

  /** What TLC reported before it tried again in order to tell where. */
  private String nestedCause() {
    for (int code : List.of(EC.TLC_INITIAL_STATE, EC.GENERAL)) {
      if (firstOfCode.containsKey(code)) {
        return text(firstOfCode.get(code), 0);
      }
    }
    return "an expression cannot be evaluated";
  }

  /** TLC's own words for a code and the objects it came with. */
  private String standardText(int code) {
    Object[] objects = firstOfCode.getOrDefault(code, new Object[0]);
    if (objects == null) {
      objects = new Object[0];
    }
    if (objects.length > 0 && objects[0] instanceof Throwable thrown) {
      return String.valueOf(thrown.getMessage());
    }
    String[] texts = new String[objects.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = String.valueOf(objects[i]);
    }
    String text = MP.getMessage(code, texts);
    return text.replaceFirst("(?s)^\\s*(Error|Warning): ", "");
  }

  private CheckerMessage.Finished ended(
      Outcome outcome, SourceLocation where, String message, ModelProgress end) {
    return new CheckerMessage.Finished(
        outcome,
        Optional.empty(),
        Optional.ofNullable(where),
        SpecFailures.oneLine(message),
        end,
        warnings);
  }

  private ModelProgress counts() {
    if (counts == null && TLCGlobals.mainChecker instanceof ModelChecker checker) {
      counts =
          new ModelProgress(
              0,
              checker.getStatesGenerated(),
              checker.getDistinctStatesGenerated(),
              checker.getStateQueueSize());
    }
    return counts == null
        ? new ModelProgress(0, 0, 0, 0)
        : new ModelProgress(depth, counts.generated(), counts.distinct(), counts.queued());
  }

  private String sentence() {
    return switch (violation) {
      case INVARIANT_VIOLATED -> "invariant " + violated.orElse("") + " is violated";
      case PROPERTY_VIOLATED ->
          violated.map(name -> "property " + name).orElse("a temporal property") + " is violated";
      case DEADLOCK -> "a reachable state has no successor";
      case ASSUMPTION_FALSE -> "an assumption is false";
      default -> "";
    };
  }

  private void violated(Outcome outcome, Object... objects) {
    if (goesOn && outcome == Outcome.INVARIANT_VIOLATED) {
      sink.accept(new CheckerMessage.Violation(text(objects, 0)));
    }
    if (violation == null) {
      violation = outcome;
      violated = objects.length > 0 ? Optional.of(text(objects, 0)) : Optional.empty();
    }
  }

  private static Optional<String> onlyProperty() {
    AbstractChecker checker = TLCGlobals.mainChecker;
    if (checker == null) {
      return Optional.empty();
    }
    var properties = checker.tool.getModelConfig().getProperties();
    return properties.size() == 1
        ? Optional.of(String.valueOf(properties.elementAt(0)))
        : Optional.empty();
  }

  /** A violation in an initial state comes with the state's text only; finds the state itself. */
  private void initialState(Object[] objects) {
    AbstractChecker checker = TLCGlobals.mainChecker;
    if (checker == null) {
      return;
    }
    String wanted = text(objects, 1).strip();
    TLCState[] found = new TLCState[1];
    checker.tool.getInitStates(
        state -> {
          if (found[0] == null && state.toString().strip().equals(wanted)) {
            found[0] = state;
          }
          return null;
        });
    if (found[0] != null) {
      send(1, "<Initial predicate>", found[0]);
    }
  }

  private void state(Object[] objects) {
    if (objects[0] instanceof TLCStateInfo info && info.state != null) {
      send((Integer) objects[1], String.valueOf(info.info), info.state);
    }
  }

  private void send(int number, String info, TLCState state) {
    stateBefore = lastState;
    lastState = state;
    Matcher action = ACTION.matcher(info);
    boolean known = action.matches();
    TreeMap<String, SpecValue> variables = new TreeMap<>();
    for (Map.Entry<UniqueString, IValue> variable : state.getVals().entrySet()) {
      variables.put(variable.getKey().toString(), value(variable.getValue()));
    }
    sink.accept(
        new CheckerMessage.State(
            number,
            known ? action.group(1) : info,
            Optional.ofNullable(SpecFailures.placeIn(info)),
            variables));
  }

  private static SpecValue value(IValue value) {
    try {
      return Values.fromTlc(value);
    } catch (SpecException e) {
      return new SpecValue.ModelValue(String.valueOf(value));
    }
  }

  private void coverage(boolean initial, Object[] objects) {
    String info = text(objects, 0);
    Matcher action = ACTION.matcher(info);
    sink.accept(
        new CheckerMessage.Coverage(
            new ActionCoverage(
                action.matches() ? action.group(1) : info,
                Optional.ofNullable(SpecFailures.placeIn(info)),
                initial,
                number(objects, 1),
                number(objects, 2))));
  }

  private static String text(Object[] objects, int index) {
    return index < objects.length ? String.valueOf(objects[index]) : "";
  }

  private static long number(Object[] objects, int index) {
    return Long.parseLong(text(objects, index).replaceAll("\\D", ""));
  }
}
