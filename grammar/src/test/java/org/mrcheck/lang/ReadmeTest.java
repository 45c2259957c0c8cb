package org.mrcheck.lang;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.binding.Binding;
import org.mrcheck.lang.binding.BindingParser;

/** The examples of the module's README are what they say they are. */
class ReadmeTest {
  private String readme;

  @BeforeEach
  void readReadme() throws Exception {
    readme = Files.readString(Path.of("README.md"));
  }

  @Test
  void parse_bindingExample_isAccepted() throws Exception {
    Binding binding = BindingParser.parse(example("binding"), "README.md");

    assertThat(binding.events()).hasSize(4);
  }

  private String example(String language) {
    String start = "```" + language + "\n";
    int from = readme.indexOf(start) + start.length();
    return readme.substring(from, readme.indexOf("```", from));
  }
}
