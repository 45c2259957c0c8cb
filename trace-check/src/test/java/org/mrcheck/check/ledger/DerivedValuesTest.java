package org.mrcheck.check.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.mrcheck.lang.binding.Parameter;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.RemoteAccess;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceEvent.CallStatus;
import org.mrcheck.lang.trace.TraceEvent.CheckVerdict;
import org.mrcheck.lang.trace.TraceEvent.WorkOperation;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.TraceHeader.Completeness;
import org.mrcheck.lang.trace.WcStatus;

/** Each derived value by example, on 64-bit addresses and 24-bit PSNs. */
class DerivedValuesTest {
  private static final QueuePairId QP = new QueuePairId(0x11, 1);
  private static final QueuePairId REQUESTER = new QueuePairId(0x12, 1);
  private static final MemoryKey KEY = new MemoryKey(0x3ce);
  private static final long BASE = 0x7f36_adfe_e000L;
  private static final int FIRST = 0xff_fffe;
  private static final AccessFlags ALL = new AccessFlags(15);
  private static final List<Parameter> PACKET =
      List.of(Parameter.HOST, Parameter.QP, Parameter.PSN, Parameter.KEY);

  private final Ledger ledger = new Ledger(header(Completeness.COMPLETE));
  private long seq;

  private static TraceHeader header(Completeness completeness) {
    List<TraceHeader.Observation> all = new ArrayList<>();
    for (EventClass eventClass : EventClass.values()) {
      all.add(new TraceHeader.Observation(eventClass, "*", completeness));
    }
    return new TraceHeader(1, List.of(), Optional.empty(), Optional.empty(), all, Map.of());
  }

  private Stamp on(String host) {
    return new Stamp(++seq, seq, new Actor(host, "x"));
  }

  private void connect() {
    ledger.record(new TraceEvent.QpCreate(on("a"), QP, 1, ALL));
    ledger.record(
        new TraceEvent.QpConnect(
            on("a"),
            QP,
            Optional.of(new QueuePairAddress("b", REQUESTER)),
            OptionalInt.of(FIRST),
            OptionalInt.of(7),
            OptionalInt.of(1024)));
  }

  private TraceEvent.Reg region(AccessFlags rights) {
    return new TraceEvent.Reg(on("a"), 3, 1, KEY, KEY, BASE, 4096, rights, Optional.of("A"));
  }

  private TraceEvent.Check check(long va, long length, long remaining) {
    return new TraceEvent.Check(
        on("a"),
        QP,
        FIRST,
        AccessKind.REMOTE_WRITE,
        KEY,
        va,
        length,
        remaining,
        CheckVerdict.ACCEPT,
        Optional.empty(),
        OptionalLong.empty());
  }

  private TraceEvent.Rx write(Opcode opcode, int offset, int payload, long length) {
    Packet packet = Packet.plain(opcode, ledger.widths().psnPlus(FIRST, offset), false, payload);
    return new TraceEvent.Rx(
        on("a"),
        QP,
        opcode.hasReth() ? packet.withAccess(new RemoteAccess(KEY, BASE, length)) : packet);
  }

  private TraceEvent.Nak nak(int offset, Syndrome syndrome) {
    return new TraceEvent.Nak(on("a"), QP, ledger.widths().psnPlus(FIRST, offset), 0, syndrome);
  }

  private TraceEvent.Nak captured(Syndrome syndrome) {
    return new TraceEvent.Nak(
        new Stamp(++seq, seq, new Actor("a", "x"), 99), QP, FIRST, 0, syndrome);
  }

  private TraceEvent.Ack ack(int offset) {
    return new TraceEvent.Ack(
        on("a"), QP, ledger.widths().psnPlus(FIRST, offset), 0, new Syndrome(0x1f));
  }

  private DerivedValue derive(String name, TraceEvent event) {
    return Derivation.named(name).orElseThrow().derive(ledger, Optional.empty(), event);
  }

  private DerivedValue derive(String name, Instance instance, TraceEvent event) {
    return Derivation.named(name).orElseThrow().derive(ledger, Optional.of(instance), event);
  }

  @Test
  void permitted_rangeUpToTheEnd_holdsAndOneByteMoreDoesNot() {
    connect();
    ledger.record(region(ALL));
    assertThat(derive("permitted", check(BASE + 4000, 96, 96))).isEqualTo(DerivedValue.TRUE);
    assertThat(derive("permitted", check(BASE + 4000, 97, 97))).isEqualTo(DerivedValue.FALSE);
    assertThat(derive("permitted", check(BASE - 1, 8, 8))).isEqualTo(DerivedValue.FALSE);
    assertThat(derive("permitted", check(-8, 16, 16))).isEqualTo(DerivedValue.FALSE);
  }

