package org.mrcheck.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.EventName;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.CheckVerdict;
import org.mrcheck.lang.trace.WcStatus;

class ReliableConnectionTest {
  private static final long IOVA = 0x10_0000;
  private static final int MTU = TestBench.MTU;

  private static byte[] bytes(ByteBuffer memory, int from, int length) {
    byte[] copy = new byte[length];
    memory.get(from, copy, 0, length);
    return copy;
  }

  private static boolean isUntouched(ByteBuffer memory, int from) {
    for (int i = from; i < memory.capacity(); i++) {
      if (memory.get(i) != 0) {
        return false;
      }
    }
    return true;
  }

  /** Deregistration here is called by an engine, which must not wait for messages. */
  private static TestBench withoutMessagePins() {
    return new TestBench(
        new TraceOracle(),
        config -> config.withPolicies(Policies.strict().with(Policies.HoldsReference.NO)),
        TestBench.ALL);
  }

  @Test
  void write_ofSeveralPackets_placesExactlyItsBytes() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      ByteBuffer memory = ByteBuffer.allocate(4000);
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);

      assertThat(bench.execute(bench.write(1, region, IOVA + 10, 3 * MTU + 5)))
          .isEqualTo(WcStatus.SUCCESS);

      assertThat(bytes(memory, 10, 3 * MTU + 5)).isEqualTo(bytes(bench.localMemory, 0, 773));
      assertThat(bytes(memory, 0, 10)).containsOnly(0);
      assertThat(isUntouched(memory, 10 + 773)).isTrue();
      assertThat(bench.events(TraceEvent.Tx.class).stream().map(tx -> tx.packet().opcode()))
          .containsExactly(
              Opcode.RC_WRITE_FIRST,
              Opcode.RC_WRITE_MIDDLE,
              Opcode.RC_WRITE_MIDDLE,
              Opcode.RC_WRITE_LAST);
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void read_ofSeveralPackets_returnsExactlyItsBytes() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      ByteBuffer memory = ByteBuffer.allocate(4000);
      for (int i = 0; i < memory.capacity(); i++) {
        memory.put(i, (byte) (i * 7));
      }
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);
      byte behind = bench.localMemory.get(4 * MTU);

      assertThat(bench.execute(bench.read(1, region, IOVA + 3, 4 * MTU)))
          .isEqualTo(WcStatus.SUCCESS);

      assertThat(bytes(bench.localMemory, 0, 4 * MTU)).isEqualTo(bytes(memory, 3, 4 * MTU));
      assertThat(bench.localMemory.get(4 * MTU)).isEqualTo(behind);
      assertThat(
              bench.events(TraceEvent.Tx.class).stream()
                  .map(tx -> tx.packet().opcode())
                  .filter(Opcode::isReadResponse))
          .containsExactly(
              Opcode.RC_READ_RESPONSE_FIRST,
              Opcode.RC_READ_RESPONSE_MIDDLE,
              Opcode.RC_READ_RESPONSE_MIDDLE,
              Opcode.RC_READ_RESPONSE_LAST);
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void writesAndReads_pipelined_completeInOrder() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(8192), IOVA, TestBench.ALL);
      for (int id = 1; id <= 200; id++) {
        int length = id * 37 % 3000;
        bench.here.post(
            id % 3 == 0
                ? bench.read(id, region, IOVA, length)
                : bench.write(id, region, IOVA, length));
      }
      for (int id = 1; id <= 200; id++) {
        WorkCompletion completion = bench.next();
        assertThat(completion.workRequestId()).isEqualTo(id);
        assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
      }
      bench.finish();
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void access_ofTheWholeRegion_isAccepted() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(1000), IOVA, TestBench.ALL);

      assertThat(bench.execute(bench.write(1, region, IOVA, 1000))).isEqualTo(WcStatus.SUCCESS);
      assertThat(bench.execute(bench.read(2, region, IOVA, 1000))).isEqualTo(WcStatus.SUCCESS);
      assertThat(bench.execute(bench.write(3, region, IOVA + 999, 1))).isEqualTo(WcStatus.SUCCESS);
    }
  }

  @Test
  void write_oneBytePastTheEnd_leavesWholePacketsAndIsRefused() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      ByteBuffer memory = ByteBuffer.allocate(3 * MTU);
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);

      assertThat(bench.execute(bench.write(1, region, IOVA + 1, 3 * MTU)))
          .isEqualTo(WcStatus.REM_ACCESS_ERR);

      assertThat(bytes(memory, 1, 2 * MTU)).isEqualTo(bytes(bench.localMemory, 0, 2 * MTU));
      assertThat(isUntouched(memory, 1 + 2 * MTU)).isTrue();
      List<TraceEvent.Nak> naks = bench.events(TraceEvent.Nak.class);
      assertThat(naks).hasSize(1);
      assertThat(naks.get(0).psn()).isEqualTo(Psn.add(0xfffffd, 2));
      assertThat(naks.get(0).syndrome()).isEqualTo(Syndrome.REMOTE_ACCESS_ERROR);
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void read_oneBytePastTheEnd_returnsNothing() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region =
          bench.remotePd.register(ByteBuffer.allocate(3 * MTU), IOVA, TestBench.ALL);

      assertThat(bench.execute(bench.read(1, region, IOVA + 1, 3 * MTU)))
          .isEqualTo(WcStatus.REM_ACCESS_ERR);

      assertThat(bench.events(TraceEvent.DmaRead.class)).isEmpty();
    }
  }

  @Test
  void write_oneByteBelowTheBase_isRefused() throws InterruptedException {
    assertRefused(region -> IOVA - 1, 2);
  }

  @Test
  void write_whoseRangeWrapsAroundTheAddressSpace_isRefused() throws InterruptedException {
    assertRefused(region -> -1L, 2);
    assertRefused(region -> Long.MIN_VALUE + IOVA, MTU);
  }

  private interface Address {
    long in(MemoryRegion region);
  }

  private static void assertRefused(Address address, int length) throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      ByteBuffer memory = ByteBuffer.allocate(1000);
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);

      assertThat(bench.execute(bench.write(1, region, address.in(region), length)))
          .isEqualTo(WcStatus.REM_ACCESS_ERR);
      assertThat(isUntouched(memory, 0)).isTrue();
      bench.finish();
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void region_upToTheLastAddress_takesItsLastByteAndNotTheNext() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      ByteBuffer memory = ByteBuffer.allocate(2 * MTU);
      MemoryRegion region = bench.remotePd.register(memory, -2L * MTU, TestBench.ALL);

      assertThat(bench.execute(bench.write(1, region, -1, 1))).isEqualTo(WcStatus.SUCCESS);
      assertThat(memory.get(2 * MTU - 1)).isEqualTo(bench.localMemory.get(0));
      assertThat(bench.execute(bench.write(2, region, -2L * MTU, 2 * MTU)))
          .isEqualTo(WcStatus.SUCCESS);
      assertThat(bench.execute(bench.write(3, region, -1, 2))).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }
  }

  @Test
  void register_rangePast64Bits_isRejected() {
    try (TestBench bench = new TestBench()) {
      assertThatThrownBy(() -> bench.remotePd.register(ByteBuffer.allocate(17), -16, TestBench.ALL))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("iova=0xfffffffffffffff0 length=17");
    }
  }

  @Test
  void write_toRegionOfAnotherProtectionDomain_isRefused() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region =
          bench
              .responder
              .allocateProtectionDomain()
              .register(ByteBuffer.allocate(100), IOVA, TestBench.ALL);

      assertThat(bench.execute(bench.write(1, region, IOVA, 100)))
          .isEqualTo(WcStatus.REM_ACCESS_ERR);
      assertThat(refusalCause(bench)).isEqualTo("pd");
    }
  }

  @Test
  void access_withoutTheRegionsRight_isRefused() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region =
          bench.remotePd.register(ByteBuffer.allocate(100), IOVA, AccessFlags.of(Flag.REMOTE_READ));

      assertThat(bench.execute(bench.read(1, region, IOVA, 100))).isEqualTo(WcStatus.SUCCESS);
      assertThat(bench.execute(bench.write(2, region, IOVA, 100)))
          .isEqualTo(WcStatus.REM_ACCESS_ERR);
      assertThat(refusalCause(bench)).isEqualTo("rights");
    }
  }

  private static String refusalCause(TestBench bench) {
    return bench.events(TraceEvent.Check.class).stream()
        .filter(check -> check.verdict() == CheckVerdict.REFUSE)
        .findFirst()
        .orElseThrow()
        .cause()
        .orElseThrow();
  }

  @Test
  void access_withoutTheQueuePairsRight_isAnInvalidRequest() throws InterruptedException {
    try (TestBench bench =
        new TestBench(new TraceOracle(), config -> config, AccessFlags.of(Flag.REMOTE_READ))) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(100), IOVA, TestBench.ALL);

      assertThat(bench.execute(bench.read(1, region, IOVA, 100))).isEqualTo(WcStatus.SUCCESS);
      assertThat(bench.execute(bench.write(2, region, IOVA, 100)))
          .isEqualTo(WcStatus.REM_INV_REQ_ERR);
      assertThat(bench.events(TraceEvent.Nak.class).get(0).syndrome())
          .isEqualTo(Syndrome.INVALID_REQUEST);
    }
  }

  @Test
  void write_withStaleKey_isRefusedAlthoughItsIndexLivesAgain() throws InterruptedException {
    try (TestBench bench =
        new TestBench(
            new TraceOracle(),
            config -> config.withPolicies(config.policies().with(Policies.IndexReuse.LIFO)),
            TestBench.ALL)) {
      MemoryRegion old = bench.remotePd.register(ByteBuffer.allocate(100), IOVA, TestBench.ALL);
      old.deregister();
      MemoryRegion now = bench.remotePd.register(ByteBuffer.allocate(100), IOVA, TestBench.ALL);
      assertThat(now.rkey().index()).isEqualTo(old.rkey().index());
      assertThat(now.rkey().tag()).isNotEqualTo(old.rkey().tag());

      assertThat(bench.execute(bench.write(1, old, IOVA, 100))).isEqualTo(WcStatus.REM_ACCESS_ERR);
      assertThat(refusalCause(bench)).isEqualTo("tag");
    }
  }

  @Test
  void access_ofLengthZero_needsNoKey() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryKey nonsense = new MemoryKey(0xdeadbeef);

      assertThat(bench.execute(new WorkRequest.RdmaWrite(1, nonsense, 5, 0, nonsense, 6)))
          .isEqualTo(WcStatus.SUCCESS);
      assertThat(bench.execute(new WorkRequest.RdmaRead(2, nonsense, 5, 0, nonsense, 6)))
          .isEqualTo(WcStatus.SUCCESS);
      assertThat(bench.events(TraceEvent.Check.class)).isEmpty();
    }
  }

  @Test
  void refusal_endsBothQueuePairsAndFlushesTheRestInOrder() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(5000), IOVA, TestBench.ALL);
      bench.here.post(bench.write(1, region, IOVA, 1000));
      bench.here.post(bench.write(2, region, IOVA + 5000, 1000));
      for (int id = 3; id <= 6; id++) {
        bench.here.post(bench.write(id, region, IOVA, 1000));
      }

      List<String> ends = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        WorkCompletion completion = bench.next();
        ends.add(completion.workRequestId() + " " + completion.status());
      }
      assertThat(ends)
          .containsExactly(
              "1 SUCCESS",
              "2 REM_ACCESS_ERR",
              "3 WR_FLUSH_ERR",
              "4 WR_FLUSH_ERR",
              "5 WR_FLUSH_ERR",
              "6 WR_FLUSH_ERR");
      assertThat(bench.here.state()).isEqualTo(QueuePairState.ERR);
      assertThat(bench.there.state()).isEqualTo(QueuePairState.ERR);
      assertThat(bench.execute(bench.write(7, region, IOVA, 10))).isEqualTo(WcStatus.WR_FLUSH_ERR);

      List<String> story =
          bench.finish().stream()
              .filter(event -> event.stamp().actor().host().equals("responder"))
              .map(TraceEvent::name)
              .map(EventName::text)
              .dropWhile(name -> !name.equals("nak"))
              .filter(name -> !name.equals("rx"))
              .toList();
      assertThat(story).containsExactly("nak", "qp.state", "async");
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void deregister_inMidMessage_leavesAPrefixOfWholePackets() throws InterruptedException {
    try (TestBench bench = withoutMessagePins()) {
      ByteBuffer memory = ByteBuffer.allocate(8 * MTU);
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);
      int fourth = Psn.add(0xfffffd, 3);
      bench.wire.deliverThrough(
          packet -> {
            if (packet.psn() == fourth && packet.opcode().isWrite()) {
              region.deregister();
            }
            return 1;
          });

      assertThat(bench.execute(bench.write(1, region, IOVA, 8 * MTU)))
          .isEqualTo(WcStatus.REM_ACCESS_ERR);

      // Deregistration may overtake packets that wait for their check.
      int written = 0;
      while (written < 3 && !isUntouched(memory, written * MTU)) {
        written++;
      }
      assertThat(isUntouched(memory, written * MTU)).isTrue();
      assertThat(
              Arrays.equals(
                  bytes(memory, 0, written * MTU), bytes(bench.localMemory, 0, written * MTU)))
          .isTrue();
      assertThat(bench.events(TraceEvent.DmaWrite.class)).hasSize(written);
      assertThat(bench.events(TraceEvent.Nak.class).get(0).psn())
          .isEqualTo(Psn.add(0xfffffd, written));
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void register_whileAMessageOfADeadRegionIsOpen_neverReusesItsKey() throws InterruptedException {
    try (TestBench bench =
        new TestBench(
            new TraceOracle(),
            config ->
                config.withPolicies(
                    config
                        .policies()
                        .with(Policies.HoldsReference.NO)
                        .with(Policies.IndexReuse.LIFO)),
            TestBench.ALL)) {
      MemoryRegion region =
          bench.remotePd.register(ByteBuffer.allocate(8 * MTU), IOVA, TestBench.ALL);
      List<MemoryKey> keys = new ArrayList<>();
      AtomicInteger turn = new AtomicInteger();
      bench.wire.deliverThrough(
          packet -> {
            if (packet.opcode().equals(Opcode.RC_WRITE_LAST)) {
              // The earlier packets are accepted by now or refused; make sure of the former.
              while (bench.there.responder().messages() == 0
                  && !region.entry().registration().hasOpenMessages()) {
                Thread.onSpinWait();
              }
              region.deregister();
              for (int i = 0; i < 600; i++) {
                MemoryRegion next =
                    bench.remotePd.register(ByteBuffer.allocate(8 * MTU), IOVA, TestBench.ALL);
                keys.add(next.rkey());
                if (turn.incrementAndGet() < 600) {
                  next.deregister();
                }
              }
            }
            return 1;
          });

      assertThat(bench.execute(bench.write(1, region, IOVA, 2 * MTU)))
          .isEqualTo(WcStatus.REM_ACCESS_ERR);

      assertThat(keys).hasSize(600).doesNotContain(region.rkey());
      assertThat(keys.stream().map(MemoryKey::index).distinct())
          .containsExactly(region.rkey().index());
      bench.finish();
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void post_withBadLocalKey_sendsNothingAndLeavesThePeerAlone() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(1000), IOVA, TestBench.ALL);
      MemoryKey bad = MemoryKey.of(99, 0);

      assertThat(
              bench.execute(
                  new WorkRequest.RdmaWrite(
                      1, bad, TestBench.LOCAL_IOVA, 1000, region.rkey(), IOVA)))
          .isEqualTo(WcStatus.LOC_PROT_ERR);

      assertThat(bench.here.state()).isEqualTo(QueuePairState.ERR);
      assertThat(bench.there.state()).isEqualTo(QueuePairState.RTS);
      assertThat(bench.events(TraceEvent.Tx.class)).isEmpty();
    }
  }

  @Test
  void post_withLocalSegmentPastItsRegion_sendsNothing() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region =
          bench.remotePd.register(ByteBuffer.allocate(1 << 17), IOVA, TestBench.ALL);

      assertThat(bench.execute(bench.write(1, region, IOVA, (1 << 16) + 1)))
          .isEqualTo(WcStatus.LOC_PROT_ERR);
      assertThat(bench.events(TraceEvent.Tx.class)).isEmpty();
    }
  }

  @Test
  void read_intoRegionWithoutLocalWrite_isALocalProtectionError() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(1000), IOVA, TestBench.ALL);
      MemoryRegion sink = bench.localPd.register(ByteBuffer.allocate(1000), 0, AccessFlags.NONE);

      assertThat(
              bench.execute(new WorkRequest.RdmaRead(1, sink.lkey(), 0, 1000, region.rkey(), IOVA)))
          .isEqualTo(WcStatus.LOC_PROT_ERR);
      assertThat(bench.events(TraceEvent.Tx.class)).isEmpty();
    }
  }

  @Test
  void localFault_waitsForWhatWasPostedBefore() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(8000), IOVA, TestBench.ALL);
      bench.here.post(bench.write(1, region, IOVA, 8000));
      bench.here.post(bench.read(2, region, IOVA, 8000));
      bench.here.post(
          new WorkRequest.RdmaWrite(3, MemoryKey.of(99, 0), 0, 10, region.rkey(), IOVA));
      bench.here.post(bench.write(4, region, IOVA, 8000));

      assertThat(List.of(bench.next(), bench.next(), bench.next(), bench.next()))
          .extracting(WorkCompletion::status)
          .containsExactly(
              WcStatus.SUCCESS, WcStatus.SUCCESS, WcStatus.LOC_PROT_ERR, WcStatus.WR_FLUSH_ERR);
    }
  }

  @Test
  void modifyToErr_flushesHereAndTheSilentPeerTimesOut() throws InterruptedException {
    try (TestBench bench =
        new TestBench(
            new TraceOracle(),
            config -> config.withRetry(Duration.ofMillis(20), 2),
            TestBench.ALL)) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(1000), IOVA, TestBench.ALL);
      bench.there.modify(QueuePairState.ERR);

      assertThat(bench.execute(bench.write(1, region, IOVA, 1000)))
          .isEqualTo(WcStatus.RETRY_EXC_ERR);

      assertThat(bench.here.state()).isEqualTo(QueuePairState.ERR);
      assertThat(bench.events(TraceEvent.Ack.class)).isEmpty();
      assertThat(bench.events(TraceEvent.Nak.class)).isEmpty();
      // Four packets, sent three times.
      assertThat(bench.events(TraceEvent.Rx.class)).hasSize(12);
    }
  }

  @Test
  void lossAndDuplication_areRepairedAndNothingIsWrittenTwice() throws InterruptedException {
    TraceOracle oracle = TraceOracle.forLossyWire();
    try (TestBench bench =
        new TestBench(
            oracle, config -> config.withRetry(Duration.ofMillis(30), 7), TestBench.ALL)) {
      ByteBuffer memory = ByteBuffer.allocate(1 << 16);
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);
      AtomicInteger count = new AtomicInteger();
      bench.wire.deliverThrough(
          packet -> {
            int number = count.incrementAndGet();
            return number % 23 == 0 ? 0 : number % 7 == 0 ? 2 : 1;
          });
      for (int id = 1; id <= 20; id++) {
        bench.here.post(
            id % 4 == 0
                ? bench.read(id, region, IOVA, 3000)
                : bench.write(id, region, IOVA + 3000L * id, 3000));
      }
      for (int id = 1; id <= 20; id++) {
        WorkCompletion completion = bench.next();
        assertThat(completion.workRequestId()).isEqualTo(id);
        assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
      }
      bench.finish();
      assertThat(oracle.complaints()).isEmpty();
      assertThat(oracle.counts()).containsKey(EventName.NAK);
    }
  }

  @Test
  void fatalNak_lost_endsInRetryExceededBecauseTheResponderIsSilent() throws InterruptedException {
    try (TestBench bench =
        new TestBench(
            new TraceOracle(),
            config -> config.withRetry(Duration.ofMillis(20), 1),
            TestBench.ALL)) {
      bench.wire.deliverThrough(
          packet -> packet.syndrome().map(Syndrome::isFatal).orElse(false) ? 0 : 1);
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(100), IOVA, TestBench.ALL);

      assertThat(bench.execute(bench.write(1, region, IOVA + 100, 1)))
          .isEqualTo(WcStatus.RETRY_EXC_ERR);
      assertThat(bench.events(TraceEvent.Nak.class)).hasSize(1);
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void fatalNak_whileAnEarlierReadsResponsesAreLost_isNotThatReadsStatus()
      throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      bench.wire.deliverThrough(packet -> packet.opcode().isReadResponse() ? 0 : 1);
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(100), IOVA, TestBench.ALL);
      bench.here.post(bench.read(1, region, IOVA, 100));
      bench.here.post(bench.write(2, region, IOVA + 100, 1));

      assertThat(List.of(bench.next(), bench.next()))
          .extracting(WorkCompletion::status)
          .containsExactly(WcStatus.RETRY_EXC_ERR, WcStatus.WR_FLUSH_ERR);
      bench.finish();
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void destroy_thenCreate_reusesTheNumberAsANewIncarnation() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(100), IOVA, TestBench.ALL);
      bench.here.post(bench.write(1, region, IOVA, 100));
      bench.here.destroy();
      bench.here.destroy();

      QueuePair next =
          bench.requester.createQueuePair(bench.localPd, bench.completions, AccessFlags.NONE);

      assertThat(next.id().number()).isEqualTo(bench.here.id().number());
      assertThat(next.id().incarnation()).isEqualTo(2);
      assertThat(bench.completions.poll()).isEmpty();
      assertThatThrownBy(() -> bench.here.post(bench.write(2, region, IOVA, 1)))
          .isInstanceOf(IllegalStateException.class);
      bench.finish();
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void deregister_twice_isRejected() {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(100), IOVA, TestBench.ALL);
      region.deregister();

      assertThatThrownBy(region::deregister).isInstanceOf(IllegalStateException.class);
    }
  }
}
