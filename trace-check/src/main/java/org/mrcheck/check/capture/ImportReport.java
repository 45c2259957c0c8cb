package org.mrcheck.check.capture;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.mrcheck.lang.trace.EventName;

/**
 * What an import found, and what became of everything it read.
 *
 * @param frames frames in the file
 * @param rdmaFrames frames with a base transport header
 * @param fates how many frames ended how; the numbers add up to {@code frames}
 * @param events how many events of each name were written
 * @param queuePairs how many queue pairs were seen
 * @param paired how many of them found their peer, by how
 * @param unpaired queue pairs without a peer
 * @param latePackets packets of an earlier queue pair that arrived after its number was reused
 * @param psnGaps how often requests jumped ahead: frames the capture or the network lost
 * @param missingPackets how many packets the gaps amount to
 * @param repeatedPackets requests whose PSN had been passed before
 * @param badIcrc frames whose invariant CRC is wrong
 * @param uncheckedIcrc RDMA frames whose invariant CRC could not be checked
 * @param truncated RDMA frames cut by the snap length
 * @param unknownOpcodes packets of unknown transports by opcode
 * @param unansweredConnectRequests connection requests without a reply in the capture
 * @param unknownMarks lines at the marks' port of no known kind, the first few
 * @param verbs what became of each verbs log
 * @param notes how far the capture can be relied on
 * @param warnings what a reader should know
 */
