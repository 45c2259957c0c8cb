package org.mrcheck.lang.file;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/**
 * A file that bears its name only when it is whole: it is written beside it under a temporary name
 * and renamed in the end. An older regular file of that name is replaced; a symbolic link stays and
 * what it points to is replaced. What is no regular file, such as a device or a pipe, cannot be
 * replaced and is written to directly.
 *
 * <p>Not safe for use by several threads at once.
 */
public final class WholeFile implements Closeable {
  private final OutputStream out;
  private final Path temporary;
  private final Path target;
  private boolean open = true;

  private WholeFile(OutputStream out, Path temporary, Path target) {
    this.out = out;
    this.temporary = temporary;
    this.target = target;
  }

  /**
   * Begins to write.
   *
   * @throws IOException if the folder does not exist or cannot be written to, or the name is a
   *     folder's
   */
  public static WholeFile create(Path file) throws IOException {
    Path target = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
    if (Files.isDirectory(target)) {
      throw new FileSystemException(file.toString(), null, "it is a folder");
    }
    if (Files.exists(target) && !Files.isRegularFile(target)) {
      return new WholeFile(Files.newOutputStream(target, StandardOpenOption.WRITE), null, target);
    }
    String unique = ProcessHandle.current().pid() + "-" + System.nanoTime();
    Path temporary = target.resolveSibling("." + target.getFileName() + "." + unique + ".part");
    return new WholeFile(
        Files.newOutputStream(temporary, StandardOpenOption.CREATE_NEW), temporary, target);
  }

  /** Where to write. Closed by {@link #close} and {@link #discard}, not by the writer. */
  public OutputStream out() {
    return out;
  }

  /** Gives the file its name. If that fails nothing is left. Further calls do nothing. */
  @Override
  public void close() throws IOException {
    if (!open) {
      return;
    }
    open = false;
    boolean whole = false;
    try {
      out.close();
      if (temporary != null) {
        Files.move(temporary, target, StandardCopyOption.REPLACE_EXISTING);
      }
      whole = true;
    } finally {
      if (!whole && temporary != null) {
        Files.deleteIfExists(temporary);
      }
    }
  }

  /** Stops without giving the file its name; what was written is gone. */
  public void discard() throws IOException {
    if (!open) {
      return;
    }
    open = false;
    try (out) {
      if (temporary != null) {
        Files.deleteIfExists(temporary);
      }
    }
  }
}
