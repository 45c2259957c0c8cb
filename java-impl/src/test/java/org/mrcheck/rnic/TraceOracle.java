package org.mrcheck.rnic;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.CheckVerdict;
import org.mrcheck.lang.trace.TraceSink;
import org.mrcheck.lang.trace.WcStatus;

/**
 * A small checker of a device's trace, written for these tests alone and without a look at the
 * contracts: it walks the events once and notes what must not be. Not for several threads.
 */
public final class TraceOracle implements TraceSink {
  private enum Phase {
    REGISTERING,
    LIVE,
    ENDING
  }

  private static final class Region {
    final long mr;
    Phase phase = Phase.REGISTERING;
    TraceEvent.Reg reg;

    Region(long mr) {
      this.mr = mr;
    }
  }

  private record HostKey(String host, MemoryKey key) {}

  private record HostQp(String host, QueuePairId qp) {}

  private static final class Pair {
    long pd;
    boolean error;
    boolean fatalNakSent;
    boolean fatalNakArrived;
    boolean errorCompleted;
    int high = -1;
    int low = -1;
    int mtu;
    final Map<Integer, Integer> executed = new HashMap<>();
    boolean receivesRequests;
  }

  private final Map<HostKey, Region> byKey = new HashMap<>();
  private final Map<String, Map<Long, Region>> byNumber = new HashMap<>();
  private final Map<HostQp, Pair> pairs = new HashMap<>();
  private final Map<EventName, Long> counts = new EnumMap<>(EventName.class);
  private final List<String> complaints = new ArrayList<>();
  private final boolean lossyWire;
  private long lastSeq;
  private long accessesAfterReturn;

  public TraceOracle() {
    this(false);
  }

  private TraceOracle(boolean lossyWire) {
    this.lossyWire = lossyWire;
  }

  /** An oracle that lets READ responses come twice. */
  static TraceOracle forLossyWire() {
    return new TraceOracle(true);
  }

  public List<String> complaints() {
    return complaints;
  }

  public Map<EventName, Long> counts() {
    return counts;
  }

  public long accessesAfterReturn() {
    return accessesAfterReturn;
  }

  @Override
  public void accept(TraceEvent event) {
    counts.merge(event.name(), 1L, Long::sum);
    if (event.stamp().seq() != ++lastSeq) {
      complain(event, "seq is not " + lastSeq);
    }
    String host = event.stamp().actor().host();
    if (event instanceof TraceEvent.RegCall call) {
      Region region = new Region(call.mr());
      regions(host).put(call.mr(), region);
      if (byKey.put(new HostKey(host, call.key()), region) != null) {
        complain(event, "key is registered already");
      }
    } else if (event instanceof TraceEvent.Reg reg) {
      Region region = regions(host).get(reg.mr());
      region.phase = Phase.LIVE;
      region.reg = reg;
    } else if (event instanceof TraceEvent.DeregCall call) {
      Region region = regions(host).get(call.mr());
      if (region == null || region.phase != Phase.LIVE) {
        complain(event, "not live");
      } else {
        region.phase = Phase.ENDING;
      }
    } else if (event instanceof TraceEvent.DeregReturn back) {
      if (regions(host).remove(back.mr()) == null) {
        complain(event, "not registered");
      }
      byKey.remove(new HostKey(host, back.key()));
    } else if (event instanceof TraceEvent.Check check) {
      check(host, check);
    } else if (event instanceof TraceEvent.DmaRead read) {
      access(host, read, read.mr());
    } else if (event instanceof TraceEvent.DmaWrite write) {
      access(host, write, write.mr());
      Pair pair = pair(host, write.qp());
      if (pair.receivesRequests && pair.executed.merge(write.psn(), 1, Integer::sum) > 1) {
        complain(event, "executed twice");
      }
    } else {
      queuePairEvent(host, event);
    }
  }

  private void check(String host, TraceEvent.Check check) {
    Region region = byKey.get(new HostKey(host, check.key()));
    if (check.verdict() == CheckVerdict.ACCEPT) {
      if (region == null) {
        complain(check, "accepted, but the key is not registered");
      } else if (region.phase != Phase.REGISTERING && !permitted(host, check, region.reg)) {
        complain(check, "accepted, but not permitted");
      }
      if (region != null && check.mr().orElse(-1) != region.mr) {
        complain(check, "accepted under another registration");
      }
    } else if (region != null
        && region.phase == Phase.LIVE
        && permitted(host, check, region.reg)
        && region.reg.va() + region.reg.length() - check.va() >= check.remaining()) {
      complain(check, "refused, but live and permitted");
    }
  }

