package org.mrcheck.cli;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.mrcheck.spec.suite.Story;

/** The story of a red cell as text, 80 columns. */
final class StoryText {
  private static final String INDENT = "  ";

  private StoryText() {}

  /**
   * The lines.
   *
   * @param cell the cell as the user named it
   * @param story the story
   * @param strict the strict policies
   * @param steps its steps
   */
  static List<String> lines(
      String cell, Story story, Map<String, String> strict, List<StorySteps.Step> steps) {
    List<String> out = new ArrayList<>();
    boolean liveness = story.row().property().isPresent();
    out.add(
        cell
            + ": broken in "
            + steps.size()
            + " steps"
            + (story.behaviour().shortest() ? ", the shortest way there is" : ""));
    field(out, "model", story.row().name() + ": " + story.row().shows());
    field(out, "bounds", story.row().bounds());
    if (liveness) {
      field(out, "fairness", story.row().fairness());
    }
    field(out, "policies", story.finding().choice().describe(strict));
    out.add("");
    out.addAll(table(steps, story.finding().name()));
    story
        .behaviour()
        .backTo()
        .ifPresent(
            state ->
                out.add(
                    INDENT
                        + "and back to "
                        + (state == 1 ? "the beginning" : "what step " + (state - 1) + " led to")
                        + ", for ever"));
    if (story.behaviour().stutters()) {
      out.add(INDENT + "and then nothing, for ever");
    }
    out.add("");
    out.addAll(SequenceDiagram.of(cell, steps).text());
    out.add("");
    cause(out, story);
    return out;
  }

  private static void cause(List<String> out, Story story) {
    if (story.finding().choice().isMutant()) {
      field(out, "cause", "the defect " + story.finding().choice().defect());
      return;
    }
    if (story.repairs().isEmpty() && story.useless().isEmpty()) {
      field(out, "cause", "none of the opened policies: all of them are strict here");
      return;
    }
    if (story.repairs().isEmpty()) {
      field(out, "cause", "no one or two policies: with any two of them strict it is still broken");
    } else if (story.repairs().size() == 1) {
      field(
          out,
          "cause",
          story.repairs().get(0).stream()
                  .map(flip -> flip.policy() + " = " + flip.from())
                  .collect(Collectors.joining(" and "))
              + ". With "
              + story.repairs().get(0).stream()
                  .map(Story.Flip::to)
                  .collect(Collectors.joining(" and "))
              + " it holds within these bounds.");
    } else {
      field(out, "cause", "several choices together; each of these repairs it:");
      for (List<Story.Flip> set : story.repairs()) {
        field(out, "", set.stream().map(Story.Flip::toString).collect(Collectors.joining(" and ")));
      }
    }
    if (!story.useless().isEmpty()) {
      field(
          out,
          "no part",
          story.useless().stream()
              .map(flip -> flip.policy() + " = " + flip.from())
              .collect(Collectors.joining(", ")));
    }
  }

  static void field(List<String> out, String name, String text) {
    List<String> lines = ModelText.wrap(text, " ".repeat(12));
    for (int index = 0; index < lines.size(); index++) {
      out.add(
          index == 0
              ? INDENT + "%-9s ".formatted(name) + lines.get(index).strip()
              : lines.get(index));
    }
  }

  /** One row a step: who, the event or the silent step, and below it what changed. */
  private static List<String> table(List<StorySteps.Step> steps, String property) {
    Set<String> lanes = new LinkedHashSet<>();
    steps.forEach(step -> lanes.add(step.lane()));
    List<String> names = List.copyOf(lanes);
    List<String> out = new ArrayList<>();
    String heads = String.join(" ", names);
    out.add(INDENT + "step  " + heads + "  what happens; what changes in the device");
    String margin = " ".repeat(INDENT.length() + 6 + heads.length() + 2);
    for (StorySteps.Step step : steps) {
      StringBuilder head = new StringBuilder(INDENT + "%4d  ".formatted(step.number()));
      for (String name : names) {
        String cell = " ".repeat((name.length() - 1) / 2) + (name.equals(step.lane()) ? "o" : ".");
        head.append(cell).append(" ".repeat(name.length() - cell.length() + 1));
      }
      head.append(' ');
      String what =
          step.silent()
              ? "(" + StorySteps.words(step.action()) + ")"
              : step.name() + " " + step.fields();
      boolean first = true;
      for (String part : wrapped(what, margin)) {
        out.add(first ? head + part : margin + part);
        first = false;
      }
      for (String change : step.changes()) {
        for (String part : wrapped("~ " + change, margin)) {
          out.add(margin + part);
        }
      }
      for (String broken : step.broken()) {
        out.add(margin + (broken.equals(property) ? "> BREAKS " : "> breaks ") + broken);
      }
      for (String reached : step.reached()) {
        out.add(margin + "> reaches " + reached);
      }
    }
    return out;
  }

  private static List<String> wrapped(String text, String margin) {
    return ModelText.wrap(text, margin).stream()
        .map(line -> line.substring(margin.length()))
        .toList();
  }
}
