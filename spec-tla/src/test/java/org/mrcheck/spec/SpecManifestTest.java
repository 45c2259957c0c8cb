package org.mrcheck.spec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpecManifestTest {
  private static final SpecManifest MANIFEST = SpecManifest.read(TestSpecs.library());
  private static final ManifestRunner RUNNER =
      new ManifestRunner(TlaTools.bundled(), TestSpecs.library());

  @Test
  void read_ofAManifest_givesItsRows() {
    assertThat(MANIFEST.rows()).hasSize(5);
    SpecManifest.Row row = MANIFEST.row("counter-holds").orElseThrow();
    assertThat(row.expected()).isEqualTo(ModelResult.Outcome.HOLDS);
    assertThat(row.distinct()).hasValue(7);
    assertThat(row.depth()).hasValue(5);
    assertThat(row.checkDeadlock()).isTrue();
    assertThat(MANIFEST.row("none")).isEmpty();
  }

  @Test
  void toJson_readAgain_isTheSame() {
    assertThat(SpecManifest.parse(MANIFEST.toJson())).isEqualTo(MANIFEST);
  }

  @Test
  void read_ofALibraryWithoutManifest_saysSo() {
    assertThatThrownBy(() -> SpecManifest.read(SpecLibrary.of(Map.of())))
        .isInstanceOf(SpecException.class)
        .hasMessage("manifest.json: no such file in modules in memory");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ | manifest.json:1:",
        "[] | manifest.json: must have \"version\" 1 or 2 and an array \"rows\"",
        "{\"version\": 3, \"rows\": []} | manifest.json: must have \"version\" 1 or 2",
        "{\"version\": 1, \"rows\": [{\"name\": \"a b\"}]} | row a b: \"name\" must be letters",
        "{\"version\": 1, \"rows\": [{\"name\": \"a\", \"colour\": 1}]} |"
            + " row a: unknown field \"colour\"",
        "{\"version\": 1, \"rows\": [{\"name\": \"a\", \"expect\": \"green\"}]} |"
            + " row a: \"expect\" must be one of",
        "{\"version\": 1, \"rows\": [{\"name\": \"a\", \"expect\": \"invariant\"}]} |"
            + " row a: \"violated\" must name the invariant",
        "{\"version\": 1, \"rows\": [{\"name\": \"a\", \"expect\": \"holds\","
            + " \"violated\": \"I\"}]} | row a: \"violated\" goes only with",
        "{\"version\": 1, \"rows\": [{\"name\": \"a\", \"expect\": \"deadlock\","
            + " \"workers\": 2}]} | row a: only rows that hold may have several workers",
        "{\"version\": 1, \"rows\": [{\"name\": \"a\", \"expect\": \"holds\","
            + " \"module\": \"M\", \"cfg\": \"M.cfg\", \"shows\": \"x\", \"distinct\": 1.5}]} |"
            + " row a: \"distinct\" must be a whole number",
      })
  void parse_ofAMalformedManifest_namesRowAndField(String text, String message) {
    assertThatThrownBy(() -> SpecManifest.parse(text))
        .isInstanceOfSatisfying(
            SpecException.class, e -> assertThat(e.kind()).isEqualTo(SpecException.Kind.MALFORMED))
        .hasMessageContaining(message);
  }

  @Test
  void run_ofRows_tellsWhatDiffers() throws Exception {
    List<String> heard = new ArrayList<>();
    List<ManifestRunner.RowResult> results =
        RUNNER.run(
            MANIFEST.rows(),
            1,
            new ManifestRunner.Listener() {
              @Override
              public void started(SpecManifest.Row row) {
                heard.add("> " + row.name());
              }

              @Override
              public void finished(ManifestRunner.RowResult result) {
                heard.add("< " + result.row().name());
              }

              @Override
              public void progress(ModelProgress now) {
                assertThat(now.depth()).isNotNegative();
              }
            });
    assertThat(results)
        .extracting(result -> result.row().name() + " " + result.differences())
        .containsExactly(
            "counter-holds []",
            "counter-top []",
            "counter-wrong [expected 8 distinct states, got 7, expected 13 generated states, got"
                + " 12, expected 6 depth, got 5]",
            "counter-wrong-verdict [expected HOLDS, got DEADLOCK: a reachable state has no"
                + " successor]",
            "counter-no-deadlock-check []");
    assertThat(results)
        .extracting(ManifestRunner.RowResult::asExpected)
        .containsExactly(true, true, false, false, true);
    assertThat(heard)
        .hasSize(10)
        .filteredOn(line -> line.startsWith("<"))
        .containsExactly(
            "< counter-holds",
            "< counter-top",
            "< counter-wrong",
            "< counter-wrong-verdict",
            "< counter-no-deadlock-check");
    SpecManifest.Row corrected = results.get(2).row().measured(results.get(2).result());
    assertThat(corrected.distinct()).hasValue(7);
    assertThat(corrected.seconds()).isPositive();
  }
}
