package org.mrcheck.spec;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A place where TLA+ modules and configuration files are found by name. Standard modules such as
 * {@code Naturals} need not be in it: TLC brings its own.
 *
 * <p>Implementations must be safe for use by several threads.
 */
public interface SpecLibrary {

  /**
   * The text of a file.
   *
   * @param fileName a name relative to the library, with {@code /} between folders: {@code
   *     SoundCheck.tla}, {@code mutants/DoubleReturn.cfg}
   * @return the text, or empty when there is no such file
   * @throws UncheckedIOException when the file exists but cannot be read
   */
  Optional<String> text(String fileName);

  /** Where the files are, for messages. */
  String description();

  /** The text of module {@code name}, or empty. */
  default Optional<String> module(String name) {
    return text(name + ".tla");
  }

  /** This library, and for what it does not have, another. */
  default SpecLibrary orElse(SpecLibrary other) {
    SpecLibrary first = this;
    return new SpecLibrary() {
      @Override
      public Optional<String> text(String fileName) {
        return first.text(fileName).or(() -> other.text(fileName));
      }

      @Override
      public String description() {
        return first.description() + ", " + other.description();
      }
    };
  }

  /** The modules that mrcheck brings. */
  static SpecLibrary bundled() {
    return BundledLibrary.INSTANCE;
  }

  /**
   * The files of a folder, read anew each time.
   *
   * @throws IllegalArgumentException when {@code folder} is not a folder
   */
  static SpecLibrary folder(Path folder) {
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(folder + " is not a folder");
    }
    return new FolderLibrary(folder);
  }

  /** Files in memory, by name. */
  static SpecLibrary of(Map<String, String> files) {
    return new MemoryLibrary(Map.copyOf(files));
  }
}

/** Resources beside this class; the build copies the modules there. */
final class BundledLibrary implements SpecLibrary {
  static final BundledLibrary INSTANCE = new BundledLibrary();

  @Override
  public Optional<String> text(String fileName) {
    if (!FileNames.isPlain(fileName)) {
      return Optional.empty();
    }
    try (InputStream in = SpecLibrary.class.getResourceAsStream("tla/" + fileName)) {
      return in == null
          ? Optional.empty()
          : Optional.of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String description() {
    return "the modules of mrcheck";
  }
}

record FolderLibrary(Path folder) implements SpecLibrary {
  FolderLibrary {
    Objects.requireNonNull(folder, "folder");
  }

  @Override
  public Optional<String> text(String fileName) {
    Path file = folder.resolve(fileName);
    if (!FileNames.isPlain(fileName) || !Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String description() {
    return folder.toString();
  }
}

record MemoryLibrary(Map<String, String> files) implements SpecLibrary {
  @Override
  public Optional<String> text(String fileName) {
    return Optional.ofNullable(files.get(fileName));
  }

  @Override
  public String description() {
    return "modules in memory";
  }
}

final class FileNames {
  /** Names that cannot leave the library: no empty, dot or dot-dot step, no other separator. */
  private static final Pattern PLAIN = Pattern.compile("(?!\\.)[\\w.-]+(/(?!\\.)[\\w.-]+)*");

  private FileNames() {}

  static boolean isPlain(String fileName) {
    return PLAIN.matcher(fileName).matches();
  }
}
