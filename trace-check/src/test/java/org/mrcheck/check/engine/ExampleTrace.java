package org.mrcheck.check.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/** A small trace of a correct device: one region, a WRITE that lands, a deregistration. */
final class ExampleTrace {
  static final List<String> HEADER =
      List.of(
          "mrtrace 1",
          "%host h process=1 generation=1 clock=monotonic byte_order=little",
          "%transport memory",
          "%observes registration * complete",
          "%observes wire * complete",
          "%observes check * complete",
          "%observes dma * complete",
          "%observes queue_pair * complete",
          "%observes posting * complete");

  private static final List<String> EVENTS =
      List.of(
          "h/owner reg mr=1 pd=1 key=0x100 lkey=0x100 va=0x1000 len=4096"
              + " rights=local_write|remote_write label=\"A\"",
          "h/owner reg mr=2 pd=1 key=0x200 lkey=0x200 va=0x4000 len=4096"
              + " rights=local_write|remote_write label=\"B\"",
          "h/owner qp.create qp=0x11.1 pd=1 rights=remote_write",
          "h/owner qp.connect qp=0x11.1 receive_psn=7 send_psn=100 mtu=1024",
          "h/wire rx qp=0x11.1 op=RC_RDMA_WRITE_ONLY psn=7 ackreq=1 payload=512 key=0x100"
              + " va=0x1e00 len=512",
          "h/engine0 check qp=0x11.1 psn=7 access=remote_write key=0x100 va=0x1e00 len=512"
              + " remaining=512 verdict=accept mr=1",
          "h/engine0 dma.write qp=0x11.1 psn=7 mr=1 key=0x100 va=0x1e00 len=512",
          "h/wire ack qp=0x11.1 psn=7 msn=1 syndrome=0x1f",
          "h/owner dereg.call mr=1 key=0x100",
          "h/owner dereg.return mr=1 key=0x100 status=ok",
          "h/wire rx qp=0x11.1 op=RC_RDMA_WRITE_ONLY psn=8 ackreq=1 payload=512 key=0x100"
              + " va=0x1e00 len=512",
          "h/engine0 check qp=0x11.1 psn=8 access=remote_write key=0x100 va=0x1e00 len=512"
              + " remaining=512 verdict=refuse cause=key",
          "h/wire nak qp=0x11.1 psn=8 msn=1 syndrome=0x62",
          "h/engine0 qp.state qp=0x11.1 state=ERR");

  static final int CHECK = 6;
  static final int DMA = 7;
  static final int DEREG_RETURN = 10;
  static final int REFUSED_CHECK = 12;
  static final int NAK = 13;

  private ExampleTrace() {}

  /** The events as lines, each with its number. */
  static List<String> events() {
    return IntStream.range(0, EVENTS.size())
        .mapToObj(index -> (index + 1) + " " + (1000 + index) + " " + EVENTS.get(index))
        .toList();
  }

  static List<String> whole() {
    return with(List.copyOf(events()));
  }

  static List<String> with(List<String> events) {
    List<String> lines = new ArrayList<>(HEADER);
    lines.addAll(events);
    return lines;
  }

  /** The trace without one event. */
  static List<String> without(int seq) {
    List<String> events = new ArrayList<>(events());
    events.remove(seq - 1);
    return with(events);
  }

  /** The trace with one event moved behind another, under its old number. */
  static List<String> moved(int seq, int behind) {
    List<String> events = new ArrayList<>(events());
    String line = events.remove(seq - 1);
    events.add(behind - 1, line);
    return with(events);
  }

  static List<String> changed(int seq, UnaryOperator<String> change) {
    List<String> events = new ArrayList<>(events());
    events.set(seq - 1, change.apply(events.get(seq - 1)));
    return with(events);
  }
}