public record ImportReport(
    long frames,
    long rdmaFrames,
    Map<FrameFate, Long> fates,
    Map<EventName, Long> events,
    long queuePairs,
    Map<String, Long> paired,
    List<String> unpaired,
    long latePackets,
    long psnGaps,
    long missingPackets,
    long repeatedPackets,
    long badIcrc,
    long uncheckedIcrc,
    long truncated,
    Map<Integer, Long> unknownOpcodes,
    long unansweredConnectRequests,
    List<String> unknownMarks,
    List<VerbsReport> verbs,
    List<String> notes,
    List<String> warnings) {

  /** Copies the collections. */
  public ImportReport {
    fates = Collections.unmodifiableMap(copy(FrameFate.class, fates));
    events = Collections.unmodifiableMap(copy(EventName.class, events));
    paired = Collections.unmodifiableMap(new TreeMap<>(paired));
    unpaired = List.copyOf(unpaired);
    unknownOpcodes = Collections.unmodifiableMap(new TreeMap<>(unknownOpcodes));
    unknownMarks = List.copyOf(unknownMarks);
    verbs = List.copyOf(verbs);
    notes = List.copyOf(notes);
    warnings = List.copyOf(warnings);
  }

  private static <K extends Enum<K>> EnumMap<K, Long> copy(Class<K> type, Map<K, Long> counts) {
    EnumMap<K, Long> copied = new EnumMap<>(type);
    copied.putAll(counts);
    return copied;
  }

  /**
   * What became of a verbs log.
   *
   * @param file name of the log
   * @param host the host it belongs to
   * @param posts posts written as events
   * @param completions completions written as events
   * @param withdrawn posts that failed and are no work requests
   * @param notTransmitted posts without a packet in the capture
   * @param unanswered completions whose answer the capture does not hold
   * @param withoutPost completions of work requests whose post is not in the log, and posts and
   *     completions whose queue pair is not known
   * @param marks lines that the capture holds as marks
   * @param notMarked lines of the kinds that marks carry which are not among the marks: their order
   *     against the packets is unknown, so they are left out
   * @param conflicts lines whose place by their log and by the packets disagree; they stay in the
   *     log's order
   * @param unknownLines lines of no known kind
   */
  public record VerbsReport(
      String file,
      String host,
      long posts,
      long completions,
      long withdrawn,
      long notTransmitted,
      long unanswered,
      long withoutPost,
      long marks,
      long notMarked,
      long conflicts,
      long unknownLines) {

    private void addTo(List<String> lines) {
      lines.add(
          file
              + " ("
              + host
              + "): "
              + number(posts, "post", "posts")
              + ", "
              + number(completions, "completion", "completions"));
      add(lines, withdrawn, "post withdrawn", "posts withdrawn");
      add(lines, notTransmitted, "post without a packet", "posts without a packet");
      add(
          lines,
          unanswered,
          "completion without its answer in the capture",
          "completions without their answers in the capture");
      add(
          lines,
          withoutPost,
          "post or completion without its queue pair or post",
          "posts or completions without their queue pair or post");
      add(lines, marks, "line already read as a mark", "lines already read as marks");
      add(
          lines,
          notMarked,
          "line left out, not among the marks",
          "lines left out, not among the marks");
      add(
          lines,
          conflicts,
          "line in conflict with the order of the packets",
          "lines in conflict with the order of the packets");
      add(lines, unknownLines, "unknown line", "unknown lines");
    }

    private static void add(List<String> lines, long count, String one, String many) {
      if (count > 0) {
        lines.add("  " + number(count, one, many));
      }
    }
  }

  /** How many frames ended so. */
  public long count(FrameFate fate) {
    return fates.getOrDefault(fate, 0L);
  }

  /** How many events of the name were written. */
  public long count(EventName name) {
    return events.getOrDefault(name, 0L);
  }

  /** The report as lines for a person; what is zero is left out, except the totals. */
  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(number(frames, "frame", "frames") + ", " + rdmaFrames + " RDMA");
    fates.forEach((fate, count) -> lines.add("  " + count + " " + fate.phrase()));
    long total = events.values().stream().mapToLong(Long::longValue).sum();
    StringBuilder names = new StringBuilder();
    events.forEach(
        (name, count) -> names.append(' ').append(name.text()).append('=').append(count));
    lines.add(number(total, "event", "events") + (total == 0 ? "" : ":" + names));
    StringBuilder pairs = new StringBuilder(number(queuePairs, "queue pair", "queue pairs"));
    paired.forEach(
        (how, count) -> pairs.append(", ").append(count).append(" paired by ").append(how));
    if (!unpaired.isEmpty()) {
      pairs.append(", ").append(unpaired.size()).append(" unpaired:");
      unpaired.stream().limit(8).forEach(one -> pairs.append(' ').append(one));
      if (unpaired.size() > 8) {
        pairs.append(" …");
      }
    }
    lines.add(pairs.toString());
    if (psnGaps > 0) {
      lines.add(
          number(psnGaps, "gap", "gaps")
              + " in the PSNs of requests, "
              + number(missingPackets, "packet", "packets")
              + " not seen");
    }
    add(lines, repeatedPackets, "request sent again", "requests sent again");
    add(
        lines,
        latePackets,
        "late packet of an earlier queue pair of its number",
        "late packets of an earlier queue pair of their number");
    add(lines, badIcrc, "frame with a wrong ICRC", "frames with a wrong ICRC");
    add(
        lines,
        uncheckedIcrc,
        "frame whose ICRC was not checked",
        "frames whose ICRC was not checked");
    add(
        lines,
        truncated,
        "RDMA frame cut by the snap length",
        "RDMA frames cut by the snap length");
    add(
        lines,
        unansweredConnectRequests,
        "connection request without a reply",
        "connection requests without a reply");
    unknownOpcodes.forEach(
        (opcode, count) ->
            lines.add(
                number(count, "packet", "packets")
                    + String.format(
                        Locale.ROOT, " of an unknown transport, opcode 0x%02x", opcode)));
    unknownMarks.forEach(mark -> lines.add("unknown mark: " + mark));
    for (VerbsReport log : verbs) {
      log.addTo(lines);
    }
    lines.addAll(notes);
    warnings.forEach(warning -> lines.add("warning: " + warning));
    return lines;
  }

  private static String number(long count, String one, String many) {
    return count + " " + (count == 1 ? one : many);
  }

  private static void add(List<String> lines, long count, String one, String many) {
    if (count > 0) {
      lines.add(number(count, one, many));
    }
  }

  @Override
  public String toString() {
    return String.join(System.lineSeparator(), lines());
  }
}
