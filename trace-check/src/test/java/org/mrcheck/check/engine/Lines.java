package org.mrcheck.check.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Traces of two hosts, written as one line an event without number and time: {@code a reg mr=1
 * ...}. Queue pair 0x11.1 of host a answers, queue pair 0x12.1 of host b asks; region 1 is host
 * a's, at [0x1000, 0x2000) under key 0x100.
 */
final class Lines {
  static final List<String> CLASSES =
      List.of("registration", "posting", "wire", "check", "dma", "queue_pair");

  private static final String ALL = "local_write|remote_write|remote_read|remote_atomic|mw_bind";

  private Lines() {}

  /** The two queue pairs. */
  static List<String> connected() {
    return List.of(
        "a qp.create qp=0x11.1 pd=1 rights=" + ALL,
        "a qp.connect qp=0x11.1 peer=b/0x12.1 receive_psn=7 send_psn=100 mtu=1024",
        "b qp.create qp=0x12.1 pd=1 rights=" + ALL,
        "b qp.connect qp=0x12.1 peer=a/0x11.1 receive_psn=100 send_psn=7 mtu=1024");
  }

  /** The two queue pairs and region 1. */
  static List<String> started() {
    return join(connected(), registered(1, "0x100", ALL));
  }

  static List<String> registered(int mr, String key, String rights) {
    return List.of(
        "a reg mr="
            + mr
            + " pd=1 key="
            + key
            + " lkey="
            + key
            + " va=0x1000 len=4096 rights="
            + rights);
  }

  static List<String> deregistered(int mr, String key) {
    return List.of(
        "a dereg.call mr=" + mr + " key=" + key,
        "a dereg.return mr=" + mr + " key=" + key + " status=ok");
  }

  static String post(int wr, String operation, String more) {
    return "b post qp=0x12.1 wr=" + wr + " op=" + operation + " " + more;
  }

  static String posted(int wr, String key, int length) {
    return post(wr, "RDMA_WRITE", "key=" + key + " va=0x1000 len=" + length);
  }

  /** A request leaves and arrives. */
  static List<String> request(String operation, int psn, String more) {
    String packet = " op=RC_" + operation + " psn=" + psn + " " + more;
    return List.of("b tx qp=0x12.1" + packet, "a rx qp=0x11.1" + packet);
  }

  /** A WRITE of one packet leaves and arrives. */
  static List<String> write(int psn, String key, int length) {
    return request(
        "RDMA_WRITE_ONLY",
        psn,
        "ackreq=1 payload=" + length + " key=" + key + " va=0x1000 len=" + length);
  }

  static String check(int psn, String key, String va, int length, String verdict) {
    return "a check qp=0x11.1 psn="
        + psn
        + " access=remote_write key="
        + key
        + " va="
        + va
        + " len="
        + length
        + " remaining="
        + length
        + " verdict="
        + verdict;
  }

  static String dma(int psn, int mr, String key, String va, int length) {
    return "a dma.write qp=0x11.1 psn="
        + psn
        + " mr="
        + mr
        + " key="
        + key
        + " va="
        + va
        + " len="
        + length;
  }

  /** The check and the access of a WRITE of one packet. */
  static List<String> written(int psn, int mr, String key, int length) {
    return List.of(
        check(psn, key, "0x1000", length, "accept"), dma(psn, mr, key, "0x1000", length));
  }

  static List<String> answered(int psn, String syndrome) {
    return List.of(
        "a "
            + (syndrome.equals("0x1f") ? "ack" : "nak")
            + " qp=0x11.1 psn="
            + psn
            + " msn=1 syndrome="
            + syndrome,
        "b rx qp=0x12.1 op=RC_ACKNOWLEDGE psn=" + psn + " syndrome=" + syndrome + " msn=1");
  }

  static String completed(int wr, String status) {
    return "b wc qp=0x12.1 wr=" + wr + " status=" + status + " op=RDMA_WRITE";
  }

  /** A WRITE of one packet from its post to its completion. */
  static List<String> whole(int wr, int psn, int mr, String key) {
    return join(
        List.of(posted(wr, key, 512)),
        write(psn, key, 512),
        written(psn, mr, key, 512),
        answered(psn, "0x1f"),
        List.of(completed(wr, "SUCCESS")));
  }

  /** The lines of all parts, each a line or a list of lines. */
  static List<String> join(Object... parts) {
    return Arrays.stream(parts)
        .flatMap(part -> part instanceof List<?> lines ? lines.stream() : Stream.of(part))
        .map(Object::toString)
        .toList();
  }

  /** The trace, with every class of events recorded but these. */
  static List<String> trace(List<String> events, String... unrecorded) {
    List<String> lines = new ArrayList<>();
    lines.add("mrtrace 1");
    for (String host : List.of("a", "b")) {
      lines.add("%host " + host + " process=1 generation=1 clock=monotonic byte_order=little");
    }
    lines.add("%transport memory");
    for (String recorded : CLASSES) {
      if (!List.of(unrecorded).contains(recorded)) {
        lines.add("%observes " + recorded + " * complete");
      }
    }
    int seq = 0;
    for (String event : events) {
      seq++;
      lines.add(seq + " " + 1000 * seq + " " + event.replaceFirst(" ", "/x "));
    }
    return lines;
  }
}
