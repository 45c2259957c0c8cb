package org.mrcheck.rnic;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.WcStatus;
import org.mrcheck.rnic.QueuePairOptions.Transport;

/** Work requests beside WRITE and READ, receive queues, RNR, replay, states, UC. */
class TransportTest {
  private static final long IOVA = 0x10_0000;
  private static final int MTU = TestBench.MTU;
  private static final AccessFlags LOCAL_WRITE = AccessFlags.of(Flag.LOCAL_WRITE);

  private static TestBench bench(UnaryOperator<RnicConfig> change) {
    return new TestBench(TraceOracle.forLossyWire(), change, TestBench.ALL);
  }

  private static TestBench bench(
      UnaryOperator<RnicConfig> change, WirePlan plan, UnaryOperator<QueuePairOptions> options) {
    return new TestBench(
        TraceOracle.forLossyWire(), change, TestBench.ALL, new Wire(plan, WireTap.OFF), options);
  }

  private static byte[] bytes(ByteBuffer memory, int from, int length) {
    byte[] copy = new byte[length];
    memory.get(from, copy, 0, length);
    return copy;
  }

  private static List<Opcode> sent(TestBench bench) {
    return bench.events(TraceEvent.Tx.class).stream().map(tx -> tx.packet().opcode()).toList();
  }

  private static Opcode opcode(String name) {
    return Opcode.named(name);
  }

  // --- SEND and receive queues

  @Test
  void send_ofSeveralPackets_fillsTheReceiveAndReportsItsLength() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      ByteBuffer memory = ByteBuffer.allocate(4 * MTU);
      MemoryRegion buffer = bench.remotePd.register(memory, IOVA, LOCAL_WRITE);
      bench.receive(900, buffer);

      assertThat(bench.execute(bench.send(1, 3 * MTU - 9))).isEqualTo(WcStatus.SUCCESS);

