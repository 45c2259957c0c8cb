package org.mrcheck.lang.trace.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Texts in double quotes. A quote and a backslash are escaped by a backslash; control characters,
 * which no line may hold, are {@code \n}, {@code \r}, {@code \t} or {@code \}{@code u{1b}}.
 */
final class Quoting {
  private static final Pattern ESCAPE =
      Pattern.compile("\\\\(?:([\"\\\\nrt])|u\\{([0-9a-fA-F]{1,6})\\}|(.?))");

  private Quoting() {}

  /** Index of the first escape that is none in a quoted text, or -1. */
  static int firstWrongEscape(String quoted) {
    Matcher escape = ESCAPE.matcher(quoted);
    while (escape.find()) {
      String hex = escape.group(2);
      boolean right =
          escape.group(1) != null || hex != null && Integer.parseInt(hex, 16) <= 0x10_ffff;
      if (!right) {
        return escape.start();
      }
    }
    return -1;
  }

  /** The text that a quoted text without wrong escapes stands for. */
  static String unquote(String quoted) {
    String inner = quoted.substring(1, quoted.length() - 1);
    if (inner.indexOf('\\') < 0) {
      return inner;
    }
    StringBuilder text = new StringBuilder();
    Matcher escape = ESCAPE.matcher(inner);
    int done = 0;
    while (escape.find()) {
      text.append(inner, done, escape.start());
      if (escape.group(2) != null) {
        text.appendCodePoint(Integer.parseInt(escape.group(2), 16));
      } else {
        char name = escape.group(1).charAt(0);
        text.append(name == 'n' ? '\n' : name == 'r' ? '\r' : name == 't' ? '\t' : name);
      }
      done = escape.end();
    }
    return text.append(inner, done, inner.length()).toString();
  }

  /** The text in quotes. A lone surrogate, which UTF-8 cannot hold, is written as an escape. */
  static String quote(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            codePoint -> {
              if (codePoint == '"' || codePoint == '\\') {
                quoted.append('\\').append((char) codePoint);
              } else if (codePoint == '\n') {
                quoted.append("\\n");
              } else if (codePoint == '\r') {
                quoted.append("\\r");
              } else if (codePoint == '\t') {
                quoted.append("\\t");
              } else if (codePoint < 0x20
                  || codePoint == 0x7f
                  || codePoint >= 0xd800 && codePoint <= 0xdfff) {
                quoted.append("\\u{").append(Integer.toHexString(codePoint)).append('}');
              } else {
                quoted.appendCodePoint(codePoint);
              }
            });
    return quoted.append('"').toString();
  }
}