  @Test
  void permitted_withoutTheRightOrTheDomain_doesNotHold() {
    connect();
    ledger.record(region(new AccessFlags(5)));
    assertThat(derive("permitted", check(BASE, 8, 8))).isEqualTo(DerivedValue.FALSE);
    ledger.record(new TraceEvent.QpCreate(on("a"), QP, 2, ALL));
    ledger.record(region(ALL));
    assertThat(derive("permitted", check(BASE, 8, 8))).isEqualTo(DerivedValue.FALSE);
  }

  @Test
  void permitted_afterLostEvents_isUnknownAndNamesTheClass() {
    connect();
    ledger.record(region(ALL));
    ledger.noteLoss();
    assertThat(derive("permitted", check(BASE, 8, 8)))
        .isInstanceOfSatisfying(
            DerivedValue.Unknown.class,
            unknown -> assertThat(unknown.missing()).isEqualTo(EventClass.REGISTRATION));
  }

  @Test
  void overruns_messageBeyondTheEndWithPacketInside_holds() {
    connect();
    ledger.record(region(ALL));
    assertThat(derive("overruns", check(BASE, 1024, 5000))).isEqualTo(DerivedValue.TRUE);
    assertThat(derive("overruns", check(BASE, 1024, 4096))).isEqualTo(DerivedValue.FALSE);
    assertThat(derive("overruns", check(BASE + 4096, 1024, 5000))).isEqualTo(DerivedValue.FALSE);
  }

  @Test
  void binds_middlePacket_takesKeyAndAddressOfItsMessageAcrossThePsnWrap() {
    connect();
    ledger.record(write(Opcode.RC_WRITE_FIRST, 0, 1024, 4000));
    TraceEvent.Rx last = write(Opcode.RC_WRITE_LAST, 3, 928, 0);
    ParameterValues values = ledger.binds(last, PACKET).get(0);
    PacketAccess packet = ledger.open(values, last).packet().orElseThrow();
    assertThat(values.psn()).hasValue(1);
    assertThat(packet.key()).isEqualTo(KEY);
    assertThat(packet.va()).isEqualTo(BASE + 3072);
    assertThat(packet.length()).isEqualTo(928);
  }

  @Test
  void binds_middlePacketOfUnknownMessage_bindsNoKey() {
    connect();
    assertThat(ledger.binds(write(Opcode.RC_WRITE_MIDDLE, 1, 1024, 0), PACKET)).isEmpty();
  }

  @Test
  void binds_registrationWithTwoKeys_bindsBoth() {
    TraceEvent.Reg reg =
        new TraceEvent.Reg(
            on("a"), 1, 1, KEY, new MemoryKey(0x3cf), BASE, 8, ALL, Optional.empty());
    assertThat(ledger.binds(reg, List.of(Parameter.HOST, Parameter.KEY))).hasSize(2);
  }

  @Test
  void covers_andExact_bySyndromeAndPsn() {
    connect();
    TraceEvent.Rx rx = write(Opcode.RC_WRITE_FIRST, 0, 1024, 4000);
    Instance instance = ledger.open(ledger.binds(rx, PACKET).get(0), rx);
    ledger.record(rx);
    assertThat(derive("covers", instance, ack(0))).isEqualTo(DerivedValue.TRUE);
    assertThat(derive("covers", instance, nak(0, Syndrome.REMOTE_ACCESS_ERROR)))
        .isEqualTo(DerivedValue.FALSE);
    assertThat(derive("exact", instance, nak(0, Syndrome.REMOTE_ACCESS_ERROR)))
        .isEqualTo(DerivedValue.TRUE);
    assertThat(derive("exact", instance, nak(1, Syndrome.REMOTE_ACCESS_ERROR)))
        .isEqualTo(DerivedValue.FALSE);
  }

