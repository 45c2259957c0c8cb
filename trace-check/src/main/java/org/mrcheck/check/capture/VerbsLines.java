package org.mrcheck.check.capture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;

/**
 * The lines of a verbs log: {@code TIME event words…}.
 *
 * @param name file name
 * @param host the host its {@code gid index} line names
 */
record VerbsLines(String name, Optional<String> host, List<Line> lines, long unknown) {
  private static final Pattern TIMED = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s+(.*)");
  private static final Pattern GID = Pattern.compile("gid index \\d+ ([0-9a-fA-F:]+)");
  private static final Pattern POST =
      Pattern.compile(
          "post (\\d+) (\\w+)\\b.* va (0x[0-9a-fA-F]+|\\d+) rkey (0x[0-9a-fA-F]+|\\d+) len (\\d+)");
  private static final Pattern COMPLETION =
      Pattern.compile("wc \\((\\d+), (\\d+), (\\d+), (\\d+), (\\d+)\\)");

  /** One line that means something. */
  sealed interface Line {}

  /** A line of the kinds that marks carry. */
  record Owner(String text, OwnerLine content) implements Line {}

  /** {@code post N KIND free text va V rkey K len L}. */
  record Post(long wr, WorkOperation operation, long va, MemoryKey key, long length)
      implements Line {}

  /** {@code post failed}: the post before it is no work request. */
  record PostFailed() implements Line {}

  /** {@code wc (wr_id, status, opcode, vendor_err, byte_len)}. */
  record Completion(long wr, int status, int opcode, int vendorError, long length)
      implements Line {}

  /** Reads a log. Lines of no known kind are counted, never an error. */
  static VerbsLines read(Path file) throws IOException {
    String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
    Path fileName = file.getFileName();
    return parse(fileName == null ? file.toString() : fileName.toString(), text);
  }

  static VerbsLines parse(String name, String text) {
    List<Line> lines = new ArrayList<>();
    Optional<String> host = Optional.empty();
    long unknown = 0;
    for (String raw : (Iterable<String>) text.lines()::iterator) {
      String line = raw.strip();
      if (line.isEmpty()) {
        continue;
      }
      Matcher timed = TIMED.matcher(line);
      String content = timed.matches() ? timed.group(2) : line;
      Matcher gid = GID.matcher(content);
      if (gid.matches()) {
        host = hostOf(gid.group(1));
        continue;
      }
      Optional<? extends Line> read = parse(content);
      if (read.isPresent()) {
        lines.add(read.get());
      } else {
        unknown++;
      }
    }
    return new VerbsLines(name, host, List.copyOf(lines), unknown);
  }

  private static Optional<? extends Line> parse(String content) {
    try {
      Matcher post = POST.matcher(content);
      if (post.matches()) {
        WorkOperation operation = operation(post.group(2));
        return operation == null
            ? Optional.empty()
            : Optional.of(
                new Post(
                    Long.parseUnsignedLong(post.group(1)),
                    operation,
                    OwnerLine.number(post.group(3)),
                    new MemoryKey(OwnerLine.bits(post.group(4), 32)),
                    Long.parseUnsignedLong(post.group(5))));
      }
      if (content.startsWith("post failed")) {
        return Optional.of(new PostFailed());
      }
      Matcher completion = COMPLETION.matcher(content);
      if (completion.matches()) {
        return Optional.of(
            new Completion(
                Long.parseUnsignedLong(completion.group(1)),
                OwnerLine.bits(completion.group(2), 8),
                OwnerLine.bits(completion.group(3), 16),
                (int) Long.parseLong(completion.group(4)),
                Long.parseUnsignedLong(completion.group(5))));
      }
      return OwnerLine.parse(content).map(owner -> new Owner(content, owner));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static WorkOperation operation(String kind) {
    return switch (kind) {
      case "W" -> WorkOperation.RDMA_WRITE;
      case "WI" -> WorkOperation.RDMA_WRITE_WITH_IMM;
      case "R" -> WorkOperation.RDMA_READ;
      case "S" -> WorkOperation.SEND;
      case "SI" -> WorkOperation.SEND_WITH_INV;
      case "FA" -> WorkOperation.ATOMIC_FETCH_AND_ADD;
      case "CS" -> WorkOperation.ATOMIC_CMP_AND_SWP;
      default -> null;
    };
  }

  /** The host a GID names: the IPv4 address inside it, or the GID itself. */
  private static Optional<String> hostOf(String gid) {
    String[] groups = gid.split(":");
    if (groups.length != 8) {
      return Optional.empty();
    }
    int[] numbers = new int[8];
    for (int i = 0; i < 8; i++) {
      if (groups[i].isEmpty() || groups[i].length() > 4) {
        return Optional.empty();
      }
      numbers[i] = Integer.parseInt(groups[i], 16);
    }
    return Optional.of(HostNames.of(numbers));
  }
}
