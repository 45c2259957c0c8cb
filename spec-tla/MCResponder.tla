------------------------------ MODULE MCResponder -----------------------------
(***************************************************************************)
(* ResponderMachine at small bounds, watched by the wire contracts.        *)
(*                                                                         *)
(* The observer does what the trace checker does: a ledger of raw events,  *)
(* and a belief set for each instance.  Instances of a queue pair are      *)
(* there from the start; those of a packet or a message are made by the    *)
(* packet that binds their whole slice, replay the history of their key,   *)
(* and are dropped when they are back at their start.                      *)
(*                                                                         *)
(* BOUNDS.  At most three PSNs, two packets on the wire, one loss, one     *)
(* time-out: enough for a gap, a duplicate, a refusal in mid-message, a    *)
(* refusal in mid-response and a flush, not for two of a kind.  The        *)
(* workloads are short stories and each model tells one.                   *)
(***************************************************************************)
EXTENDS ResponderMachine, TLC

CONSTANT Watched    \* the contracts that are watched

\* The ledger of raw events.
VARIABLE ledger

\* pairs[contract][end] is the belief set of a contract of one queue pair.
VARIABLE pairs

\* packets is a function from instances of SoundCheckOnWire to their belief sets.
VARIABLE packets

\* messages is a function from instances of RejectHasNoEffect to their belief sets.
VARIABLE messages

observer == <<ledger, pairs, packets, messages>>

Raw         == INSTANCE Derive WITH AddressSpace <- 16, PsnSpace <- 16, LongestMessage <- 8,
                                Skipped <- {}
Umbrella    == INSTANCE UmbrellaStatus
Expected    == INSTANCE NakOnlyAtExpectedPsn
Fatality    == INSTANCE FatalNak
Silence     == INSTANCE SilentInError
Order       == INSTANCE PsnOrder
Duplicates  == INSTANCE DuplicateNotExecuted
Completions == INSTANCE CompletionMatchesAnswer
Wire        == INSTANCE SoundCheckOnWire
Effects     == INSTANCE RejectHasNoEffect

PairContracts == {"UmbrellaStatus", "NakOnlyAtExpectedPsn", "FatalNak", "SilentInError",
                  "PsnOrder", "DuplicateNotExecuted", "CompletionMatchesAnswer"}

StartOf(contract) ==
    CASE contract = "UmbrellaStatus"          -> Umbrella!Start
      [] contract = "NakOnlyAtExpectedPsn"    -> Expected!Start
      [] contract = "FatalNak"                -> Fatality!Start
      [] contract = "SilentInError"           -> Silence!Start
      [] contract = "PsnOrder"                -> Order!Start
      [] contract = "DuplicateNotExecuted"    -> Duplicates!Start
      [] contract = "CompletionMatchesAnswer" -> Completions!Start

StepOf(contract, s, d) ==
    CASE contract = "UmbrellaStatus"          -> Umbrella!Step(s, d)
      [] contract = "NakOnlyAtExpectedPsn"    -> Expected!Step(s, d)
      [] contract = "FatalNak"                -> Fatality!Step(s, d)
      [] contract = "SilentInError"           -> Silence!Step(s, d)
      [] contract = "PsnOrder"                -> Order!Step(s, d)
      [] contract = "DuplicateNotExecuted"    -> Duplicates!Step(s, d)
      [] contract = "CompletionMatchesAnswer" -> Completions!Step(s, d)

-------------------------------------------------------------------------------
\* Silent steps lead at most two steps on: arrived, accepted, refused.
Once(beliefs)    == beliefs \cup UNION {Wire!Hidden(s) : s \in beliefs}
Closure(beliefs) == Once(Once(beliefs))

StepWire(instance, beliefs, e) ==
    LET d == Raw!Derive(ledger, instance, e)
    IN Closure(UNION {Wire!Step(s, d) : s \in beliefs})

RECURSIVE Replay(_, _)
Replay(instance, history) ==
    IF history = << >> THEN Wire!Start
    ELSE StepWire(instance, Replay(instance, SubSeq(history, 1, Len(history) - 1)),
                  history[Len(history)])

IsRequestAtResponder(e) == e.name = "rx" /\ e.host = B.host

