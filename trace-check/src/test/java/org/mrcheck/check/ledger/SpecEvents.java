package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.Icrc;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.spec.SpecValue;

/** Events with small numbers as the records that {@code Derive.tla} takes. */
final class SpecEvents {
  private final Map<String, SpecValue> fields = new TreeMap<>();

  private SpecEvents() {}

  static SpecValue of(TraceEvent event) {
    SpecEvents record = new SpecEvents();
    record.put("name", event.name().text());
    record.put("host", event.stamp().actor().host());
    record.fill(event);
    return SpecValue.record(record.fields);
  }

  private void put(String name, String value) {
    fields.put(name, SpecValue.of(value));
  }

  private void put(String name, long value) {
    fields.put(name, SpecValue.of(Math.toIntExact(value)));
  }

  private void put(String name, MemoryKey key) {
    put(name, key.unsigned());
  }

  private void put(QueuePairId qp) {
    put("qp", qp.toString());
  }

  private void put(AccessFlags rights) {
    List<SpecValue> names = new ArrayList<>();
    for (AccessFlags.Flag flag : AccessFlags.Flag.values()) {
      if (rights.has(flag)) {
        names.add(SpecValue.of(flag.text()));
      }
    }
    fields.put("rights", SpecValue.set(names));
  }

  private void put(TraceEvent.CallStatus status) {
    put("status", status.name().toLowerCase(java.util.Locale.ROOT));
  }

