package org.mrcheck.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import org.mrcheck.check.engine.Budget;
import org.mrcheck.check.engine.CatalogueException;
import org.mrcheck.check.engine.ContractCatalogue;
import org.mrcheck.check.verdict.ExitCode;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.TlaTools;
import picocli.CommandLine.Option;

/** Where the TLA+ text and TLC come from. */
final class SpecOptions {
  /** Names the folder of modules that the launcher stands beside, so that an edit takes effect. */
  static final String FOLDER_PROPERTY = "mrcheck.spec";

  @Option(
      names = "--spec",
      paramLabel = "FOLDER",
      description = "Take modules and bindings from this folder first.")
  private Path folder;

  @Option(
      names = {"--tla2tools", "--tlc"},
      paramLabel = "JAR",
      description = "Use this tla2tools.jar instead of the bundled one.")
  private Path jar;

  /** The modules: a folder of the user's, then the repository's, then the bundled ones. */
  SpecLibrary library() {
    SpecLibrary library = SpecLibrary.bundled();
    String beside = System.getProperty(FOLDER_PROPERTY, "");
    if (!beside.isEmpty() && Files.isDirectory(Path.of(beside))) {
      library = SpecLibrary.folder(Path.of(beside)).orElse(library);
    }
    if (folder == null) {
      return library;
    }
    if (!Files.isDirectory(folder)) {
      throw UserFault.of(
          ExitCode.USAGE, folder + " is not a folder", "--spec names a folder of TLA+ modules.");
    }
    return SpecLibrary.folder(folder).orElse(library);
  }

  /** TLC. */
  TlaTools tools() {
    try {
      return jar == null ? TlaTools.bundled() : TlaTools.at(jar);
    } catch (SpecException unusable) {
      throw UserFault.of(
          ExitCode.USAGE,
          unusable.getMessage(),
          "--tla2tools names the jar of a TLA+ tools release, 1.7.3 or newer.");
    }
  }

  /** The contracts. */
  ContractCatalogue catalogue() {
    try {
      return ContractCatalogue.load(tools(), library(), ContractCatalogue.BUNDLED, Budget.DEFAULT);
    } catch (CatalogueException malformed) {
      throw new UserFault(malformed.getMessage().stripTrailing() + "\n", ExitCode.MALFORMED_INPUT);
    }
  }
}
