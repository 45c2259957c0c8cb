package org.mrcheck.spec.suite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;

class SuiteManifestTest {
  private static final SpecLibrary LIBRARY =
      SpecLibrary.folder(
          Path.of(System.getProperty("mrcheck.root"), "spec-tla/src/test/resources/suite"));

  @Test
  void toJson_readAgain_isTheSame() {
    SuiteManifest manifest = SuiteManifest.read(LIBRARY);
    assertThat(manifest.models()).hasSize(1);
    assertThat(SuiteManifest.parse(manifest.toJson())).isEqualTo(manifest);
    assertThat(manifest.toJson()).isEqualTo(LIBRARY.text("manifest.json").orElseThrow());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{ | manifest.json:1:",
        "{\"version\": 1} | must have \"version\": 2",
        "{\"version\": 2, \"colour\": 1} | the manifest: unknown field \"colour\"",
        "{\"version\": 2, \"models\": [{\"name\": \"a b\"}]} | row \"a b\": \"name\" must be",
        "{\"version\": 2, \"models\": [{\"name\": \"a\", \"size\": 1}]} |"
            + " row a: unknown field \"size\"",
        "{\"version\": 2, \"models\": [{\"name\": \"a\", \"module\": \"M\"}]} |"
            + " row a: \"cfg\" must be a text",
        "{\"version\": 2, \"neutral\": [{\"policy\": \"P\"}]} |"
            + " a neutral policy: \"why\" must be a text",
      })
  void parse_ofAMalformedManifest_namesRowAndField(String text, String message) {
    assertThatThrownBy(() -> SuiteManifest.parse(text))
        .isInstanceOf(SpecException.class)
        .hasMessageContaining(message);
  }
}