  private void fill(TraceEvent event) {
    if (event.stamp().frame() != 0) {
      put("frame", event.stamp().frame());
    }
    if (event instanceof TraceEvent.RegCall e) {
      put("mr", e.mr());
      put("key", e.key());
      e.qp().ifPresent(this::put);
    } else if (event instanceof TraceEvent.Reg e) {
      put("mr", e.mr());
      put("pd", e.pd());
      put("key", e.key());
      put("lkey", e.lkey());
      put("va", e.va());
      put("len", e.length());
      put(e.rights());
      e.qp().ifPresent(this::put);
    } else if (event instanceof TraceEvent.DeregCall e) {
      put("mr", e.mr());
      put("key", e.key());
    } else if (event instanceof TraceEvent.DeregReturn e) {
      put("mr", e.mr());
      put("key", e.key());
      put(e.status());
    } else if (event instanceof TraceEvent.ReregCall e) {
      put("mr", e.mr());
      put("key", e.key());
      put("pd", e.pd());
      put("va", e.va());
      put("len", e.length());
      put(e.rights());
    } else if (event instanceof TraceEvent.ReregReturn e) {
      put("mr", e.mr());
      put("key", e.key());
      put(e.status());
    } else if (event instanceof TraceEvent.BindCall e) {
      put("mw", e.mw());
      put("type", e.type());
      put("mr", e.mr());
      e.qp().ifPresent(this::put);
      put("key", e.key());
      put("va", e.va());
      put("len", e.length());
      put(e.rights());
    } else if (event instanceof TraceEvent.BindReturn e) {
      put("mw", e.mw());
      put("key", e.key());
      put(e.status());
    } else if (event instanceof TraceEvent.InvCall e) {
      put("key", e.key());
      e.qp().ifPresent(this::put);
    } else if (event instanceof TraceEvent.InvReturn e) {
      put("key", e.key());
      e.qp().ifPresent(this::put);
      put(e.status());
    } else if (event instanceof TraceEvent.Pin e) {
      put("mr", e.mr());
      put("va", e.va());
      put("len", e.length());
      e.dmaAddress().ifPresent(at -> put("dma_addr", at));
    } else if (event instanceof TraceEvent.Unpin e) {
      put("mr", e.mr());
      put("va", e.va());
      put("len", e.length());
      e.dmaAddress().ifPresent(at -> put("dma_addr", at));
    } else if (event instanceof TraceEvent.MwAlloc e) {
      put("mw", e.mw());
      put("pd", e.pd());
      put("type", e.type());
    } else if (event instanceof TraceEvent.MwDeallocCall e) {
      put("mw", e.mw());
      put("key", e.key());
    } else if (event instanceof TraceEvent.MwDeallocReturn e) {
      put("mw", e.mw());
      put("key", e.key());
      put(e.status());
    } else if (event instanceof TraceEvent.PdAlloc e) {
      put("pd", e.pd());
    } else if (event instanceof TraceEvent.PdDealloc e) {
      put("pd", e.pd());
      put(e.status());
    } else if (event instanceof TraceEvent.QpDestroy e) {
      put(e.qp());
      put(e.status());
    } else if (event instanceof TraceEvent.SrqPost e) {
      put("srq", e.srq());
      put("wr", e.wr());
      e.lkey().ifPresent(key -> put("lkey", key));
      put("len", e.length());
    } else if (event instanceof TraceEvent.Post e) {
      put(e.qp());
      put("wr", e.wr());
      put("op", e.operation().name());
      e.remote()
          .ifPresent(
              remote -> {
                put("key", remote.key());
                put("va", remote.va());
              });
      e.invalidate().ifPresent(key -> put("inv", key));
      put("len", e.length());
      if (!e.signaled()) {
        put("signaled", 0);
      }
    } else if (event instanceof TraceEvent.Wc e) {
      put(e.qp());
      put("wr", e.wr());
      put("status", e.status().name());
      e.operation().ifPresent(operation -> put("op", operation.name()));
      e.invalidated().ifPresent(key -> put("inv", key));
    } else if (event instanceof TraceEvent.Rx e) {
      put(e.qp());
      put(e.packet());
    } else if (event instanceof TraceEvent.Tx e) {
      put(e.qp());
      put(e.packet());
    } else if (event instanceof TraceEvent.Ack e) {
      put(e.qp());
      put("psn", e.psn());
      put("msn", e.msn());
      put("syndrome", e.syndrome().bits());
    } else if (event instanceof TraceEvent.Nak e) {
      put(e.qp());
      put("psn", e.psn());
      put("msn", e.msn());
      put("syndrome", e.syndrome().bits());
    } else if (event instanceof TraceEvent.Check e) {
      put(e.qp());
      put("psn", e.psn());
      put("access", e.access().text());
      put("key", e.key());
      put("va", e.va());
      put("len", e.length());
      put("remaining", e.remaining());
      put("verdict", e.verdict().name().toLowerCase(java.util.Locale.ROOT));
    } else if (event instanceof TraceEvent.DmaRead e) {
      put(e.qp());
      put("psn", e.psn());
      put("mr", e.mr());
      put("key", e.key());
      put("va", e.va());
      put("len", e.length());
      e.dmaAddress().ifPresent(at -> put("dma_addr", at));
    } else if (event instanceof TraceEvent.DmaWrite e) {
      put(e.qp());
      put("psn", e.psn());
      put("mr", e.mr());
      put("key", e.key());
      put("va", e.va());
      put("len", e.length());
      e.dmaAddress().ifPresent(at -> put("dma_addr", at));
    } else if (event instanceof TraceEvent.QpCreate e) {
      put(e.qp());
      put("pd", e.pd());
      put(e.rights());
      e.srq().ifPresent(srq -> put("srq", srq));
    } else if (event instanceof TraceEvent.QpConnect e) {
      put(e.qp());
      e.peer().ifPresent(peer -> fields.put("peer", address(peer)));
      e.receivePsn().ifPresent(psn -> put("receive_psn", psn));
      e.sendPsn().ifPresent(psn -> put("send_psn", psn));
      e.mtu().ifPresent(mtu -> put("mtu", mtu));
    } else if (event instanceof TraceEvent.QpState e) {
      put(e.qp());
      put("state", e.state().name());
      e.by().ifPresent(by -> put("by", by.name().toLowerCase(java.util.Locale.ROOT)));
    } else {
      throw new IllegalArgumentException("not used in the comparison: " + event);
    }
  }

  private static SpecValue address(QueuePairAddress address) {
    return SpecValue.record(
        "host", SpecValue.of(address.host()), "qp", SpecValue.of(address.id().toString()));
  }

  private void put(Packet packet) {
    put("op", packet.opcode().toString());
    put("psn", packet.psn());
    put("payload", packet.payload());
    packet
        .access()
        .ifPresent(
            access -> {
              put("key", access.key());
              put("va", access.va());
              put("len", access.length());
            });
    packet.invalidate().ifPresent(key -> put("inv", key));
    packet.syndrome().ifPresent(syndrome -> put("syndrome", syndrome.bits()));
    packet.msn().ifPresent(msn -> put("msn", msn));
    packet.original().ifPresent(original -> put("original", original));
    if (packet.icrc() == Icrc.BAD) {
      put("icrc", "bad");
    }
  }
}