  /** With signed sums, which is right for the addresses of these tests' traces. */
  private boolean permitted(String host, TraceEvent.Check check, TraceEvent.Reg reg) {
    boolean inside =
        check.va() >= reg.va() && check.va() + check.length() <= reg.va() + reg.length();
    Flag needed =
        switch (check.access()) {
          case LOCAL_READ -> null;
          case LOCAL_WRITE -> Flag.LOCAL_WRITE;
          case REMOTE_READ -> Flag.REMOTE_READ;
          case REMOTE_WRITE -> Flag.REMOTE_WRITE;
          case REMOTE_ATOMIC -> Flag.REMOTE_ATOMIC;
        };
    return inside
        && (needed == null || reg.rights().has(needed))
        && pair(host, check.qp()).pd == reg.pd();
  }

  private void access(String host, TraceEvent event, long mr) {
    if (!regions(host).containsKey(mr)) {
      accessesAfterReturn++;
      complain(event, "memory access after deregistration has returned");
    }
  }

  private void queuePairEvent(String host, TraceEvent event) {
    if (event instanceof TraceEvent.QpCreate create) {
      Pair pair = new Pair();
      pair.pd = create.pd();
      if (pairs.put(new HostQp(host, create.qp()), pair) != null) {
        complain(event, "exists");
      }
    } else if (event instanceof TraceEvent.QpConnect connect) {
      Pair pair = pair(host, connect.qp());
      pair.low = connect.receivePsn().orElseThrow();
      pair.high = pair.low;
      pair.mtu = connect.mtu().orElseThrow();
    } else if (event instanceof TraceEvent.QpState state) {
      Pair pair = pair(host, state.qp());
      if (state.state() == QueuePairState.ERR) {
        pair.error = true;
      } else if (state.state() == QueuePairState.RESET) {
        pairs.remove(new HostQp(host, state.qp()));
      } else if (pair.error) {
        complain(event, "left ERR");
      }
    } else if (event instanceof TraceEvent.Rx rx) {
      Pair pair = pair(host, rx.qp());
      if (rx.packet().opcode().isRequest()) {
        pair.receivesRequests = true;
        if (rx.packet().psn() == pair.high) {
          long length = rx.packet().access().map(access -> access.length()).orElse(0L);
          int span =
              rx.packet().opcode().isReadRequest()
                  ? (int) Math.max(1, (length + pair.mtu - 1) / pair.mtu)
                  : 1;
          pair.high = Psn.add(pair.high, span);
        }
      } else if (rx.packet().syndrome().map(Syndrome::isFatal).orElse(false)) {
        pair.fatalNakArrived = true;
      }
    } else if (event instanceof TraceEvent.Tx tx) {
      Pair pair = pair(host, tx.qp());
      if (tx.packet().opcode().isRequest()) {
        if (pair.fatalNakArrived) {
          complain(event, "request after a fatal NAK arrived");
        }
      } else {
        answer(event, pair, tx.packet().psn(), lossyWire);
      }
    } else if (event instanceof TraceEvent.Ack ack) {
      answer(event, pair(host, ack.qp()), ack.psn(), true);
    } else if (event instanceof TraceEvent.Nak nak) {
      Pair pair = pair(host, nak.qp());
      if (pair.fatalNakSent) {
        complain(event, "a second fatal NAK");
      }
      if (nak.syndrome().isFatal()) {
        pair.fatalNakSent = true;
        if (Psn.distance(nak.psn(), pair.low) < 0 || Psn.distance(nak.psn(), pair.high) >= 0) {
          complain(event, "not in [" + pair.low + ", " + pair.high + ")");
        }
      }
    } else if (event instanceof TraceEvent.Wc wc) {
      Pair pair = pair(host, wc.qp());
      if (wc.status() == WcStatus.WR_FLUSH_ERR) {
        if (!pair.error && !pair.errorCompleted) {
          complain(event, "flushed without a reason");
        }
      } else if (pair.errorCompleted) {
        complain(event, "not flushed after an error");
      }
      pair.errorCompleted |= wc.status() != WcStatus.SUCCESS;
    }
  }

  private void answer(TraceEvent event, Pair pair, int psn, boolean mayRepeat) {
    if (pair.fatalNakSent) {
      complain(event, "answer after a fatal NAK");
    }
    if (Psn.distance(psn, pair.high) >= 0) {
      complain(event, "answers what was not received");
    }
    if (Psn.distance(psn, pair.low) < 0 && !mayRepeat) {
      complain(event, "answered before");
    }
    if (Psn.distance(Psn.add(psn, 1), pair.low) > 0) {
      pair.low = Psn.add(psn, 1);
    }
  }

  private Map<Long, Region> regions(String host) {
    return byNumber.computeIfAbsent(host, name -> new HashMap<>());
  }

  private Pair pair(String host, QueuePairId qp) {
    return pairs.computeIfAbsent(
        new HostQp(host, qp),
        id -> {
          complaints.add(id + " was never created, or is gone");
          return new Pair();
        });
  }

  private void complain(TraceEvent event, String what) {
    if (complaints.size() < 100) {
      complaints.add(what + ": " + event);
    }
  }
}
