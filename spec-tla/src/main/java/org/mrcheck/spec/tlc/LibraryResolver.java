package org.mrcheck.spec.tlc;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.mrcheck.spec.SpecLibrary;
import util.FilenameToStream;

/**
 * Gives TLC the files it asks for: those of a library, and the standard modules of its own jar. TLC
 * insists on files, so each is written to a private folder first.
 */
final class LibraryResolver implements FilenameToStream {
  private static final String STANDARD_MODULES = "tla2sany/StandardModules/";
  private static final String MODULE_SUFFIX = ".tla";

  private final SpecLibrary library;
  private final Path folder;
  private final Map<String, String> texts = new HashMap<>();

  /**
   * Creates a resolver.
   *
   * @param library where to look first
   * @param folder an existing, empty folder that the caller deletes
   */
  LibraryResolver(SpecLibrary library, Path folder) {
    this.library = library;
    this.folder = folder;
  }

  @Override
  public File resolve(String name, boolean isModule) {
    String fileName = isModule && !name.endsWith(MODULE_SUFFIX) ? name + MODULE_SUFFIX : name;
    // The tools sometimes ask with the path that they were given before.
    fileName = Path.of(fileName).getFileName().toString();
    Optional<String> own = fileName.endsWith(".class") ? Optional.empty() : library.text(fileName);
    try {
      Path file = folder.resolve(fileName);
      if (own.isPresent()) {
        texts.put(fileName, own.get());
        Files.writeString(file, own.get(), StandardCharsets.UTF_8);
        return new TLAFile(file.toString(), false, this);
      }
      try (InputStream standard = standardModule(fileName)) {
        if (standard != null) {
          Files.write(file, standard.readAllBytes());
          return new TLAFile(file.toString(), true, this);
        }
      }
      return new TLAFile(folder.resolve("missing").resolve(fileName).toString(), false, this);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String getFullPath() {
    return library.description();
  }

  @Override
  public boolean isStandardModule(String name) {
    if (library.module(name).isPresent()) {
      return false;
    }
    try (InputStream standard = standardModule(name + MODULE_SUFFIX)) {
      return standard != null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text of a library file that TLC has read. */
  Optional<String> text(String fileName) {
    return Optional.ofNullable(texts.get(fileName));
  }

  private static InputStream standardModule(String fileName) {
    return FilenameToStream.class.getClassLoader().getResourceAsStream(STANDARD_MODULES + fileName);
  }
}
