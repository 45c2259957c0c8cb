package org.mrcheck.lang.diagnostic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class DiagnosticRendererTest {

  @Test
  void render_everyPart_isShown() {
    Diagnostic diagnostic =
        Diagnostic.error(
                "the message is long enough that it has to be broken into two lines of eighty",
                new SourceSpan("traces/a.mrtrace", 1234567890, 9, 5),
                Excerpt.of("the line that is wrong", 9, 13))
            .withFound("that")
            .withExpected("this", "these", "those")
            .withAdvice("do something about it")
            .withNote("also here", new SourceSpan("b", 7, 1, 3), Excerpt.of("the other", 0, 3));

    assertThat(DiagnosticRenderer.render(diagnostic))
        .isEqualTo(
            """
            error: the message is long enough that it has to be broken into two lines of
                   eighty
                       --> traces/a.mrtrace:1234567890:9
                        |
             1234567890 | the line that is wrong
                        |          ^^^^
                        = found: that
                        = expected: this, these, those
                        = help: do something about it
            note: also here
                       --> b:7:1
                        |
                      7 | the other
                        | ^^^
            """);
  }

  @Test
  void of_spanFarFromBothEnds_isShownWithItsSurroundings() {
    String line = "a".repeat(5_000_000) + "HERE" + "b".repeat(5_000_000);

    Excerpt excerpt = Excerpt.of(line, 5_000_000, 5_000_004);

    assertThat(excerpt.text()).matches("\\.\\.\\.a+HEREb+\\.\\.\\.").hasSizeLessThan(67);
    assertThat(underlined(excerpt)).isEqualTo("HERE");
  }

  @Property
  void ofUtf8_anyBytes_isSafeAndNarrow(
      @ForAll @Size(max = 300) byte[] bytes,
      @ForAll @IntRange(max = 300) int from,
      @ForAll @IntRange(max = 300) int length) {
    int start = Math.min(from, bytes.length);
    int end = Math.min(start + length, bytes.length);

    Excerpt excerpt = Excerpt.ofUtf8(bytes, 0, bytes.length, start, end);

    assertThat(excerpt.text().length()).isLessThanOrEqualTo(Excerpt.WIDTH);
    assertThat(excerpt.text().codePoints()).noneMatch(Character::isISOControl);
    assertThat(excerpt.underlineLength()).isPositive();
    assertThat(excerpt.underlineStart()).isBetween(0, Excerpt.WIDTH);
  }

  @Property
  void ofUtf8_anyText_isWhatOfShows(@ForAll @Size(max = 40) List<Character> letters) {
    StringBuilder text = new StringBuilder();
    letters.forEach(text::append);
    String line =
        new String(text.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
            .replace("\n", "");
    byte[] bytes = line.getBytes(StandardCharsets.UTF_8);

    assertThat(Excerpt.ofUtf8(bytes, 0, bytes.length, 0, bytes.length))
        .isEqualTo(Excerpt.of(line, 0, line.length()));
  }

  @Property
  void firstMalformed_anyBytes_agreesWithTheLibrary(@ForAll @Size(max = 12) byte[] bytes) {
    boolean wellFormed;
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      wellFormed = true;
    } catch (CharacterCodingException malformed) {
      wellFormed = false;
    }

    assertThat(Utf8.firstMalformed(bytes, 0, bytes.length) < 0).isEqualTo(wellFormed);
  }

  @Test
  void nearest_words_areWithinOneEditInThreeLetters() {
    List<String> words = List.of("reg", "dereg.call", "dereg.return");

    assertThat(Suggestion.nearest("dereg.retrun", words)).contains("dereg.return");
    assertThat(Suggestion.nearest("DEREG.CALL", words)).contains("dereg.call");
    assertThat(Suggestion.nearest("rag", words)).contains("reg");
    assertThat(Suggestion.nearest("xyz", words)).isEmpty();
    assertThat(Suggestion.nearest("reg", words)).isEmpty();
    assertThat(Suggestion.nearest("a".repeat(1_000_000), words)).isEmpty();
  }

  private static String underlined(Excerpt excerpt) {
    int start = excerpt.underlineStart();
    return excerpt.text().substring(start, start + excerpt.underlineLength());
  }
}