      WorkCompletion received = bench.nextRemote();
      assertThat(received.workRequestId()).isEqualTo(900);
      assertThat(received.operation()).contains(WorkOperation.RECV);
      assertThat(received.length()).hasValue(3 * MTU - 9);
      assertThat(bytes(memory, 0, 3 * MTU - 9)).isEqualTo(bytes(bench.localMemory, 0, 3 * MTU - 9));
      assertThat(memory.get(3 * MTU - 9)).isZero();
      assertThat(sent(bench))
          .containsExactly(Opcode.RC_SEND_FIRST, Opcode.RC_SEND_MIDDLE, Opcode.RC_SEND_LAST);
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void sendWithImm_andWriteWithImm_deliverTheImmediate() throws InterruptedException {
    try (TestBench bench = new TestBench()) {
      ByteBuffer memory = ByteBuffer.allocate(4 * MTU);
      MemoryRegion buffer = bench.remotePd.register(memory, IOVA, TestBench.ALL);
      bench.receive(900, buffer);
      bench.receive(901, buffer);

      assertThat(
              bench.execute(
                  new WorkRequest.SendWithImm(1, bench.sge(0, 0), 0xdead_beef, SendFlags.SIGNALED)))
          .isEqualTo(WcStatus.SUCCESS);
      assertThat(
              bench.execute(
                  new WorkRequest.RdmaWriteWithImm(
                      2, bench.sge(0, 2 * MTU), buffer.rkey(), IOVA + 7, 77, SendFlags.SIGNALED)))
          .isEqualTo(WcStatus.SUCCESS);

      WorkCompletion first = bench.nextRemote();
      assertThat(first.immediate()).isEqualTo(OptionalInt.of(0xdead_beef));
      assertThat(first.length()).hasValue(0);
      WorkCompletion second = bench.nextRemote();
      assertThat(second.immediate()).isEqualTo(OptionalInt.of(77));
      assertThat(second.length()).hasValue(2 * MTU);
      assertThat(bytes(memory, 7, 2 * MTU)).isEqualTo(bytes(bench.localMemory, 0, 2 * MTU));
      assertThat(sent(bench))
          .containsExactly(
              opcode("RC_SEND_ONLY_WITH_IMMEDIATE"),
              Opcode.RC_WRITE_FIRST,
              opcode("RC_RDMA_WRITE_LAST_WITH_IMMEDIATE"));
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void send_longerThanTheReceive_isRefusedAsInvalidAndTheReceiveFails() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion buffer = bench.remotePd.register(ByteBuffer.allocate(MTU), IOVA, LOCAL_WRITE);
      bench.receive(900, buffer);
      bench.receive(901, buffer);

      assertThat(bench.execute(bench.send(1, MTU + 1))).isEqualTo(WcStatus.REM_INV_REQ_ERR);

      assertThat(bench.nextRemote().status()).isEqualTo(WcStatus.LOC_LEN_ERR);
      assertThat(bench.nextRemote().status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
      assertThat(bench.there.state()).isEqualTo(QueuePairState.ERR);
      assertThat(bench.responder.pollAsyncEvent().orElseThrow().type())
          .isEqualTo(AsyncEventType.QP_REQ_ERR);
    }
  }

  @Test
  void send_toAReceiveWithABadKey_isARemoteOperationError() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion buffer = bench.remotePd.register(ByteBuffer.allocate(MTU), IOVA, LOCAL_WRITE);
      bench.there.postReceive(
          new ReceiveRequest(900, new MemoryKey(buffer.lkey().bits() ^ 0x55), IOVA, MTU));

      assertThat(bench.execute(bench.send(1, 8))).isEqualTo(WcStatus.REM_OP_ERR);

      assertThat(bench.nextRemote().status()).isEqualTo(WcStatus.LOC_PROT_ERR);
      assertThat(bench.events(TraceEvent.Nak.class).get(0).syndrome())
          .isEqualTo(Syndrome.REMOTE_OPERATIONAL_ERROR);
    }
  }

  @Test
  void inlineSend_needsNoKeyAndTakesTheBytesAtOnce() throws Exception {
    try (TestBench bench = new TestBench()) {
      ByteBuffer memory = ByteBuffer.allocate(MTU);
      MemoryRegion buffer = bench.remotePd.register(memory, IOVA, LOCAL_WRITE);
      bench.receive(900, buffer);
      byte[] data = {1, 2, 3};
      WorkRequest send = new WorkRequest.Send(1, new LocalData.Inline(data), SendFlags.SIGNALED);
      data[0] = 9;

      assertThat(bench.execute(send)).isEqualTo(WcStatus.SUCCESS);

      assertThat(bytes(memory, 0, 3)).containsExactly(1, 2, 3);
      assertThatThrownBy(
              () ->
                  bench.here.post(
                      new WorkRequest.Send(
                          2, new LocalData.Inline(new byte[257]), SendFlags.SIGNALED)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("max_inline_data=256");
      assertThat(bench.events(TraceEvent.Check.class))
          .noneMatch(check -> check.stamp().actor().host().equals("requester"));
    }
  }

  @Test
  void unsignaled_successIsSilentAndErrorIsNot() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, TestBench.ALL);
      bench.here.post(
          new WorkRequest.RdmaWrite(1, bench.sge(0, 8), region.rkey(), IOVA, SendFlags.UNSIGNALED));
      assertThat(bench.execute(bench.write(2, region, IOVA, 8))).isEqualTo(WcStatus.SUCCESS);
      bench.here.post(
          new WorkRequest.RdmaWrite(
              3, bench.sge(0, 8), region.rkey(), IOVA - 1, SendFlags.UNSIGNALED));

      WorkCompletion failed = bench.next();

      assertThat(failed.workRequestId()).isEqualTo(3);
      assertThat(failed.status()).isEqualTo(WcStatus.REM_ACCESS_ERR);
      assertThat(bench.completions.poll()).isEmpty();
      assertThat(bench.events(TraceEvent.Post.class).stream().map(TraceEvent.Post::signaled))
          .containsExactly(false, true, false);
    }
  }

  @Test
  void fencedSend_waitsForTheReadBeforeIt() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region =
          bench.remotePd.register(ByteBuffer.allocate(16 * MTU), IOVA, TestBench.ALL);
      bench.receive(900, region);
      bench.here.post(bench.read(1, region, IOVA, 16 * MTU));
      bench.here.post(new WorkRequest.Send(2, bench.sge(0, 8), SendFlags.FENCED));
      bench.next();
      bench.next();

      List<TraceEvent> trace = bench.finish();
      int lastResponse = -1;
      int send = -1;
      for (int i = 0; i < trace.size(); i++) {
        if (trace.get(i) instanceof TraceEvent.Rx rx
            && rx.packet().opcode().equals(Opcode.RC_READ_RESPONSE_LAST)) {
          lastResponse = i;
        } else if (trace.get(i) instanceof TraceEvent.Tx tx
            && tx.packet().opcode().equals(Opcode.RC_SEND_ONLY)) {
          send = i;
        }
      }
      assertThat(send).isGreaterThan(lastResponse);
    }
  }

  // --- RNR

  @Test
  void send_withoutReceive_isTriedAgainUntilThereIsOne() throws Exception {
    try (TestBench bench =
        bench(config -> config.withTransport(config.transport().withRnr(7, 14)))) {
      MemoryRegion buffer =
          bench.remotePd.register(ByteBuffer.allocate(4 * MTU), IOVA, LOCAL_WRITE);
      bench.here.post(bench.send(1, 2 * MTU));
      bench.here.post(bench.send(2, 3 * MTU));
      Thread.sleep(10);
      bench.receive(900, buffer);
      bench.receive(901, buffer);

      assertThat(bench.next().status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(bench.next().status()).isEqualTo(WcStatus.SUCCESS);

      assertThat(bench.nextRemote().length()).hasValue(2 * MTU);
      assertThat(bench.nextRemote().length()).hasValue(3 * MTU);
      assertThat(bench.there.state()).isEqualTo(QueuePairState.RTS);
      assertThat(bench.events(TraceEvent.Nak.class))
          .isNotEmpty()
          .allMatch(nak -> nak.syndrome().kind() == Syndrome.Kind.RNR_NAK);
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void send_withoutReceive_failsWhenItsRnrRetriesAreUsedUp() throws Exception {
    try (TestBench bench =
        bench(config -> config.withTransport(config.transport().withRnr(2, 1)))) {
      bench.here.post(bench.send(1, 8));
      bench.here.post(bench.send(2, 8));

      assertThat(bench.next().status()).isEqualTo(WcStatus.RNR_RETRY_EXC_ERR);
      assertThat(bench.next().status()).isEqualTo(WcStatus.WR_FLUSH_ERR);

      // An RNR NAK is no error of the responder (row E5).
      assertThat(bench.there.state()).isEqualTo(QueuePairState.RTS);
      assertThat(bench.events(TraceEvent.Nak.class)).hasSize(3);
    }
  }

  @Test
  void writeWithImm_badKeyAndNoReceive_isRefusedForTheKeyOrForTheReceiveAsThePolicySays()
      throws Exception {
    for (Policies.ResourceVersusKey order : Policies.ResourceVersusKey.values()) {
      try (TestBench bench =
          bench(
              config ->
                  config
                      .withPolicies(Policies.strict().with(order))
                      .withTransport(config.transport().withRnr(0, 1)))) {
        MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, TestBench.ALL);
        WorkRequest write =
            new WorkRequest.RdmaWriteWithImm(
                1,
                bench.sge(0, 8),
                new MemoryKey(region.rkey().bits() ^ 1),
                IOVA,
                5,
                SendFlags.SIGNALED);

        assertThat(bench.execute(write))
            .isEqualTo(
                order == Policies.ResourceVersusKey.KEY_FIRST
                    ? WcStatus.REM_ACCESS_ERR
                    : WcStatus.RNR_RETRY_EXC_ERR);
      }
    }
  }

  // --- Atomics and replay

  private static long valueAt(ByteBuffer memory, int at) {
    return memory.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(at);
  }

  @Test
  void atomics_changeMemoryAndReturnWhatWasThere() throws Exception {
    try (TestBench bench = new TestBench()) {
      ByteBuffer memory = ByteBuffer.allocate(64);
      memory.order(ByteOrder.LITTLE_ENDIAN).putLong(8, 40);
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);

      assertThat(bench.execute(add(bench, 1, region, IOVA + 8, 2))).isEqualTo(WcStatus.SUCCESS);
      assertThat(valueAt(memory, 8)).isEqualTo(42);
      assertThat(valueAt(bench.localMemory, 0)).isEqualTo(40);
      assertThat(bench.execute(swap(bench, 2, region, 41, 99))).isEqualTo(WcStatus.SUCCESS);
      assertThat(valueAt(memory, 8)).isEqualTo(42);
      assertThat(valueAt(bench.localMemory, 0)).isEqualTo(42);
      assertThat(bench.execute(swap(bench, 3, region, 42, 99))).isEqualTo(WcStatus.SUCCESS);
      assertThat(valueAt(memory, 8)).isEqualTo(99);

      assertThat(
              bench.events(TraceEvent.Tx.class).stream()
                  .filter(tx -> tx.packet().opcode().equals(Opcode.RC_ATOMIC_ACKNOWLEDGE))
                  .map(tx -> tx.packet().original().orElseThrow()))
          .containsExactly(40L, 42L, 42L);
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  private static WorkRequest add(
      TestBench bench, long id, MemoryRegion region, long address, long addend) {
    return new WorkRequest.AtomicFetchAndAdd(
        id, bench.sge(0, 8), region.rkey(), address, addend, SendFlags.SIGNALED);
  }

  private static WorkRequest swap(
      TestBench bench, long id, MemoryRegion region, long compare, long swap) {
    return new WorkRequest.AtomicCompareAndSwap(
        id, bench.sge(0, 8), region.rkey(), IOVA + 8, compare, swap, SendFlags.SIGNALED);
  }

  @Test
  void atomic_unaligned_isAnInvalidRequest() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, TestBench.ALL);

      assertThat(bench.execute(add(bench, 1, region, IOVA + 4, 2)))
          .isEqualTo(WcStatus.REM_INV_REQ_ERR);
    }
  }

  @Test
  void atomic_withoutTheRight_isARemoteAccessError() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region =
          bench.remotePd.register(
              ByteBuffer.allocate(64), IOVA, AccessFlags.of(Flag.LOCAL_WRITE, Flag.REMOTE_WRITE));

      assertThat(bench.execute(add(bench, 1, region, IOVA, 2))).isEqualTo(WcStatus.REM_ACCESS_ERR);
    }
  }

  @Test
  void atomic_whoseAnswerIsLost_isAnsweredAgainAndNotDoneAgain() throws Exception {
    try (TestBench bench = bench(config -> config.withRetry(Duration.ofMillis(30), 7))) {
      ByteBuffer memory = ByteBuffer.allocate(64);
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);
      AtomicInteger answers = new AtomicInteger();
      bench.wire.deliverThrough(
          packet ->
              packet.opcode().equals(Opcode.RC_ATOMIC_ACKNOWLEDGE) && answers.incrementAndGet() == 1
                  ? 0
                  : 1);

      assertThat(bench.execute(add(bench, 1, region, IOVA, 5))).isEqualTo(WcStatus.SUCCESS);

      assertThat(valueAt(memory, 0)).isEqualTo(5);
      assertThat(valueAt(bench.localMemory, 0)).isZero();
      assertThat(answers.get()).isEqualTo(2);
      assertThat(
              bench.events(TraceEvent.DmaWrite.class).stream()
                  .filter(dma -> dma.stamp().actor().host().equals("responder")))
          .hasSize(1);
    }
  }

  @Test
  void read_repeatedAfterDeregistration_doesWhatThePolicySays() throws Exception {
    for (Policies.DuplicateRead policy : Policies.DuplicateRead.values()) {
      try (TestBench bench =
          bench(
              config ->
                  config
                      .withRetry(Duration.ofMillis(30), 1)
                      .withPolicies(Policies.strict().with(policy)))) {
        MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, TestBench.ALL);
        AtomicInteger answers = new AtomicInteger();
        bench.wire.deliverThrough(
            packet -> {
              if (packet.opcode().isReadResponse() && answers.incrementAndGet() == 1) {
                new Thread(region::deregister).start();
                return 0;
              }
              return 1;
            });

        WcStatus status = bench.execute(bench.read(1, region, IOVA, 64));

        assertThat(status)
            .as(policy.text())
            .isEqualTo(
                switch (policy) {
                  case FULL_RECHECK, DROP -> WcStatus.RETRY_EXC_ERR;
                  case LITE_RECHECK -> WcStatus.REM_ACCESS_ERR;
                  case SAVED_REQUEST_ONLY -> WcStatus.SUCCESS;
                });
        bench.finish();
        assertThat(bench.oracle.accessesAfterReturn())
            .as(policy.text())
            .isEqualTo(policy == Policies.DuplicateRead.SAVED_REQUEST_ONLY ? 1 : 0);
      }
    }
  }

  // --- Loss, duplication, reordering, corruption, delay

  @Test
  void everyOperation_onABadWire_isDoneExactlyOnce() throws Exception {
    WirePlan plan =
        WirePlan.PERFECT
            .withLoss(0.05)
            .withDuplication(0.05)
            .withReordering(0.05)
            .withCorruption(0.02)
            .withSeed(11);
    try (TestBench bench =
        bench(
            config ->
                config
                    .withRetry(Duration.ofMillis(30), 7)
                    .withTransport(config.transport().withRnr(7, 6)),
            plan,
            options -> options)) {
      ByteBuffer memory = ByteBuffer.allocate(1 << 14);
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);
      MemoryRegion buffer =
          bench.remotePd.register(ByteBuffer.allocate(1 << 14), IOVA << 8, LOCAL_WRITE);
      int sends = 0;
      for (int id = 1; id <= 120; id++) {
        bench.here.post(
            switch (id % 4) {
              case 0 -> bench.read(id, region, IOVA, 1000);
              case 1 -> add(bench, id, region, IOVA + 8192, 1);
              case 2 -> bench.write(id, region, IOVA, 1500);
              default -> bench.send(id, 700);
            });
        if (id % 4 == 3) {
          bench.receive(900 + sends++, buffer);
        }
      }
      for (int id = 1; id <= 120; id++) {
        WorkCompletion completion = bench.next();
        assertThat(completion.status()).isEqualTo(WcStatus.SUCCESS);
        assertThat(completion.workRequestId()).isEqualTo(id);
      }
      for (int i = 0; i < sends; i++) {
        assertThat(bench.nextRemote().workRequestId()).isEqualTo(900 + i);
      }
      assertThat(valueAt(memory, 8192)).isEqualTo(30);
      assertThat(bench.wire.lost()).isPositive();
      assertThat(bench.wire.duplicated()).isPositive();
      assertThat(bench.wire.damaged()).isPositive();
      bench.finish();
      assertThat(bench.oracle.complaints()).isEmpty();
    }
  }

  @Test
  void longMessage_overTheWindow_doesNotStall() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region =
          bench.remotePd.register(ByteBuffer.allocate(1 << 16), IOVA, TestBench.ALL);

      assertThat(bench.execute(bench.write(1, region, IOVA, 1 << 16))).isEqualTo(WcStatus.SUCCESS);
    }
  }

  @Test
  void plan_withTheSameSeed_hasTheSameFate() throws Exception {
    List<Long> lost = new ArrayList<>();
    for (long seed : new long[] {5, 5, 6}) {
      WirePlan plan = WirePlan.PERFECT.withLoss(0.3).withSeed(seed);
      try (TestBench bench =
          bench(config -> config.withRetry(Duration.ofMillis(20), 7), plan, options -> options)) {
        MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, TestBench.ALL);
        StringBuilder fate = new StringBuilder();
        long hash = 0;
        for (int id = 1; id <= 12; id++) {
          bench.execute(bench.write(id, region, IOVA, 8));
          hash = hash * 31 + bench.wire.lost();
        }
        lost.add(hash);
        fate.setLength(0);
      }
    }
    assertThat(lost.get(0)).isEqualTo(lost.get(1)).isNotEqualTo(lost.get(2));
  }

  // --- States

  @Test
  void modify_followsTheRulesOfIbvModifyQp() {
    List<String> found = new ArrayList<>();
    for (QueuePairState from : QueuePairState.values()) {
      for (QueuePairState to : QueuePairState.values()) {
        if (QueuePair.isTransition(from, to)
            && to != QueuePairState.RESET
            && to != QueuePairState.ERR) {
          found.add(from + ">" + to);
        }
      }
    }
    assertThat(found)
        .containsExactly(
            "RESET>INIT",
            "INIT>INIT",
            "INIT>RTR",
            "RTR>RTS",
            "RTS>RTS",
            "RTS>SQD",
            "SQD>RTS",
            "SQD>SQD",
            "SQE>RTS");
    assertThat(QueuePair.isTransition(QueuePairState.RESET, QueuePairState.ERR)).isFalse();
    assertThat(QueuePair.isTransition(QueuePairState.INIT, QueuePairState.ERR)).isTrue();
    assertThat(QueuePair.isTransition(QueuePairState.ERR, QueuePairState.RESET)).isTrue();
  }

  @Test
  void sqd_drainsThenHoldsWhatIsPosted_andRtsGoesOn() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region =
          bench.remotePd.register(ByteBuffer.allocate(8 * MTU), IOVA, TestBench.ALL);
      assertThat(bench.execute(bench.write(1, region, IOVA, 8 * MTU))).isEqualTo(WcStatus.SUCCESS);
      bench.here.modify(QueuePairState.SQD);
      AsyncEvent drained = awaitEvent(bench.requester);
      bench.here.post(bench.write(2, region, IOVA, 8));
      Thread.sleep(20);

      assertThat(drained.type()).isEqualTo(AsyncEventType.SQ_DRAINED);
      assertThat(bench.completions.poll()).isEmpty();
      bench.here.modify(QueuePairState.RTS);
      assertThat(bench.next().workRequestId()).isEqualTo(2);
    }
  }

  private static AsyncEvent awaitEvent(SoftRnic device) throws InterruptedException {
    for (int i = 0; i < 1000; i++) {
      Optional<AsyncEvent> event = device.pollAsyncEvent();
      if (event.isPresent()) {
        return event.get();
      }
      Thread.sleep(5);
    }
    throw new AssertionError("no event");
  }

  @Test
  void reset_discardsWhatWasPosted_andTheQueuePairCanBeConnectedAgain() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, TestBench.ALL);
      bench.wire.deliverThrough(packet -> 0);
      bench.here.post(bench.write(1, region, IOVA, 8));
      bench.here.post(bench.write(2, region, IOVA, 8));
      Thread.sleep(10);

      bench.here.modify(QueuePairState.RESET);
      bench.there.modify(QueuePairState.RESET);
      bench.wire.deliverThrough(packet -> 1);

      assertThat(bench.completions.poll()).isEmpty();
      bench.there.connect(new Connection(bench.here.address(), 5, 6, MTU));
      bench.here.connect(new Connection(bench.there.address(), 6, 5, MTU));
      assertThat(bench.execute(bench.write(3, region, IOVA, 8))).isEqualTo(WcStatus.SUCCESS);
      assertThat(bench.completions.poll()).isEmpty();
    }
  }

  @Test
  void err_flushesBothQueues_andNothingIsExecuted() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion buffer = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, LOCAL_WRITE);
      bench.receive(900, buffer);
      bench.receive(901, buffer);
      bench.there.modify(QueuePairState.ERR);

      assertThat(bench.nextRemote().status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
      assertThat(bench.nextRemote().workRequestId()).isEqualTo(901);
      bench.receive(902, buffer);
      assertThat(bench.nextRemote().status()).isEqualTo(WcStatus.WR_FLUSH_ERR);
    }
  }

  @Test
  void comingToReadyToReceive_theFirstPacketEstablishes() throws Exception {
    try (TestBench bench = new TestBench()) {
      QueuePair a =
          bench.requester.createQueuePair(bench.localPd, bench.completions, AccessFlags.NONE);
      QueuePair b =
          bench.responder.createQueuePair(bench.remotePd, bench.remoteCompletions, TestBench.ALL);
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, TestBench.ALL);
      b.modify(QueuePairState.INIT);
      b.modifyToReadyToReceive(new Connection(a.address(), 1, 2, MTU));
      a.connect(new Connection(b.address(), 2, 1, MTU));
      assertThatThrownBy(() -> b.post(bench.write(1, region, IOVA, 8)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("RTR");
      a.post(bench.write(7, region, IOVA, 8));

      assertThat(bench.next().status()).isEqualTo(WcStatus.SUCCESS);
      assertThat(awaitEvent(bench.responder).type()).isEqualTo(AsyncEventType.COMM_EST);
    }
  }

  // --- Shared receive queue, completion events

  @Test
  void sharedReceives_areTakenByWhoeverNeedsThem_andNotFlushed() throws Exception {
    try (TestBench bench = new TestBench()) {
      SharedReceiveQueue shared = bench.responder.createSharedReceiveQueue(bench.remotePd);
      MemoryRegion buffer = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, LOCAL_WRITE);
      for (int id = 900; id < 904; id++) {
        shared.post(new ReceiveRequest(id, buffer.lkey(), IOVA, 64));
      }
      shared.arm(3);
      List<QueuePair> senders = new ArrayList<>();
      List<QueuePair> receivers = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        QueuePair a =
            bench.requester.createQueuePair(bench.localPd, bench.completions, AccessFlags.NONE);
        QueuePair b =
            bench.responder.createQueuePair(
                bench.remotePd,
                QueuePairOptions.reliable(bench.remoteCompletions, AccessFlags.NONE)
                    .withSharedReceives(shared));
        b.connect(new Connection(a.address(), 1, 2, MTU));
        a.connect(new Connection(b.address(), 2, 1, MTU));
        senders.add(a);
        receivers.add(b);
      }
      for (QueuePair sender : senders) {
        sender.post(bench.send(1, 8));
        assertThat(bench.next().status()).isEqualTo(WcStatus.SUCCESS);
      }

      WorkCompletion first = bench.nextRemote();
      WorkCompletion second = bench.nextRemote();
      assertThat(first.workRequestId()).isEqualTo(900);
      assertThat(first.qp()).isEqualTo(receivers.get(0).id());
      assertThat(second.workRequestId()).isEqualTo(901);
      assertThat(second.qp()).isEqualTo(receivers.get(1).id());
      assertThat(awaitEvent(bench.responder).type()).isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
      receivers.get(0).modify(QueuePairState.ERR);
      assertThat(awaitEvent(bench.responder).type()).isEqualTo(AsyncEventType.QP_LAST_WQE_REACHED);
      assertThat(shared.size()).isEqualTo(2);
      assertThat(bench.events(TraceEvent.SrqPost.class)).hasSize(4);
    }
  }

  @Test
  void notification_comesOnceForEachRequest_andSolicitedOnlyIfAsked() throws Exception {
    try (TestBench bench = new TestBench()) {
      MemoryRegion buffer = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, LOCAL_WRITE);
      for (int id = 900; id < 903; id++) {
        bench.receive(id, buffer);
      }
      CompletionQueue queue = bench.remoteCompletions;
      queue.requestNotification(true);
      bench.execute(bench.send(1, 8));
      assertThat(queue.awaitNotification(Duration.ofMillis(20))).isFalse();
      bench.execute(new WorkRequest.Send(2, bench.sge(0, 8), new SendFlags(true, false, true)));
      assertThat(queue.awaitNotification(Duration.ofSeconds(5))).isTrue();
      bench.execute(bench.send(3, 8));
      assertThat(queue.awaitNotification(Duration.ofMillis(20))).isFalse();

      assertThat(queue.poll(10))
          .extracting(WorkCompletion::workRequestId)
          .containsExactly(900L, 901L, 902L);
    }
  }

  // --- UC

  private static TestBench unreliable(WirePlan plan) {
    return bench(config -> config, plan, options -> options.withTransport(Transport.UC));
  }

  @Test
  void uc_writeAndSend_completeWithoutAnswers() throws Exception {
    try (TestBench bench = unreliable(WirePlan.PERFECT)) {
      ByteBuffer memory = ByteBuffer.allocate(4 * MTU);
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);
      bench.receive(900, region);
      assertThat(bench.execute(bench.write(1, region, IOVA, 3 * MTU))).isEqualTo(WcStatus.SUCCESS);
      assertThat(bench.execute(bench.send(2, 8))).isEqualTo(WcStatus.SUCCESS);

      assertThat(bench.nextRemote().workRequestId()).isEqualTo(900);
      assertThat(bytes(memory, 8, 3 * MTU - 8)).isEqualTo(bytes(bench.localMemory, 8, 3 * MTU - 8));
      assertThatThrownBy(() -> bench.here.post(bench.read(3, region, IOVA, 8)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("UC");
      assertThat(sent(bench))
          .containsExactly(
              opcode("UC_RDMA_WRITE_FIRST"),
              opcode("UC_RDMA_WRITE_MIDDLE"),
              opcode("UC_RDMA_WRITE_LAST"),
              opcode("UC_SEND_ONLY"));
      assertThat(bench.events(TraceEvent.Ack.class)).isEmpty();
    }
  }

  @Test
  void uc_wrongKey_losesTheMessageInSilence() throws Exception {
    try (TestBench bench = unreliable(WirePlan.PERFECT)) {
      ByteBuffer memory = ByteBuffer.allocate(64);
      MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);
      assertThat(bench.execute(bench.write(1, region, IOVA + 60, 8))).isEqualTo(WcStatus.SUCCESS);
      bench.receive(900, region);
      assertThat(bench.execute(bench.send(2, 8))).isEqualTo(WcStatus.SUCCESS);
      bench.nextRemote();

      assertThat(bench.there.state()).isEqualTo(QueuePairState.RTS);
      assertThat(memory.get(61)).isZero();
      assertThat(bench.events(TraceEvent.Nak.class)).isEmpty();
    }
  }

  @Test
  void uc_lostPacket_losesItsMessageAndNoOther() throws Exception {
    try (TestBench bench = unreliable(WirePlan.PERFECT)) {
      MemoryRegion region =
          bench.remotePd.register(ByteBuffer.allocate(4 * MTU), IOVA, TestBench.ALL);
      bench.receive(900, region);
      bench.wire.deliverThrough(packet -> packet.opcode().equals(opcode("UC_SEND_MIDDLE")) ? 0 : 1);
      bench.execute(bench.send(1, 3 * MTU));
      bench.execute(bench.send(2, 2 * MTU));

      WorkCompletion received = bench.nextRemote();
      assertThat(received.workRequestId()).isEqualTo(900);
      assertThat(received.length()).hasValue(2 * MTU);
    }
  }

  @Test
  void uc_badLocalKey_stopsTheSendQueueOnly() throws Exception {
    try (TestBench bench = unreliable(WirePlan.PERFECT)) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, TestBench.ALL);
      WorkRequest bad =
          new WorkRequest.RdmaWrite(1, new MemoryKey(0x123456), 0, 8, region.rkey(), IOVA);

      assertThat(bench.execute(bad)).isEqualTo(WcStatus.LOC_PROT_ERR);
      assertThat(bench.here.state()).isEqualTo(QueuePairState.SQE);
      assertThat(bench.execute(bench.write(2, region, IOVA, 8))).isEqualTo(WcStatus.WR_FLUSH_ERR);
      bench.here.modify(QueuePairState.RTS);
      assertThat(bench.execute(bench.write(3, region, IOVA, 8))).isEqualTo(WcStatus.SUCCESS);
    }
  }

  // --- Policies

  @Test
  void nakThenError_orderIsThePolicys() throws Exception {
    for (Policies.NakThenError order :
        List.of(Policies.NakThenError.NAK_FIRST, Policies.NakThenError.ERROR_FIRST)) {
      try (TestBench bench = bench(config -> config.withPolicies(Policies.strict().with(order)))) {
        MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, TestBench.ALL);
        bench.execute(bench.write(1, region, IOVA + 60, 8));

        List<TraceEvent> trace = bench.finish();
        int nak = -1;
        int error = -1;
        for (int i = 0; i < trace.size(); i++) {
          TraceEvent event = trace.get(i);
          if (event instanceof TraceEvent.Nak) {
            nak = i;
          } else if (event instanceof TraceEvent.QpState state
              && state.state() == QueuePairState.ERR
              && state.stamp().actor().host().equals("responder")) {
            error = i;
          }
        }
        assertThat(nak < error).isEqualTo(order == Policies.NakThenError.NAK_FIRST);
      }
    }
  }

  @Test
  void asyncEvent_notRaised_isAbsent() throws Exception {
    try (TestBench bench =
        bench(
            config ->
                config.withPolicies(
                    Policies.strict()
                        .with(Policies.AsyncEvent.NOT_RAISED)
                        .with(Policies.NakDelay.ANY)))) {
      MemoryRegion region = bench.remotePd.register(ByteBuffer.allocate(64), IOVA, TestBench.ALL);
      assertThat(bench.execute(bench.write(1, region, IOVA + 60, 8)))
          .isEqualTo(WcStatus.REM_ACCESS_ERR);

      assertThat(bench.responder.pollAsyncEvent()).isEmpty();
      assertThat(bench.events(TraceEvent.Async.class)).isEmpty();
    }
  }

  @Test
  void localCheck_tooLongElement_sendsPacketsOnlyWhereLengthIsLazy() throws Exception {
    for (Policies.LocalCheck policy : Policies.LocalCheck.values()) {
      try (TestBench bench = bench(config -> config.withPolicies(Policies.strict().with(policy)))) {
        MemoryRegion region =
            bench.remotePd.register(ByteBuffer.allocate(1 << 17), IOVA, TestBench.ALL);
        long tooLong = bench.localMemory.capacity() + 1;

        assertThat(bench.execute(bench.write(1, region, IOVA, tooLong)))
            .isEqualTo(WcStatus.LOC_PROT_ERR);

        assertThat(bench.events(TraceEvent.Tx.class).isEmpty())
            .isEqualTo(policy == Policies.LocalCheck.PER_WORK_REQUEST);
        assertThat(bench.there.state()).isEqualTo(QueuePairState.RTS);
      }
    }
  }

  @Test
  void writeRange_overrun_leavesAPrefixOrNothing() throws Exception {
    for (Policies.WriteRange policy : Policies.WriteRange.values()) {
      try (TestBench bench = bench(config -> config.withPolicies(Policies.strict().with(policy)))) {
        ByteBuffer memory = ByteBuffer.allocate(3 * MTU);
        MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);

        assertThat(bench.execute(bench.write(1, region, IOVA, 4 * MTU)))
            .isEqualTo(WcStatus.REM_ACCESS_ERR);

        assertThat(memory.get(0) == 0)
            .isEqualTo(policy == Policies.WriteRange.WHOLE_MESSAGE_UP_FRONT);
      }
    }
  }

  @Test
  void writeCheckAndReadCheck_everyValue_movesTheRightBytes() throws Exception {
    for (Policies.WriteCheck write : Policies.WriteCheck.values()) {
      for (Policies.ReadCheck read : Policies.ReadCheck.values()) {
        try (TestBench bench =
            bench(config -> config.withPolicies(Policies.strict().with(write).with(read)))) {
          ByteBuffer memory = ByteBuffer.allocate(4 * MTU);
          MemoryRegion region = bench.remotePd.register(memory, IOVA, TestBench.ALL);
          byte[] expected = bytes(bench.localMemory, 0, 3 * MTU + 3);
          assertThat(bench.execute(bench.write(1, region, IOVA + 1, 3 * MTU + 3)))
              .isEqualTo(WcStatus.SUCCESS);
          bench.localMemory.put(0, (byte) 0);
          assertThat(bench.execute(bench.read(2, region, IOVA + 1, 3 * MTU + 3)))
              .isEqualTo(WcStatus.SUCCESS);

          assertThat(bytes(bench.localMemory, 0, 3 * MTU + 3)).isEqualTo(expected);
          region.deregister();
          bench.finish();
          assertThat(bench.oracle.accessesAfterReturn()).isZero();
        }
      }
    }
  }
}
