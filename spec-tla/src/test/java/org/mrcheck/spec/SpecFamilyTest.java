package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.mrcheck.lang.binding.Binding;
import org.mrcheck.lang.binding.BindingParser;
import org.mrcheck.lang.binding.BoundEvent;
import org.mrcheck.lang.binding.Parameter;
import org.mrcheck.lang.trace.EventName;

/**
 * The texts of the spec family fit together: what machines emit are events of the trace language,
 * what a binding binds is what its contract looks at, and a contract stays within its states.
 */
class SpecFamilyTest {
  private static final Path FOLDER = Path.of(System.getProperty("mrcheck.root"), "spec-tla");
  private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"");
  private static final Pattern EMITTED = Pattern.compile("(?m)^Emitted == \\{([^}]*)\\}");
  private static final Pattern EXTENDS = Pattern.compile("(?m)^EXTENDS (.*)$");
  private static final Pattern VALUE = Pattern.compile("\\b(?:e|access)\\.(\\w+)");
  private static final List<SpecValue> TRUTH = List.of(SpecValue.of(false), SpecValue.of(true));

  /** The derived values that are words, with all they may be. */
  private static final Map<String, List<String>> WORDS =
      Map.of(
          "answer",
          List.of("ack", "rnr", "sequence", "invalid", "access", "operational", "other"),
          "reach",
          List.of("none", "some", "all"),
          "status",
          List.of(
              "success",
              "access",
              "invalid",
              "operational",
              "rnr",
              "retry",
              "flush",
              "local",
              "other"),
          "answered",
          List.of("none", "acked", "access", "invalid", "operational", "rnr", "local"),
          "meant",
          List.of("same", "other", "unknown"),
          "done",
          List.of("yes", "no", "unknown"),
          "queue",
          List.of("send", "receive", "shared"));

  private static List<Path> files(String ending) throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.filter(file -> file.toString().endsWith(ending)).sorted().toList();
    }
  }

  private static Set<String> matches(Pattern pattern, String text) {
    return pattern
        .matcher(text)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The module's text without comments, and the modules it extends, as far as they are ours. */
  private static String text(String module) throws IOException {
    Path file = FOLDER.resolve(module + ".tla");
    if (!Files.exists(file)) {
      return "";
    }
    String own = Files.readString(file).replaceAll("\\(\\*.*?\\*\\)|\\\\\\*.*", "");
    StringBuilder all = new StringBuilder(own);
    for (String extended : matches(EXTENDS, own)) {
      for (String name : extended.split(",\\s*")) {
        all.append(text(name.strip()));
      }
    }
    return all.toString();
  }

  private static List<Binding> bindings() throws Exception {
    List<Binding> bindings = new ArrayList<>();
    for (Path file : files(".binding")) {
      bindings.add(BindingParser.parse(Files.readString(file), String.valueOf(file.getFileName())));
    }
    return bindings;
  }

  @Test
  void emittedEvents_ofEveryMachine_areEventsOfTheTraceLanguage() throws IOException {
    Set<String> known =
        Arrays.stream(EventName.values()).map(EventName::text).collect(Collectors.toSet());
    List<Path> machines = new ArrayList<>();
    for (Path file : files(".tla")) {
      if (EMITTED.matcher(Files.readString(file)).find()) {
        machines.add(file);
      }
    }
    assertThat(machines).as("modules that list what they emit").isNotEmpty();
    for (Path machine : machines) {
      List<MatchResult> lists = EMITTED.matcher(Files.readString(machine)).results().toList();
      assertThat(lists).as("lists of emitted events in %s", machine.getFileName()).hasSize(1);
      Set<String> emitted = matches(QUOTED, lists.get(0).group(1));
      assertThat(emitted).as("emitted by %s", machine.getFileName()).isNotEmpty();
      assertThat(known).as("events of the trace language").containsAll(emitted);
    }
  }

  @TestFactory
  Stream<DynamicTest> binding_ofAContract_bindsWhatTheContractLooksAt() throws Exception {
    return bindings().stream()
        .map(
            binding ->
                DynamicTest.dynamicTest(
                    binding.name(),
                    () -> {
                      String text = text(binding.module());
                      Set<String> values = matches(VALUE, text);
                      values.remove("name");
                      Set<String> boundValues = new TreeSet<>();
                      Set<String> boundNames = new TreeSet<>();
                      for (BoundEvent event : binding.events()) {
                        boundValues.addAll(event.with());
                        boundNames.add(event.name().text());
                      }
                      assertThat(boundValues).as("derived values").isEqualTo(values);
                      Set<String> names = new TreeSet<>();
                      for (EventName name : EventName.values()) {
                        if (text.contains('"' + name.text() + '"')) {
                          names.add(name.text());
                        }
                      }
                      assertThat(boundNames).as("events").isEqualTo(names);
                    }));
  }

  @Test
  void bindings_inTla_sayWhatTheBindingFilesSay() throws Exception {
    Map<String, SpecValue> expected = new TreeMap<>();
    for (Binding binding : bindings()) {
      Map<String, SpecValue> row = new TreeMap<>();
      row.put("slice", parameters(binding.slice()));
      for (BoundEvent event : binding.events()) {
        row.put(event.name().text(), parameters(event.by()));
      }
      expected.put(binding.name(), SpecValue.record(row));
    }
    try (Evaluator evaluator =
        Evaluator.open(TlaTools.bundled(), SpecLibrary.folder(FOLDER), List.of("Bindings"))) {
      assertThat(evaluator.evaluate("Bindings", "Table")).isEqualTo(SpecValue.record(expected));
    }
  }

  private static SpecValue parameters(Collection<Parameter> parameters) {
    return SpecValue.set(
        parameters.stream().map(parameter -> SpecValue.of(parameter.text())).toList());
  }

  @TestFactory
  Stream<DynamicTest> contract_underEveryEvent_staysWithinItsStates() throws Exception {
    return bindings().stream()
        .map(binding -> DynamicTest.dynamicTest(binding.name(), () -> explore(binding)));
  }

  private static void explore(Binding binding) {
    SpecLibrary library = SpecLibrary.folder(FOLDER);
    ContractModule contract = ContractModule.open(library, binding.module());
    List<SpecValue> events = new ArrayList<>();
    binding.events().forEach(event -> events.addAll(records(event)));
    Set<SpecValue> reached = new TreeSet<>(contract.start().elements());
    Deque<SpecValue> open = new ArrayDeque<>(reached);
    boolean refuses = false;
    while (!open.isEmpty()) {
      SpecValue state = open.remove();
      Set<SpecValue> successors = new TreeSet<>(contract.hidden(state).elements());
      for (SpecValue event : events) {
        SpecValue.SetOf stepped = contract.step(state, event);
        refuses |= stepped.isEmpty();
        successors.addAll(stepped.elements());
      }
      // Neither Remark nor Open may fail, whatever the state.
      assertThat(contract.remark(state)).isNotNull();
      contract.open(state);
      successors.stream().filter(reached::add).forEach(open::add);
    }
    assertThat(refuses).as("some event is forbidden somewhere").isTrue();
    assertThat(contract.start().elements()).as("start").hasSize(1);
    try (Evaluator evaluator =
        Evaluator.open(TlaTools.bundled(), library, List.of(binding.module()))) {
      SpecValue.SetOf states = (SpecValue.SetOf) evaluator.evaluate(binding.module(), "States");
      assertThat(states.elements()).as("States").containsAll(reached);
    }
  }

  /** Every record that {@code Step} can get of the event. */
  private static List<SpecValue> records(BoundEvent event) {
    List<Map<String, SpecValue>> all = new ArrayList<>();
    all.add(Map.of("name", SpecValue.of(event.name().text())));
    for (String value : event.with()) {
      List<SpecValue> domain =
          WORDS.containsKey(value)
              ? WORDS.get(value).stream().<SpecValue>map(SpecValue::of).toList()
              : TRUTH;
      List<Map<String, SpecValue>> longer = new ArrayList<>();
      for (Map<String, SpecValue> shorter : all) {
        for (SpecValue one : domain) {
          Map<String, SpecValue> record = new TreeMap<>(shorter);
          record.put(value, one);
          longer.add(record);
        }
      }
      all = longer;
    }
    return all.stream().<SpecValue>map(SpecValue::record).toList();
  }
}