  @Test
  void atExpected_sequenceError_onlyWhereAGapWasSeen() {
    connect();
    ledger.record(write(Opcode.RC_WRITE_FIRST, 0, 1024, 4000));
    assertThat(derive("atExpected", nak(1, Syndrome.PSN_SEQUENCE_ERROR)))
        .isEqualTo(DerivedValue.FALSE);
    ledger.record(write(Opcode.RC_WRITE_MIDDLE, 2, 1024, 0));
    assertThat(derive("atExpected", nak(1, Syndrome.PSN_SEQUENCE_ERROR)))
        .isEqualTo(DerivedValue.TRUE);
    assertThat(derive("atExpected", nak(0, Syndrome.REMOTE_ACCESS_ERROR)))
        .isEqualTo(DerivedValue.TRUE);
    assertThat(derive("atExpected", nak(-1, Syndrome.REMOTE_ACCESS_ERROR)))
        .isEqualTo(DerivedValue.FALSE);
  }

  @Test
  void fresh_answeredBefore_doesNotHold() {
    connect();
    ledger.record(write(Opcode.RC_WRITE_ONLY, 0, 8, 8));
    ledger.record(ack(0));
    assertThat(derive("fresh", write(Opcode.RC_WRITE_ONLY, 0, 8, 8))).isEqualTo(DerivedValue.FALSE);
    assertThat(derive("fresh", write(Opcode.RC_WRITE_ONLY, 1, 8, 8))).isEqualTo(DerivedValue.TRUE);
  }

  @Test
  void fresh_joinedInMidConnection_isUnknown() {
    assertThat(derive("fresh", write(Opcode.RC_WRITE_ONLY, 0, 8, 8)))
        .isInstanceOf(DerivedValue.Unknown.class);
  }

  @Test
  void received_ackOfAPacketNotSeen_dependsOnCompleteness() {
    connect();
    assertThat(derive("received", ack(0))).isEqualTo(DerivedValue.FALSE);
    Ledger partial = new Ledger(header(Completeness.PARTIAL));
    assertThat(Derivation.named("received").orElseThrow().derive(partial, Optional.empty(), ack(0)))
        .isInstanceOf(DerivedValue.Unknown.class);
  }

  @Test
  void invalidRequestPossible_unalignedAtomic_holdsAndAlignedDoesNot() {
    connect();
    Packet atomic = Packet.plain(Opcode.RC_FETCH_ADD, FIRST, true, 0);
    ledger.record(
        new TraceEvent.Rx(on("a"), QP, atomic.withAccess(new RemoteAccess(KEY, BASE + 3, 8))));
    assertThat(derive("invalidRequestPossible", nak(0, Syndrome.INVALID_REQUEST)))
        .isEqualTo(DerivedValue.TRUE);
    ledger.record(
        new TraceEvent.Rx(on("a"), QP, atomic.withAccess(new RemoteAccess(KEY, BASE, 8))));
    assertThat(derive("invalidRequestPossible", nak(0, Syndrome.INVALID_REQUEST)))
        .isEqualTo(DerivedValue.FALSE);
  }

  @Test
  void beyondFatalAndLate_afterAFatalNak_hold() {
    connect();
    ledger.record(write(Opcode.RC_WRITE_ONLY, 0, 8, 8));
    ledger.record(nak(0, Syndrome.REMOTE_ACCESS_ERROR));
    assertThat(derive("beyondFatal", ack(0))).isEqualTo(DerivedValue.TRUE);
    assertThat(derive("beyondFatal", ack(-1))).isEqualTo(DerivedValue.FALSE);
    assertThat(derive("late", ack(1))).isEqualTo(DerivedValue.FALSE);
    ledger.record(write(Opcode.RC_WRITE_ONLY, 1, 8, 8));
    assertThat(derive("late", ack(1))).isEqualTo(DerivedValue.TRUE);
    assertThat(derive("repeated", captured(Syndrome.REMOTE_ACCESS_ERROR)))
        .isEqualTo(DerivedValue.TRUE);
    assertThat(derive("repeated", captured(Syndrome.INVALID_REQUEST)))
        .isEqualTo(DerivedValue.FALSE);
    assertThat(derive("repeated", nak(0, Syndrome.REMOTE_ACCESS_ERROR)))
        .as("in a device's own recording it is a second one")
        .isEqualTo(DerivedValue.FALSE);
  }

  @Test
  void answer_reservedNakCode_isOther() {
    assertThat(derive("answer", nak(0, new Syndrome(0x65))))
        .isEqualTo(new DerivedValue.Word("other"));
    assertThat(derive("answer", nak(0, new Syndrome(0x2e))))
        .isEqualTo(new DerivedValue.Word("rnr"));
  }

