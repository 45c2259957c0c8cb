package org.mrcheck.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.mrcheck.spec.suite.Matrix;

/** The matrix as text, Markdown and JSON. */
final class MatrixText {
  private static final int CELL = 5;
  private static final String RED = "\u001b[31m";
  private static final String GREEN = "\u001b[32m";
  private static final String YELLOW = "\u001b[33m";
  private static final String PLAIN = "\u001b[0m";

  private MatrixText() {}

  /**
   * The matrix in 80 columns. A red cell shows how many steps its shortest counterexample has.
   *
   * @param colour whether to colour the cells
   */
  static List<String> lines(Matrix matrix, boolean colour) {
    List<String> out = new ArrayList<>();
    int first = matrix.rows().stream().mapToInt(row -> row.property().length()).max().orElse(0) + 1;
    // Names are wider than columns, so every other one stands a line lower.
    StringBuilder upper = new StringBuilder(" ".repeat(first));
    StringBuilder lower = new StringBuilder(" ".repeat(first));
    for (int index = 0; index < matrix.profiles().size(); index++) {
      StringBuilder line = index % 2 == 0 ? upper : lower;
      int at = first + index * CELL;
      line.append(" ".repeat(Math.max(0, at - line.length())));
      line.append(matrix.profiles().get(index));
    }
    out.add(upper.toString());
    out.add(lower.toString());
    boolean liveness = false;
    for (Matrix.Row row : matrix.rows()) {
      if (row.liveness() && !liveness) {
        liveness = true;
        out.add("");
      }
      StringBuilder line = new StringBuilder(row.property());
      line.append(" ".repeat(first - row.property().length()));
      for (String profile : matrix.profiles()) {
        Matrix.Cell cell = row.cells().get(profile);
        String text = text(cell);
        String padding = " ".repeat(CELL - text.length());
        line.append(colour ? paint(cell.colour()) + text + PLAIN : text).append(padding);
      }
      out.add(line.toString().stripTrailing());
    }
    return out;
  }

  private static String paint(Matrix.Colour colour) {
    return switch (colour) {
      case RED -> RED;
      case GREEN -> GREEN;
      case BOUNDED -> YELLOW;
      case NOT_APPLICABLE -> "";
    };
  }

  private static String text(Matrix.Cell cell) {
    return switch (cell.colour()) {
      case RED -> "X" + cell.steps();
      case GREEN -> "ok";
      case BOUNDED -> "(ok)";
      case NOT_APPLICABLE -> "-";
    };
  }

  /** What the cells mean, for below the matrix. */
  static List<String> legend() {
    return List.of(
        "X9    red: some device of the profile breaks it; shortest way: 9 steps",
        "ok    green: holds, and in the same model a mutant or another profile breaks it",
        "(ok)  bounded: holds within the bounds, but nothing there could break it",
        "-     not applicable");
  }

  /** The matrix as a Markdown table. */
  static String markdown(Matrix matrix) {
    StringBuilder out = new StringBuilder("| |");
    matrix.profiles().forEach(profile -> out.append(' ').append(profile).append(" |"));
    out.append("\n|---|").append(":-:|".repeat(matrix.profiles().size())).append('\n');
    for (Matrix.Row row : matrix.rows()) {
      out.append("| ").append(row.liveness() ? "*" + row.property() + "*" : row.property());
      out.append(" |");
      for (String profile : matrix.profiles()) {
        Matrix.Cell cell = row.cells().get(profile);
        out.append(' ')
            .append(cell.colour() == Matrix.Colour.RED ? "**" + text(cell) + "**" : text(cell))
            .append(" |");
      }
      out.append('\n');
    }
    return out.toString();
  }

  /** The matrix as JSON. */
  static ObjectNode json(Matrix matrix) {
    ObjectNode document = CommonOptions.JSON.createObjectNode();
    document.put("schema", "mrcheck-matrix-1");
    matrix.profiles().forEach(document.putArray("profiles")::add);
    ArrayNode rows = document.putArray("properties");
    for (Matrix.Row row : matrix.rows()) {
      ObjectNode node = rows.addObject();
      node.put("property", row.property()).put("liveness", row.liveness());
      ObjectNode cells = node.putObject("cells");
      for (Map.Entry<String, Matrix.Cell> entry : row.cells().entrySet()) {
        Matrix.Cell cell = entry.getValue();
        ObjectNode one = cells.putObject(entry.getKey());
        one.put("verdict", word(cell.colour()));
        cell.models().forEach(one.putArray("models")::add);
        if (cell.colour() == Matrix.Colour.RED) {
          one.put("steps", cell.steps());
        }
        cell.finding()
            .ifPresent(
                finding -> {
                  ObjectNode policies = one.putObject("policies");
                  finding.choice().policy().forEach(policies::put);
                  finding.actions().forEach(one.putArray("actions")::add);
                });
        cell.why().ifPresent(why -> one.put("why", why));
      }
    }
    return document;
  }

  private static String word(Matrix.Colour colour) {
    return switch (colour) {
      case RED -> "red";
      case GREEN -> "green";
      case BOUNDED -> "bounded";
      case NOT_APPLICABLE -> "not applicable";
    };
  }
}
