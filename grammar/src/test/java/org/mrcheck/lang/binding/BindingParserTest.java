package org.mrcheck.lang.binding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mrcheck.lang.Golden;
import org.mrcheck.lang.diagnostic.SourceSpan;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.EventName;

class BindingParserTest {
  private static final String SOUND_CHECK_ON_WIRE =
      """
      // comment
      binding  SoundCheckOnWire
      contract SoundCheck
      module   SoundCheckOnWire
      says "a request is accepted iff key, state, protection domain, right and range all hold"
      needs registration wire           // event classes without which nothing is decided
      slice host qp psn key             // parameters of an instance
      replays key
      event reg          by host key          with permitted overruns
      event dereg.return by host key          with succeeded
      event rx           by host qp psn key   with fresh damaged
      event ack          by host qp           with covers
      event lost         by host
      """;

  @Test
  void parse_everyClause_givesItsValue() throws Exception {
    Binding binding = BindingParser.parse(SOUND_CHECK_ON_WIRE, "a.binding");

    assertThat(binding.name()).isEqualTo("SoundCheckOnWire");
    assertThat(binding.contract()).isEqualTo("SoundCheck");
    assertThat(binding.module()).isEqualTo("SoundCheckOnWire");
    assertThat(binding.says()).startsWith("a request is accepted iff").endsWith("all hold");
    assertThat(binding.needs()).containsExactly(EventClass.REGISTRATION, EventClass.WIRE);
    assertThat(binding.slice())
        .containsExactly(Parameter.HOST, Parameter.QP, Parameter.PSN, Parameter.KEY);
    assertThat(binding.replays()).contains(Parameter.KEY);
    assertThat(binding.events())
        .extracting(BoundEvent::name)
        .containsExactly(
            EventName.REG, EventName.DEREG_RETURN, EventName.RX, EventName.ACK, EventName.LOST);
    BoundEvent rx = binding.event(EventName.RX).orElseThrow();
    assertThat(rx.by()).isEqualTo(binding.slice());
    assertThat(rx.with()).containsExactly("fresh", "damaged");
    assertThat(rx.span()).isEqualTo(new SourceSpan("a.binding", 11, 7, 2));
    assertThat(binding.event(EventName.LOST).orElseThrow().with()).isEmpty();
    assertThat(binding.event(EventName.NAK)).isEmpty();
  }

  @Test
  void parse_optionalClausesAbsent_areEmpty() throws Exception {
    Binding binding =
        BindingParser.parse(
            "\ufeffbinding B contract C module M says \"\" slice host\r\nevent wc by host", "b");

    assertThat(binding.needs()).isEmpty();
    assertThat(binding.replays()).isEqualTo(Optional.empty());
    assertThat(binding.events())
        .containsExactly(
            new BoundEvent(
                EventName.WC, List.of(Parameter.HOST), List.of(), new SourceSpan("b", 2, 7, 2)));
  }

  static Stream<Arguments> mistakes() {
    return Stream.of(
        mistake("event_misspelt", "dereg.return", "dereg.retrun"),
        mistake("event_word_misspelt", "event rx", "evnet rx"),
        mistake("event_unknown", "event lost", "event migrate"),
        mistake("event_twice", "event lost", "event reg"),
        mistake("event_without_parameters", "event lost         by host", "event lost"),
        mistake("event_by_nothing", "event lost         by host", "event lost by"),
        mistake("events_missing", "(?m)^event.*$", ""),
        mistake("parameter_misspelt", "by host qp psn key", "by hots qp psn key"),
        mistake("parameter_unknown", "slice host", "slice device"),
        mistake("parameter_outside_slice", "by host qp psn key", "by host mr"),
        mistake("parameter_twice", "by host qp psn key", "by host host"),
        mistake("parameter_replayed_outside_slice", "replays key", "replays mr"),
        mistake("value_twice", "fresh damaged", "fresh fresh"),
        mistake("values_missing", "with fresh damaged", "with"),
        mistake("slice_never_bound", "event rx .*", "event rx by host qp"),
        mistake("class_misspelt", "needs registration", "needs registrations"),
        mistake("class_twice", "needs registration wire", "needs wire wire"),
        mistake("clause_missing", "slice host.*", ""),
        mistake("clause_twice", "replays key", "replays key replays qp"),
        mistake("clause_misspelt", "contract SoundCheck", "contrct SoundCheck"),
        mistake("clause_word_as_name", "module   SoundCheckOnWire", "module slice"),
        mistake("text_without_end", "hold\"", "hold"),
        mistake("text_without_quotes", "says \"a", "says a"),
        mistake("stray_character", "replays key", "replays key;"),
        Arguments.of("empty", ""),
        Arguments.of("only_a_comment", "// nothing\n"),
        Arguments.of("cut_off", "binding B contract"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("mistakes")
  void parse_mistake_saysWhatIsWrong(String name, String text) {
    BindingSyntaxException wrong =
        catchThrowableOfType(
            BindingSyntaxException.class, () -> BindingParser.parse(text, "a.binding"));

    assertThat(wrong.getMessage().lines()).allMatch(line -> line.length() <= 80);
    Golden.assertMatches("binding/" + name, wrong.getMessage());
  }

  @Property(tries = 500)
  void parse_anyText_failsOnlyWithADiagnostic(@ForAll String text) {
    assertThatThrownBy(() -> BindingParser.parse(text, "a.binding"))
        .isInstanceOf(BindingSyntaxException.class);
  }

  /** The example with one place changed. */
  private static Arguments mistake(String name, String from, String to) {
    String changed = SOUND_CHECK_ON_WIRE.replaceFirst(from, to);
    if (name.equals("events_missing")) {
      changed = SOUND_CHECK_ON_WIRE.replaceAll(from, to);
    }
    assertThat(changed).isNotEqualTo(SOUND_CHECK_ON_WIRE);
    return Arguments.of(name, changed);
  }
}
