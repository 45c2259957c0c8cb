package org.mrcheck.check.capture;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What to read besides the packets themselves.
 *
 * @param marksPort UDP port whose datagrams are marks, lines of a host's log in the capture; empty
 *     to read none
 * @param verbsLogs logs of posts and completions
 */
public record ImportOptions(OptionalInt marksPort, List<VerbsLog> verbsLogs) {
  /** The packets alone. */
  public static final ImportOptions PACKETS_ONLY =
      new ImportOptions(OptionalInt.empty(), List.of());

  /** Copies the list. */
  public ImportOptions {
    verbsLogs = List.copyOf(verbsLogs);
  }

  /**
   * A log of posts and completions.
   *
   * @param file the log
   * @param host the host that wrote it; empty if its {@code gid index} line says so
   */
  public record VerbsLog(Path file, Optional<String> host) {
    /** Reads the text of an option: {@code FILE} or {@code FILE@HOST}. */
    public static VerbsLog parse(String text) {
      int at = text.lastIndexOf('@');
      // A slash after the sign belongs to the file's path.
      if (at <= 0 || at == text.length() - 1 || text.indexOf('/', at) >= 0) {
        return new VerbsLog(Path.of(text), Optional.empty());
      }
      return new VerbsLog(Path.of(text.substring(0, at)), Optional.of(text.substring(at + 1)));
    }
  }
}