\* The instances that the event makes: at most one.
MadePackets(e) ==
    IF ~IsRequestAtResponder(e) THEN {}
    ELSE {Raw!NewInstance(ledger, e,
              [host |-> e.host, qp |-> e.qp, psn |-> e.psn, key |-> a.key])
              : a \in Raw!Access(Raw!Pair(ledger, e.host, e.qp), e)}

MadeMessages(e) ==
    IF ~IsRequestAtResponder(e) \/ e.op \notin Raw!WriteStarts THEN {}
    ELSE {Raw!NewInstance(ledger, e, [host |-> e.host, qp |-> e.qp, message |-> e.psn])}

\* Which instances an event steps: those that agree with what it binds.
AgreesWithPacket(i, e) ==
    CASE e.name \in Raw!RegistrationEvents -> i.key \in Raw!KeysOf(ledger, e)
      [] e.name = "rx" -> IsRequestAtResponder(e) /\ e.psn = i.psn
      [] e.name \in {"ack", "nak", "tx", "qp.state"} -> e.host = B.host
      [] OTHER -> FALSE

AgreesWithMessage(i, e) ==
    CASE e.name = "rx" -> /\ IsRequestAtResponder(e) /\ e.op \in Raw!WriteOps
                          /\ Raw!Within(e.psn, i.span.first, i.span.last)
      [] e.name \in {"ack", "nak", "tx", "dma.write"} -> e.host = B.host
      [] OTHER -> FALSE

