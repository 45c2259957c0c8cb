package org.mrcheck.rnic;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.WcStatus;

class WireTapTest {
  private static final class Listener implements WireTap {
    final List<String> heard = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void sent(
        QueuePairAddress source, QueuePairAddress destination, Wire.Frame frame, boolean damaged) {
      Packet header = frame.header();
      heard.add(
          source.host()
              + " "
              + destination.host()
              + " "
              + header.opcode()
              + " "
              + frame.payload().length);
    }

    @Override
    public void registered(String host, MemoryRegion region) {
      heard.add(host + " registered");
    }

    @Override
    public void deregistrationCalled(String host, MemoryRegion region) {
      heard.add(host + " call");
    }

    @Override
    public void deregistrationReturned(String host, MemoryRegion region) {
      heard.add(host + " return");
    }

    @Override
    public void connected(QueuePair queuePair, Connection connection) {
      heard.add(queuePair.address().host() + " " + queuePair.state());
    }
  }

  @Test
  void sent_lostAndDoubledPackets_areToldAsOftenAsTheyTravel() throws Exception {
    Listener listener = new Listener();
    Wire wire = new Wire(listener);
    RnicConfig quick = RnicConfig.forHost("a").withRetry(Duration.ofMillis(50), 7);
    try (SoftRnic a = SoftRnic.open(quick, wire);
        SoftRnic b = SoftRnic.open(RnicConfig.forHost("b"), wire)) {
      ProtectionDomain pdA = a.allocateProtectionDomain();
      ProtectionDomain pdB = b.allocateProtectionDomain();
      CompletionQueue completions = a.createCompletionQueue();
      QueuePair qpA = a.createQueuePair(pdA, completions, AccessFlags.NONE);
      QueuePair qpB = b.createQueuePair(pdB, b.createCompletionQueue(), TestBench.ALL);
      qpB.connect(new Connection(qpA.address(), 100, 500, 256));
      qpA.connect(new Connection(qpB.address(), 500, 100, 256));
      MemoryRegion local = pdA.register(ByteBuffer.allocate(64), 0, AccessFlags.NONE);
      MemoryRegion target = pdB.register(ByteBuffer.allocate(64), 0, TestBench.ALL);
      AtomicBoolean first = new AtomicBoolean(true);
      wire.deliverThrough(
          packet ->
              packet.opcode().equals(Opcode.RC_ACKNOWLEDGE) ? 2 : first.getAndSet(false) ? 0 : 1);

      qpA.post(new WorkRequest.RdmaWrite(1, local.lkey(), 0, 64, target.rkey(), 0));
      assertThat(completions.poll(Duration.ofSeconds(20)).orElseThrow().status())
          .isEqualTo(WcStatus.SUCCESS);
      target.deregister();
    }

    assertThat(listener.heard)
        .containsSubsequence(
            "b INIT",
            "a INIT",
            "a registered",
            "b registered",
            "a b RC_RDMA_WRITE_ONLY 64",
            "b a RC_ACKNOWLEDGE 0",
            "b call",
            "b return");
    assertThat(listener.heard).filteredOn(line -> line.startsWith("b a RC_ACK")).hasSize(2);
    assertThat(listener.heard).filteredOn(line -> line.startsWith("a b")).hasSize(1);
  }
}
