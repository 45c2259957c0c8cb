package org.mrcheck.spec.tlc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.mrcheck.spec.SourceLocation;
import tla2sany.semantic.SemanticNode;
import tla2sany.st.Location;

/** The text and the place of expressions, as written in the module files. */
final class SourceTexts {
  private final Function<String, String> moduleText;
  private final Map<String, List<String>> lines = new HashMap<>();

  /**
   * Creates a view of source texts.
   *
   * @param moduleText the text of a module by its name, "" when unknown
   */
  SourceTexts(Function<String, String> moduleText) {
    this.moduleText = moduleText;
  }

  /** Where an expression stands. */
  static SourceLocation location(SemanticNode node) {
    return location(node.getTreeNode().getLocation());
  }

  /** Our form of the tools' location. */
  static SourceLocation location(Location location) {
    return new SourceLocation(
        location.source() + ".tla",
        Math.max(0, location.beginLine()),
        Math.max(0, location.beginColumn()),
        Math.max(0, location.endLine()),
        Math.max(0, location.endColumn()));
  }

  /** An expression as written, white space collapsed to single spaces. */
  String text(SemanticNode node) {
    Location where = node.getTreeNode().getLocation();
    List<String> all = lines(where);
    if (where.beginLine() < 1 || where.endLine() > all.size()) {
      return node.getTreeNode().getHumanReadableImage();
    }
    StringBuilder cut = new StringBuilder();
    for (int line = where.beginLine(); line <= where.endLine(); line++) {
      String text = withoutComment(all.get(line - 1), line, where);
      int from = line == where.beginLine() ? where.beginColumn() - 1 : 0;
      int to = line == where.endLine() ? where.endColumn() : text.length();
      cut.append(text, Math.min(from, text.length()), Math.min(to, text.length())).append(' ');
    }
    return cut.toString().trim().replaceAll("\\s+", " ");
  }

  /** The comment right behind an expression, without {@code \*}; "" when none. */
  String comment(SemanticNode node) {
    Location where = node.getTreeNode().getLocation();
    List<String> all = lines(where);
    if (where.endLine() < 1 || where.endLine() > all.size()) {
      return "";
    }
    String line = all.get(where.endLine() - 1);
    String rest = line.substring(Math.min(where.endColumn(), line.length())).strip();
    return rest.startsWith("\\*") ? rest.substring(2).strip() : "";
  }

  private List<String> lines(Location where) {
    return lines.computeIfAbsent(where.source(), name -> moduleText.apply(name).lines().toList());
  }

  /** Comments at the ends of lines inside an expression would swallow the rest when joined. */
  private static String withoutComment(String line, int number, Location where) {
    int comment = line.indexOf("\\*");
    return comment >= 0 && number < where.endLine() ? line.substring(0, comment) : line;
  }
}
