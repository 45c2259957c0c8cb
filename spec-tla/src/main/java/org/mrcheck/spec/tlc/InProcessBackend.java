package org.mrcheck.spec.tlc;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mrcheck.spec.SourceLocation;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.SpecValue;
import org.mrcheck.spec.spi.PrivateFolder;
import org.mrcheck.spec.spi.TlcBackend;
import org.mrcheck.spec.spi.TlcSession;
import tlc2.tool.impl.FastTool;
import tlc2.util.FP64;
import util.ToolIO;

/** Loads modules into the TLC beside it; found by {@link java.util.ServiceLoader}. */
public final class InProcessBackend implements TlcBackend {
  private static final String ROOT = "MrcheckRoot";

  /** Called by the service loader. */
  public InProcessBackend() {}

  @Override
  public TlcSession open(
      SpecLibrary library, List<String> modules, Map<String, SpecValue> constants) {
    for (String module : modules) {
      if (library.module(module).isEmpty()) {
        throw new SpecException(
            SpecException.Kind.MISSING_FILE,
            SourceLocation.of(module + ".tla"),
            "no such module in " + library.description());
      }
    }
    SpecLibrary all = SpecLibrary.of(root(modules, constants)).orElse(library);
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream listener = new PrintStream(printed, true, StandardCharsets.UTF_8);
    ToolIO.out = listener;
    ToolIO.err = listener;
    try (PrivateFolder folder = PrivateFolder.create()) {
      FP64.Init(0);
      LibraryResolver resolver = new LibraryResolver(all, folder.path());
      FastTool tool = new FastTool(folder.path().toString(), ROOT, ROOT, resolver);
      return new InProcessSession(
          tool,
          new SourceTexts(name -> resolver.text(name + ".tla").orElse("")),
          List.copyOf(modules));
    } catch (RuntimeException e) {
      throw SpecFailures.whileLoading(
          e, printed.toString(StandardCharsets.UTF_8), library.description());
    } finally {
      PrintStream nowhere =
          new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
      ToolIO.out = nowhere;
      ToolIO.err = nowhere;
    }
  }

  /**
   * A module that brings in the others. One module is extended, so that definitions beside it can
   * stand in for its constants; several are instantiated under names of their own, since they may
   * define the same operators.
   */
  private static Map<String, String> root(List<String> modules, Map<String, SpecValue> constants) {
    StringBuilder module = new StringBuilder("---- MODULE " + ROOT + " ----\n");
    StringBuilder config = new StringBuilder();
    if (modules.size() == 1) {
      module.append("EXTENDS ").append(modules.get(0)).append('\n');
    } else {
      for (String name : modules) {
        module.append("Mrcheck_%s == INSTANCE %s%n".formatted(name, name));
      }
    }
    if (!constants.isEmpty()) {
      // Functions print with operators of module TLC, which an extended module need not bring.
      module.append("LOCAL INSTANCE TLC\n");
    }
    constants.forEach(
        (name, value) -> {
          module.append("Mrcheck_%s == %s%n".formatted(name, value));
          config.append("CONSTANT %s <- Mrcheck_%s%n".formatted(name, name));
        });
    module.append("====\n");
    Map<String, String> files = new HashMap<>();
    files.put(ROOT + ".tla", module.toString());
    files.put(ROOT + ".cfg", config.toString());
    return files;
  }
}