  @Test
  void judged_ackWithANakSyndrome_isANak() {
    TraceEvent.Ack odd = new TraceEvent.Ack(on("a"), QP, 1, 0, Syndrome.REMOTE_ACCESS_ERROR);
    assertThat(Ledger.judged(odd)).isInstanceOf(TraceEvent.Nak.class);
    assertThat(Ledger.judged(ack(0))).isInstanceOf(TraceEvent.Ack.class);
  }

  @Test
  void answered_workRequestWhoseMessageWasRefused_isAccess() {
    connect();
    ledger.record(
        new TraceEvent.QpConnect(
            on("b"),
            REQUESTER,
            Optional.of(new QueuePairAddress("a", QP)),
            OptionalInt.of(7),
            OptionalInt.of(FIRST),
            OptionalInt.of(1024)));
    ledger.record(
        new TraceEvent.Post(
            on("b"),
            REQUESTER,
            1,
            WorkOperation.RDMA_WRITE,
            Optional.of(new RemoteAccess(KEY, BASE, 8)),
            Optional.empty(),
            8));
    TraceEvent.Wc wc =
        new TraceEvent.Wc(
            on("b"),
            REQUESTER,
            1,
            WcStatus.REM_ACCESS_ERR,
            Optional.empty(),
            OptionalInt.empty(),
            OptionalLong.empty());
    assertThat(derive("answered", wc)).isEqualTo(new DerivedValue.Word("none"));
    ledger.record(write(Opcode.RC_WRITE_ONLY, 0, 8, 8));
    ledger.record(nak(0, Syndrome.REMOTE_ACCESS_ERROR));
    assertThat(derive("answered", wc)).isEqualTo(new DerivedValue.Word("access"));
    assertThat(derive("status", wc)).isEqualTo(new DerivedValue.Word("access"));
  }

  @Test
  void entered_states_areTold() {
    TraceEvent.QpState err = new TraceEvent.QpState(on("a"), QP, QueuePairState.ERR);
    assertThat(derive("toErr", err)).isEqualTo(DerivedValue.TRUE);
    assertThat(derive("toReset", err)).isEqualTo(DerivedValue.FALSE);
    assertThat(derive("toReady", new TraceEvent.QpState(on("a"), QP, QueuePairState.RTR)))
        .isEqualTo(DerivedValue.TRUE);
  }

  @Test
  void attribute_eachCause_isNamed() {
    connect();
    ledger.record(region(new AccessFlags(5)));
    PacketAccess access =
        new PacketAccess(0, 1, AccessKind.REMOTE_WRITE, KEY, BASE + 4000, 200, 0, 200);
    assertThat(ledger.attribute("a", QP, access).describe())
        .isEqualTo(
            "missing right remote_write: mr 3 \"A\" has local_write|remote_read; past the end by"
                + " 104 bytes: range ends at 0x7f36adfef068, mr 3 \"A\" at 0x7f36adfef000");
    assertThat(attributeKey(new MemoryKey(0x300)))
        .isEqualTo("wrong tag: 0x00 presented, index 3 is live with tag 0xce (mr 3 \"A\")");
    assertThat(attributeKey(new MemoryKey(0x999)))
        .isEqualTo("0x999 was never registered in this recording");
    ledger.record(new TraceEvent.DeregCall(on("a"), 3, KEY));
    ledger.record(
        new TraceEvent.DeregReturn(new Stamp(431, 0, new Actor("a", "x")), 3, KEY, CallStatus.OK));
    assertThat(attributeKey(KEY)).isEqualTo("stale key: mr 3 \"A\" was deregistered at event 431");
    assertThat(ledger.history("a", KEY)).isEmpty();
  }

  private String attributeKey(MemoryKey key) {
    return ledger
        .attribute("a", QP, new PacketAccess(0, 1, AccessKind.REMOTE_READ, key, BASE, 8, 0, 8))
        .describe();
  }

  @Test
  void describe_permitted_givesBothSidesInNumbers() {
    connect();
    ledger.record(region(ALL));
    assertThat(
            Derivation.named("permitted")
                .orElseThrow()
                .describe(ledger, Optional.empty(), check(BASE + 4000, 97, 97)))
        .hasValueSatisfying(
            text -> assertThat(text).contains("past the end by 1 bytes", "mr 3 \"A\""));
  }

  @Test
  void named_unknownName_isEmpty() {
    assertThat(Derivation.named("permited")).isEmpty();
    assertThat(Derivation.names()).contains("permitted", "answered");
  }
}
