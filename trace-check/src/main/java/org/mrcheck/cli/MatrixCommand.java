package org.mrcheck.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.suite.Matrix;
import org.mrcheck.spec.suite.ModelFindings;
import org.mrcheck.spec.suite.SuiteRunner;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** {@code mrcheck matrix}: property against profile, from runs of TLC. */
@Command(
    name = "matrix",
    description = {
      "Prints which class of devices keeps which promise, as TLC found it.",
      "",
      "Rows are contracts and liveness properties, columns are profiles: bundles of",
      "policies of a class of devices. Results of earlier runs are used again while the",
      "modules, the configuration and TLC are the same; what is missing is run."
    },
    mixinStandardHelpOptions = true,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the matrix is whole, and as the manifest says",
      "1:some model ended otherwise than the manifest says",
      "2:usage, or a file that cannot be written",
      "6:gave up within the budget; the matrix is not whole",
      "65:a module, a configuration or the manifest is malformed",
      "70:internal error"
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  mrcheck matrix",
      "  mrcheck matrix --markdown matrix.md --json-file matrix.json",
      "  mrcheck matrix --fresh",
      "  mrcheck model --explain siw/NoAccessAfterReturn"
    })
final class MatrixCommand implements Callable<Integer> {
  @Mixin private CommonOptions common;
  @Mixin private SpecOptions spec;

  @Option(names = "--markdown", paramLabel = "FILE", description = "Write it as Markdown too.")
  private Path markdown;

  @Option(names = "--json-file", paramLabel = "FILE", description = "Write it as JSON too.")
  private Path jsonFile;

  @Option(names = "--fresh", description = "Run everything; use no result of an earlier run.")
  private boolean fresh;

  @Option(
      names = "--store",
      paramLabel = "FOLDER",
      description = "Where results are kept (default: mrcheck/models in the user's cache).")
  private Path store;

  @Option(
      names = "--parallel",
      paramLabel = "N",
      defaultValue = "2",
      description = "Runs at once, each in a process of its own (default: ${DEFAULT-VALUE}).")
  private int parallel;

  @Override
  public Integer call() throws Exception {
    if (parallel < 1 || parallel > 64) {
      throw new ParameterException(common.commandLine(), "--parallel is 1 to 64");
    }
    try {
      return run();
    } catch (SpecException wrong) {
      throw new UserFault(
          "mrcheck: " + wrong.getMessage().stripTrailing() + "\n", ExitCode.MALFORMED_INPUT);
    }
  }

  private int run() throws InterruptedException {
    SuiteSession session =
        SuiteSession.open(
            spec.tools(),
            spec.library(),
            common.console(),
            false,
            1,
            parallel,
            Optional.ofNullable(store),
            !fresh);
    List<SuiteRunner.RowResult> results = session.run(session.manifest().all(), result -> {});
    Matrix matrix =
        Matrix.of(results, session.runner().profiles(), session.manifest().notApplicable());
    if (markdown != null) {
      OutputFiles.write(markdown, MatrixText.markdown(matrix));
    }
    if (jsonFile != null) {
      OutputFiles.write(jsonFile, MatrixText.json(matrix).toPrettyString() + "\n");
    }
    if (common.json()) {
      common.printJson(MatrixText.json(matrix));
    } else {
      print(matrix, results);
    }
    return exitCode(results).code();
  }

  private void print(Matrix matrix, List<SuiteRunner.RowResult> results) {
    PrintWriter out = common.console().out();
    MatrixText.lines(matrix, common.console().colour()).forEach(out::println);
    out.println();
    MatrixText.legend().forEach(out::println);
    out.println();
    long reused = results.stream().filter(SuiteRunner.RowResult::reused).count();
    List<String> lines = new ArrayList<>();
    lines.addAll(
        ModelText.wrap(
            "From %d models: %d run now, %d with the results of an earlier run of the same text%s."
                .formatted(
                    results.size(),
                    results.size() - reused,
                    reused,
                    reused == 0 ? "" : " (run them again: --fresh)"),
            ""));
    lines.forEach(out::println);
    results.stream()
        .filter(result -> !result.asExpected())
        .forEach(
            result -> {
              ModelText.wrap(
                      "NOT AS EXPECTED: "
                          + result.row().name()
                          + ": "
                          + result.differences().get(0),
                      "")
                  .forEach(out::println);
              out.println("  again: " + Console.PROGRAM + " model " + result.row().name());
            });
    out.println("The way to a red cell: " + Console.PROGRAM + " model --explain PROFILE/PROPERTY");
  }

  private static ExitCode exitCode(List<SuiteRunner.RowResult> results) {
    if (results.stream().allMatch(SuiteRunner.RowResult::asExpected)) {
      return ExitCode.OK;
    }
    boolean onlyGaveUp =
        results.stream()
            .filter(result -> !result.asExpected())
            .allMatch(result -> result.findings().kind() == ModelFindings.Kind.GAVE_UP);
    return onlyGaveUp ? ExitCode.GAVE_UP : ExitCode.VIOLATION;
  }
}
