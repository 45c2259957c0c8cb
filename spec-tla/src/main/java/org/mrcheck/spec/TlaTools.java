package org.mrcheck.spec;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipFile;

/**
 * The jar of the TLA+ tools (TLC and its parser) that evaluates and checks modules: the bundled
 * release 1.7.3, or a user's own {@code tla2tools.jar}.
 *
 * @param jar the jar file
 */
public record TlaTools(Path jar) {
  private static final String TLC_CLASS = "tlc2/TLC.class";

  public TlaTools {
    jar = jar.toAbsolutePath().normalize();
  }

  /**
   * The tools that mrcheck depends on.
   *
   * @throws SpecException when they are not on the class path as a jar file
   */
  public static TlaTools bundled() {
    URL resource = TlaTools.class.getClassLoader().getResource(TLC_CLASS);
    if (resource == null || !resource.getProtocol().equals("jar")) {
      throw new SpecException(
          SpecException.Kind.TOOLS, null, "the TLA+ tools are not on the class path as a jar");
    }
    String location = resource.getPath().substring(0, resource.getPath().indexOf("!/"));
    return new TlaTools(Path.of(URI.create(location)));
  }

  /**
   * A user's own jar.
   *
   * @throws SpecException when the file is not there or is not a jar of the TLA+ tools
   */
  public static TlaTools at(Path jar) {
    if (!Files.isRegularFile(jar)) {
      throw new SpecException(SpecException.Kind.TOOLS, null, "no such file: " + jar);
    }
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      if (zip.getEntry(TLC_CLASS) == null) {
        throw new SpecException(
            SpecException.Kind.TOOLS, null, jar + " does not hold the TLA+ tools");
      }
    } catch (IOException e) {
      throw new SpecException(SpecException.Kind.TOOLS, null, jar + " is not a jar file", e);
    }
    return new TlaTools(jar);
  }
}