NextPackets(e) ==
    LET made == {i \in MadePackets(e) : i \notin DOMAIN packets}
        old(i) == IF i \in DOMAIN packets THEN packets[i]
                  ELSE Replay(i, Raw!History(ledger, i.host, i.key))
        stepped == [i \in DOMAIN packets \cup made |->
                       IF AgreesWithPacket(i, e) THEN StepWire(i, old(i), e) ELSE old(i)]
        kept == {i \in DOMAIN stepped : stepped[i] # Wire!Start}
    IN [i \in kept |-> stepped[i]]

NextMessages(e) ==
    LET made == {i \in MadeMessages(e) : i \notin DOMAIN messages}
        old(i) == IF i \in DOMAIN messages THEN messages[i] ELSE Effects!Start
        stepped == [i \in DOMAIN messages \cup made |->
                       IF AgreesWithMessage(i, e)
                       THEN LET d == Raw!Derive(ledger, i, e)
                            IN UNION {Effects!Step(s, d) : s \in old(i)}
                       ELSE old(i)]
        kept == {i \in DOMAIN stepped : stepped[i] # Effects!Start}
    IN [i \in kept |-> stepped[i]]

Ends == {A, B}

NextPairs(e) ==
    IF "qp" \notin DOMAIN e THEN pairs
    ELSE LET end == [host |-> e.host, qp |-> e.qp]
             d   == Raw!Derive(ledger, end, e)
         IN [c \in DOMAIN pairs |->
                [pairs[c] EXCEPT ![end] = UNION {StepOf(c, s, d) : s \in @}]]

\* Overrides Emit.
Observe(e) ==
    /\ Assert(e.name \in Emitted, <<"not declared as emitted", e>>)
    /\ pairs'    = NextPairs(e)
    /\ packets'  = IF "SoundCheckOnWire" \in Watched THEN NextPackets(e) ELSE packets
    /\ messages' = IF "RejectHasNoEffect" \in Watched THEN NextMessages(e) ELSE messages
    /\ ledger'   = Raw!Record(ledger, e)

\* Overrides EmitNothing.
ObserveNothing == UNCHANGED observer

-------------------------------------------------------------------------------
(***************************************************************************)
(* Before the story: the region is registered, the queue pairs are         *)
(* connected, the work requests are posted.                                *)
(***************************************************************************)
Rights == {"local_write", "remote_write", "remote_read", "remote_atomic"}

Prelude ==
    << [name |-> "reg", host |-> B.host, mr |-> RegionNumber, pd |-> 1, key |-> RegionKey,
        lkey |-> RegionKey, va |-> 0, len |-> RegionLength, rights |-> Rights],
       [name |-> "qp.create", host |-> A.host, qp |-> A.qp, pd |-> 1, rights |-> Rights],
       [name |-> "qp.create", host |-> B.host, qp |-> B.qp, pd |-> 1, rights |-> Rights],
       [name |-> "qp.connect", host |-> A.host, qp |-> A.qp, peer |-> B, receive_psn |-> 0,
        send_psn |-> 0, mtu |-> 1],
       [name |-> "qp.connect", host |-> B.host, qp |-> B.qp, peer |-> A, receive_psn |-> 0,
        send_psn |-> 0, mtu |-> 1] >>
    \o [i \in 1 .. Len(Works) |->
           [name |-> "post", host |-> A.host, qp |-> A.qp, wr |-> Works[i].wr,
            op |-> "RDMA_WRITE", len |-> 1]]

MCInit ==
    /\ Init
    /\ ledger = Raw!RecordAll(Prelude)
    /\ pairs = [c \in Watched \cap PairContracts |-> [end \in Ends |-> StartOf(c)]]
    /\ packets = << >>
    /\ messages = << >>

Spec == MCInit /\ [][Next]_<<vars, observer>>

-------------------------------------------------------------------------------
\* The contracts.
PairInv(contract) ==
    contract \in DOMAIN pairs => \A end \in Ends : pairs[contract][end] # {}

UmbrellaStatusInv          == PairInv("UmbrellaStatus")
NakOnlyAtExpectedPsnInv    == PairInv("NakOnlyAtExpectedPsn")
FatalNakInv                == PairInv("FatalNak")
SilentInErrorInv           == PairInv("SilentInError")
PsnOrderInv                == PairInv("PsnOrder")
DuplicateNotExecutedInv    == PairInv("DuplicateNotExecuted")
CompletionMatchesAnswerInv == PairInv("CompletionMatchesAnswer")
SoundCheckOnWireInv        == \A i \in DOMAIN packets : packets[i] # {}
RejectHasNoEffectInv       == \A i \in DOMAIN messages : messages[i] # {}

-------------------------------------------------------------------------------
(***************************************************************************)
(* Meant to be violated: the counterexample shows that the situation is    *)
(* reached.                                                                *)
(***************************************************************************)

\* A WRITE is cut short in mid-message and leaves a prefix.
DebugInvWrittenPrefix ==
    \A i \in DOMAIN messages : \A s \in messages[i] : Effects!Remark(s) = ""

\* A READ is refused in mid-response.
DebugInvReadCutShort ==
    ~(responder = "refused" /\ \E a \in 1 .. Len(answers) :
          /\ answers[a].syndrome = AccessNak
          /\ \E psn \in 0 .. LastPsn :
                 At(psn) # Filler /\ IsRead(psn) /\ psn < answers[a].psn)

\* A duplicate has arrived.
DebugInvDuplicate ==
    \A end \in Ends : pairs["DuplicateNotExecuted"][end] = Duplicates!Start

\* A work request is flushed.
DebugInvFlush == ~(failure = "reported" /\ completed = Len(Works) /\ Len(Works) > 1)

-------------------------------------------------------------------------------
(***************************************************************************)
(* The stories.                                                            *)
(***************************************************************************)
Write1(op, va, len) == [op |-> op, key |-> RegionKey, va |-> va, len |-> len, payload |-> 1]
Read1(va, len)  == [op |-> "RC_RDMA_READ_REQUEST", key |-> RegionKey, va |-> va, len |-> len,
                    payload |-> 0]
Atomic1(va)     == [op |-> "RC_FETCH_ADD", key |-> RegionKey, va |-> va, len |-> 8, payload |-> 0]
Work(wr, first, last) == [wr |-> wr, first |-> first, last |-> last]

\* A WRITE of two packets, then another of one.
WriteStory == << Write1("RC_RDMA_WRITE_FIRST", 0, 2), Write1("RC_RDMA_WRITE_LAST", 0, 2),
                 Write1("RC_RDMA_WRITE_ONLY", 4, 1) >>
WriteWorks == << Work(1, 0, 1), Work(2, 2, 2) >>

\* A READ with two responses.
ReadStory == << Read1(0, 2), Filler >>
ReadWorks == << Work(1, 0, 1) >>

\* An atomic operation, another, and a third that is not aligned.
AtomicStory == << Atomic1(0), Atomic1(0), Atomic1(4) >>
AtomicWorks == << Work(1, 0, 0), Work(2, 1, 1), Work(3, 2, 2) >>

\* A WRITE past the end of the region, and one behind it.
BadStory == << Write1("RC_RDMA_WRITE_ONLY", 8, 1), Write1("RC_RDMA_WRITE_ONLY", 0, 1) >>
BadWorks == << Work(1, 0, 0), Work(2, 1, 1) >>

=============================================================================
