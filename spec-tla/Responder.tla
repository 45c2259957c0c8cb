-------------------------------- MODULE Responder -----------------------------
(***************************************************************************)
(* The receiving side of a queue pair: PSN gate, key check, access,        *)
(* answer, duplicates, refusal and error state.                            *)
(*                                                                         *)
(* MODELLED.  The packet in hand goes through stages, each an action:      *)
(*   arrived     nothing decided yet                                       *)
(*   accepted    its check has passed; translated: its bus address known   *)
(*   done        its bytes are in memory, nothing is said yet              *)
(*   queued      a READ whose check waits for its first response           *)
(*   asked       a READ that may send its next response                    *)
(*   fetched     the bytes of that response are read                       *)
(*   placed      a SEND is in memory, its receive not completed            *)
(*   invCalled, invDone   a SEND's invalidation is under way               *)
(*   refused     a NAK and the error state are owed (E7, E15)              *)
(*   failing     the error state is owed without a NAK (E9)                *)
(* PSN gate and sequence NAK (C2, E4), duplicates of WRITE (R1), READ (R3, *)
(* R4), atomic (R2, R5), RNR (C12), silence in error (E13), unreliable     *)
(* connections that drop without a word (E8).                              *)
(*                                                                         *)
(* NOT MODELLED, and which way that errs.  PSNs do not wrap around; one    *)
(* packet in hand at a time; acknowledgements are not coalesced: what      *)
(* needs these is missed.                                                  *)
(*                                                                         *)
(* Java twins: org.mrcheck.rnic.Responder, DmaStage.                       *)
(***************************************************************************)
EXTENDS Access

OnlyResponder == UNCHANGED <<settingVars, keyVars, cache, thread, requester, wire>>

Hand(q)  == responder[q].hand
Asked(q) == WorkAt(PeerOf(q), Hand(q).psn)      \* the work request in hand

IsServing(q) == responder[q].state = "RTS" \/ Has("ServesInError")

Arrived(psn) ==
    [stage |-> "arrived", psn |-> psn, at |-> psn, mr |-> 0, mw |-> 0, frame |-> 0, part |-> 0,
     answer |-> 0, naked |-> FALSE, told |-> FALSE, ended |-> FALSE, acked |-> FALSE]

SetHand(q, h) == responder' = [responder EXCEPT ![q].hand = h]
Stage(q, s)   == [Hand(q) EXCEPT !.stage = s]

IsArrived(q)   == Hand(q).stage = "arrived"
IsExpected(q)  == Hand(q).psn = responder[q].expected
IsDuplicate(q) == Hand(q).psn < responder[q].expected
IsRC           == Transport = "RC"

AckSyndrome      == 31
RnrSyndrome      == 33
SequenceNak      == 96
InvalidNak       == 97
AccessNak        == 98
OperationalNak   == 99
ReservedNak      == 101

\* Without the umbrella each cause has a code of its own (C15).
AccessSyndrome(faults) ==
    CASE Has("ReportsCause") -> InvalidNak
      [] Has("ReservedCode") -> ReservedNak
      [] Is("Umbrella", "Yes") -> AccessNak
      [] OTHER -> CASE CauseOf(faults) = "key"    -> AccessNak
                    [] CauseOf(faults) = "range"  -> InvalidNak
                    [] CauseOf(faults) = "right"  -> ReservedNak
                    [] CauseOf(faults) = "domain" -> ReservedNak + 1

-------------------------------------------------------------------------------
(***************************************************************************)
(* A packet comes.                                                         *)
(***************************************************************************)

\* From the wire.
ReceivePacket(q) ==
    /\ Hand(q) = Nothing /\ wire.requests[q] # << >>
    /\ LET psn == Head(wire.requests[q])
       IN /\ SetHand(q, Arrived(psn))
          /\ Emit(PacketEvent("rx", q, WorkAt(PeerOf(q), psn), psn))
    /\ wire' = [wire EXCEPT !.requests[q] = Tail(@)]
    /\ UNCHANGED <<settingVars, keyVars, cache, thread, requester>>

\* From a raw peer, which goes on as long as somebody listens.
ReceiveFromRawPeer(q) ==
    LET p   == PeerOf(q)
        psn == requester[p].next
    IN /\ Hand(q) = Nothing /\ p \in RawPeers /\ IsPosted(p, psn)
       /\ responder[q].state = "RTS"
       /\ SetHand(q, Arrived(psn))
       /\ LET work == WorkAt(p, psn)
          IN /\ requester' = [requester EXCEPT ![p].next = AfterPacket(work, psn),
                    ![p].completed = IF AfterPacket(work, psn) > work.last
                                     THEN PlaceOf(p, psn) ELSE @]
             /\ Emit(PacketEvent("rx", q, work, psn))
       /\ UNCHANGED <<settingVars, keyVars, cache, thread, wire>>

-------------------------------------------------------------------------------
(***************************************************************************)
(* Saying something.                                                       *)
(***************************************************************************)

\* An ACK or NAK; what becomes of the responder's side is `next'.
Says(q, name, psn, syndrome, next) ==
    /\ responder' = [responder EXCEPT ![q] = next]
    /\ wire' = WithAnswer(PeerOf(q), "RC_ACKNOWLEDGE", psn, syndrome)
    /\ UNCHANGED <<settingVars, keyVars, cache, thread, requester>>
    /\ Emit([name |-> name, host |-> OwnHost, qp |-> q, psn |-> psn, msn |-> 0,
             syndrome |-> syndrome])

\* A READ response or an atomic acknowledgement.
Responds(q, op, psn, more, next) ==
    /\ responder' = [responder EXCEPT ![q] = next]
    /\ wire' = WithAnswer(PeerOf(q), op, psn, AckSyndrome)
    /\ UNCHANGED <<settingVars, keyVars, cache, thread, requester>>
    /\ Emit([name |-> "tx", host |-> OwnHost, qp |-> q, op |-> op, psn |-> psn,
             syndrome |-> AckSyndrome, msn |-> 0] @@ more)

-------------------------------------------------------------------------------
(***************************************************************************)
(* The gate.                                                               *)
(***************************************************************************)

\* Leave the packet without a word: in error (E13); behind a gap that was asked
\* for (E4); a READ that came again, by policy.
IgnorePacket(q) ==
    /\ IsArrived(q) /\ IsRC
    /\ \/ ~IsServing(q) /\ ~Has("AnswersInError")
       \/ IsServing(q) /\ Hand(q).psn > responder[q].expected /\ responder[q].gap
       \/ IsServing(q) /\ IsDuplicate(q) /\ Asked(q).op \in Reads /\ Is("DuplicateRead", "Drop")
    /\ SetHand(q, Nothing)
    /\ OnlyResponder /\ EmitNothing

\* C2, E4: a later packet than the expected one.
AskForMissing(q) ==
    /\ IsArrived(q) /\ IsRC /\ IsServing(q)
    /\ Hand(q).psn > responder[q].expected /\ ~responder[q].gap
    /\ LET r == [responder[q] EXCEPT !.hand = Nothing]
       IN CASE Has("NaksOutOfOrder") -> Says(q, "nak", Hand(q).psn, AccessNak,
                                             [r EXCEPT !.state = "NAKED"])
            [] Has("NaksWrongGap")   -> Says(q, "nak", Hand(q).psn, SequenceNak,
                                             [r EXCEPT !.gap = TRUE])
            [] Has("AcksPastGap")    -> Says(q, "ack", Hand(q).psn, AckSyndrome, r)
            [] OTHER                 -> Says(q, "nak", responder[q].expected, SequenceNak,
                                             [r EXCEPT !.gap = TRUE])

\* Unreliable: what does not fit is dropped with the rest of its message (E8).
DropUnreliable(q) ==
    /\ IsArrived(q) /\ ~IsRC
    /\ \/ ~IsServing(q)
       \/ IsServing(q) /\ ~IsExpected(q) /\ Hand(q).psn # Asked(q).first
       \/ IsServing(q) /\ IsDuplicate(q)
       \/ IsServing(q) /\ Hand(q).psn # Asked(q).first /\ responder[q].message = NoMessage
    /\ responder' = [responder EXCEPT ![q].hand = Nothing, ![q].message = NoMessage]
    /\ OnlyResponder /\ EmitNothing

\* The packet is one to be worked on.
IsTurn(q) ==
    /\ IsServing(q)
    /\ IF IsRC THEN IsExpected(q)
       ELSE /\ ~IsDuplicate(q)
            /\ Hand(q).psn = Asked(q).first
               \/ (IsExpected(q) /\ responder[q].message # NoMessage)

\* R1: a duplicate WRITE or SEND is acknowledged again.
AnswerDuplicate(q) ==
    /\ IsRC /\ IsServing(q) /\ IsDuplicate(q) /\ Asked(q).op \in Writes \cup Sends
    /\ Hand(q).stage \in {"arrived", "done"}
    /\ IsArrived(q) => ~(Has("ExecutesDuplicate") /\ Asked(q).op \in Writes)
    /\ LET r == [responder[q] EXCEPT !.hand = Nothing]
       IN IF Has("RefusesDuplicate")
          THEN Says(q, "nak", Hand(q).psn, AccessNak, [r EXCEPT !.state = "NAKED"])
          ELSE Says(q, "ack", responder[q].expected - 1, AckSyndrome, r)

\* Only with the defect: the duplicate is written.
ExecuteDuplicate(q) ==
    /\ Has("ExecutesDuplicate") /\ IsServing(q) /\ IsArrived(q) /\ IsDuplicate(q)
    /\ Asked(q).op \in Writes
    /\ SetHand(q, Stage(q, "done"))
    /\ OnlyResponder
    /\ LET w  == Asked(q)
           va == w.va + OffsetOf(w, Hand(q).psn)
           mr == IF TableEntry(w.key).mr = 0 THEN 1 ELSE TableEntry(w.key).mr
       IN Emit(DmaEvent("dma.write", q, [Hand(q) EXCEPT !.mr = mr, !.frame = region[mr].pages],
                        w.key, va, ShareOf(w, Hand(q).psn)))

\* Other than by its key wrong (C2, C11): an unaligned atomic operation, a
\* right that the queue pair itself does not give.
IsInvalid(q) ==
    LET w == Asked(q)
    IN \/ w.op \in Atomics /\ w.va % 8 # 0
       \/ w.op \notin Sends /\ RightFor(w) \notin QueuePairs[q].rights

RefuseInvalid(q) ==
    /\ IsArrived(q) /\ IsRC /\ IsTurn(q) /\ IsInvalid(q)
    /\ SetHand(q, [Stage(q, "refused") EXCEPT !.answer = InvalidNak])
    /\ OnlyResponder /\ EmitNothing

-------------------------------------------------------------------------------
(***************************************************************************)
(* WRITE and atomic: check.                                                *)
(***************************************************************************)

\* The bytes that the packet, or its fragment in turn (C8), wants.
Fragmented == Is("WriteCheck", "PerFragment")
FragmentLength == 1

PartVa(q)  == LET w == Asked(q) IN w.va + OffsetOf(w, Hand(q).psn) + Hand(q).part
PartLen(q) ==
    LET w    == Asked(q)
        rest == ShareOf(w, Hand(q).psn) - Hand(q).part
    IN IF Fragmented /\ w.op \in Writes THEN Min(rest, FragmentLength) ELSE rest
IsLastPart(q) == Hand(q).part + PartLen(q) >= ShareOf(Asked(q), Hand(q).psn)

\* What is left of the message from here on.
Remaining(q) ==
    LET w == Asked(q)
    IN w.len - (IF w.op \in Atomics THEN 0 ELSE OffsetOf(w, Hand(q).psn) + Hand(q).part)

\* What one check is about (C6, C9).
CheckedLen(q) ==
    IF Asked(q).op \in Writes
       /\ (ChecksOnce \/ Is("WriteRange", "WholeMessageUpFront"))
    THEN Remaining(q) ELSE PartLen(q)

IsFirstPart(q) == Hand(q).psn = Asked(q).first /\ Hand(q).part = 0

\* The packet uses what the first one of its message found (C7).
UsesSavedCheck(q) == ChecksOnce /\ ~IsFirstPart(q)

NeedsNoKey(q) == Asked(q).len = 0 /\ Is("ZeroLengthChecksKey", "No")          \* C4

FaultsInHand(q) ==
    LET w     == Asked(q)
        entry == Found(w.key)
        m     == responder[q].message
    IN CASE NeedsNoKey(q) -> {}
         [] IsFirstPart(q) ->
                IF Has("RefusesGoodKey") THEN {"key"}
                ELSE Faults(entry, q, w.key, RightFor(w), PartVa(q), CheckedLen(q))
         [] OTHER ->
                RecheckFaults(entry, q, w.key, RightFor(w), PartVa(q), CheckedLen(q), m.mr, m.mw)

\* The last packet of a WRITE with immediate data takes a receive.
TakesReceive(q) == Asked(q).op = "RDMA_WRITE_WITH_IMM" /\ Hand(q).psn = Asked(q).last
LacksReceive(q) == TakesReceive(q) /\ responder[q].received = Len(responder[q].receives)

\* KeyTable#check, trace point check.
CheckPacket(q) ==
    /\ IsArrived(q) /\ IsTurn(q) /\ ~IsInvalid(q) /\ ~UsesSavedCheck(q)
    /\ Asked(q).op \in Writes \cup Atomics
    /\ NeedsNoKey(q) \/ ~MustFill(Asked(q).key)
    /\ LacksReceive(q) => Is("ResourceVersusKey", "KeyFirst") /\ FaultsInHand(q) # {}     \* C12
    /\ LET w      == Asked(q)
           faults == FaultsInHand(q)
           entry  == Found(w.key)
           opens  == w.op \in Writes /\ IsFirstPart(q)
                     /\ (w.first # w.last \/ PartLen(q) < ShareOf(w, Hand(q).psn))
           hand   == IF faults # {}
                     THEN [Stage(q, "refused") EXCEPT !.answer = AccessSyndrome(faults)]
                     ELSE IF NeedsNoKey(q) \/ w.len = 0 THEN Stage(q, "done")
                     ELSE Passed(Hand(q), entry.mr, entry.mw)
       IN /\ responder' = [responder EXCEPT
                ![q].hand    = hand,
                ![q].gap     = FALSE,
                ![q].message = IF faults # {} THEN NoMessage
                               ELSE IF opens THEN [psn |-> w.first, key |-> w.key,
                                                   mr |-> entry.mr, mw |-> entry.mw]
                               ELSE @]
          /\ Emit(CheckEvent(q, Hand(q).psn, RightFor(w), w.key, PartVa(q), CheckedLen(q),
                             Remaining(q), faults))
    /\ OnlyResponder

UseSavedCheck(q) ==
    /\ IsArrived(q) /\ IsTurn(q) /\ UsesSavedCheck(q) /\ Asked(q).op \in Writes
    /\ ~LacksReceive(q)
    /\ LET m == responder[q].message
       IN SetHand(q, Passed(Hand(q), m.mr, m.mw))
    /\ OnlyResponder /\ EmitNothing

-------------------------------------------------------------------------------
(***************************************************************************)
(* The access, and what follows.                                           *)
(***************************************************************************)

\* After the bytes of a WRITE's packet or fragment have landed.
AfterWrite(q) ==
    LET w == Asked(q)
        r == responder[q]
    IN IF ~IsLastPart(q)
       THEN [r EXCEPT !.hand = [Stage(q, "arrived") EXCEPT !.part = @ + PartLen(q)]]
       ELSE IF Hand(q).psn < w.last
       THEN [r EXCEPT !.hand = Nothing, !.expected = Hand(q).psn + 1]
       ELSE [r EXCEPT !.hand = IF Hand(q).acked THEN Nothing
                               ELSE Stage(q, IF TakesReceive(q) THEN "placed" ELSE "done"),
                      !.received = IF TakesReceive(q) THEN @ + 1 ELSE @,
                      !.expected = IF Hand(q).acked THEN Hand(q).psn + 1 ELSE @,
                      !.message = NoMessage]

\* DmaStage, trace points dma.write and dma.read.
AccessMemory(q) ==
    /\ Hand(q).stage = "translated"
    /\ LET w == Asked(q)
           receiveMr == IF w.op \in Sends
                        THEN responder[q].receives[responder[q].received].mr ELSE 0
           va == CASE w.op \in Reads -> w.va + (Hand(q).at - w.first) * Mtu
                   [] w.op \in Sends -> region[receiveMr].va + OffsetOf(w, Hand(q).psn)
                   [] OTHER          -> PartVa(q)
           len == IF w.op \in Reads THEN ShareOf(w, Hand(q).at) ELSE PartLen(q)
           key == IF w.op \in Sends THEN region[receiveMr].lkey ELSE w.key
           next == CASE w.op \in Reads   -> [responder[q] EXCEPT !.hand = Stage(q, "fetched")]
                     [] w.op \in Writes  -> AfterWrite(q)
                     [] w.op \in Atomics -> [responder[q] EXCEPT !.hand = Stage(q, "done")]
                     [] w.op \in Sends   ->
                            IF Hand(q).psn < w.last
                            THEN [responder[q] EXCEPT !.hand = Nothing,
                                                      !.expected = Hand(q).psn + 1]
                            ELSE [responder[q] EXCEPT !.hand = Stage(q, "placed")]
       IN /\ responder' = [responder EXCEPT ![q] =
                              IF responder[q].state = "ERR" THEN [next EXCEPT !.hand = Nothing]
                              ELSE next]
          /\ Emit(DmaEvent(IF w.op \in Reads THEN "dma.read" ELSE "dma.write", q, Hand(q), key,
                           va, len))
    /\ OnlyResponder

\* Only with the defect: a refused packet is written.
WriteRefused(q) ==
    /\ Has("WritesRefused") /\ Hand(q).stage = "refused" /\ Asked(q).op \in Writes
    /\ ~Hand(q).acked
    /\ SetHand(q, [Hand(q) EXCEPT !.acked = TRUE])
    /\ OnlyResponder
    /\ Emit(DmaEvent("dma.write", q, [Hand(q) EXCEPT !.mr = 1, !.frame = region[1].pages],
                     Asked(q).key, PartVa(q), PartLen(q)))

AcknowledgePacket(q) ==
    /\ Asked(q).op \in Writes \cup Sends /\ IsRC
    /\ responder[q].state = "RTS"
    /\ \/ Hand(q).stage = "done"
       \/ /\ Has("AcksBeforeDma") /\ Hand(q).stage \in {"accepted", "translated"}
          /\ ~Hand(q).acked /\ Hand(q).psn = Asked(q).last /\ Asked(q).op \in Writes
       \/ Has("AcksRefused") /\ Hand(q).stage = "refused" /\ ~Hand(q).naked
    /\ ~IsDuplicate(q)
    /\ Says(q, "ack", Hand(q).psn, AckSyndrome,
            IF Hand(q).stage \in {"done", "refused"}
            THEN [responder[q] EXCEPT !.hand = Nothing, !.expected = Hand(q).psn + 1]
            ELSE [responder[q] EXCEPT !.hand.acked = TRUE])

\* Nothing is said on an unreliable connection.
FinishUnreliable(q) ==
    /\ ~IsRC /\ Hand(q).stage \in {"done", "refused"}
    /\ responder' = [responder EXCEPT ![q].hand = Nothing, ![q].expected = Hand(q).psn + 1,
            ![q].message = IF Hand(q).stage = "refused" THEN NoMessage ELSE @]
    /\ OnlyResponder /\ EmitNothing

\* R2: the result is kept.
AnswerAtomic(q) ==
    /\ Hand(q).stage = "done" /\ Asked(q).op \in Atomics /\ ~IsDuplicate(q)
    /\ responder[q].state = "RTS"
    /\ Responds(q, "RC_ATOMIC_ACKNOWLEDGE", Hand(q).psn,
                [payload |-> 0, original |-> responder[q].counter],
                [responder[q] EXCEPT !.hand = Nothing, !.expected = Hand(q).psn + 1,
                     !.counter = @ + 1,
                     !.saved = @ \cup {[psn |-> Hand(q).psn, mr |-> Hand(q).mr, mw |-> Hand(q).mw,
                                        result |-> responder[q].counter]}])

SavedAt(q, psn) == {s \in responder[q].saved : s.psn = psn}

\* R2, R5: a duplicate atomic operation returns the saved result.
AnswerDuplicateAtomic(q) ==
    /\ Asked(q).op \in Atomics /\ IsDuplicate(q) /\ IsServing(q)
    /\ Hand(q).stage = IF Is("DuplicateAtomic", "Recheck") THEN "asked" ELSE "arrived"
    /\ LET s == CHOOSE s \in SavedAt(q, Hand(q).psn) : TRUE
       IN Responds(q, "RC_ATOMIC_ACKNOWLEDGE", Hand(q).psn,
                   [payload |-> 0,
                    original |-> IF Has("RecomputesAtomic") THEN responder[q].counter
                                 ELSE s.result],
                   [responder[q] EXCEPT !.hand = Nothing])

CheckDuplicateAtomic(q) ==
    /\ IsArrived(q) /\ Asked(q).op \in Atomics /\ IsDuplicate(q) /\ IsServing(q)
    /\ Is("DuplicateAtomic", "Recheck") /\ ~MustFill(Asked(q).key)
    /\ LET w      == Asked(q)
           faults == Faults(Found(w.key), q, w.key, "remote_atomic", w.va, w.len)
       IN /\ SetHand(q, IF faults = {} THEN Stage(q, "asked")
                        ELSE [Stage(q, "refused") EXCEPT !.answer = AccessSyndrome(faults)])
          /\ Emit(CheckEvent(q, Hand(q).psn, "remote_atomic", w.key, w.va, w.len, w.len, faults))
    /\ OnlyResponder

-------------------------------------------------------------------------------
(***************************************************************************)
(* READ.                                                                   *)
(***************************************************************************)
IsReadInTurn(q) ==
    /\ Asked(q).op \in Reads /\ IsServing(q)
    /\ \/ IsExpected(q)
       \/ IsDuplicate(q) /\ ~Is("DuplicateRead", "Drop")

ServesSaved(q) ==
    IsDuplicate(q) /\ (Is("DuplicateRead", "SavedRequestOnly") \/ Has("SavedRequestReplay"))

\* A READ whose check waits until its first response is due (R6).
QueueRead(q) ==
    /\ IsArrived(q) /\ IsReadInTurn(q) /\ ~IsInvalid(q) /\ ~ServesSaved(q)
    /\ Is("ReadCheck", "OnResponseStart")
    /\ SetHand(q, Stage(q, "queued"))
    /\ OnlyResponder /\ EmitNothing

\* The check of a READ as a whole, or of one that came again.
CheckRead(q) ==
    /\ IsReadInTurn(q) /\ ~IsInvalid(q) /\ ~ServesSaved(q)
    /\ Hand(q).stage = IF Is("ReadCheck", "OnResponseStart") THEN "queued" ELSE "arrived"
    /\ NeedsNoKey(q) \/ ~MustFill(Asked(q).key)
    /\ LET w      == Asked(q)
           entry  == Found(w.key)
           saved  == SavedAt(q, Hand(q).psn)
           lite   == IsDuplicate(q) /\ Is("DuplicateRead", "LiteRecheck")
           other  == /\ IsDuplicate(q) /\ Is("RecheckBy", "Identity") /\ saved # {}
                     /\ ~Has("RechecksByKeyValue")
                     /\ \A s \in saved : s.mr # entry.mr \/ s.mw # entry.mw
           faults == IF NeedsNoKey(q) THEN {}
                     ELSE (IF lite THEN LiteFaults(entry, w.key)
                           ELSE IF Has("RefusesGoodKey") THEN {"key"}
                           ELSE Faults(entry, q, w.key, "remote_read", w.va, w.len))
                          \cup (IF other THEN {"key"} ELSE {})
       IN /\ responder' = [responder EXCEPT
                ![q].gap  = FALSE,
                ![q].hand = IF faults = {}
                            THEN [Stage(q, "asked") EXCEPT !.mr = entry.mr, !.mw = entry.mw,
                                    !.at = IF Has("SkipsResponse") THEN @ + 1 ELSE @]
                            ELSE [Stage(q, "refused") EXCEPT !.answer = AccessSyndrome(faults)],
                ![q].saved = IF faults # {} \/ saved # {} \/ NeedsNoKey(q) THEN @
                             ELSE @ \cup {[psn |-> w.first, mr |-> entry.mr, mw |-> entry.mw,
                                           result |-> 0]}]
          /\ Emit(CheckEvent(q, Hand(q).psn, "remote_read", w.key, w.va, w.len, w.len, faults))
    /\ OnlyResponder

\* R4: only the saved request counts.
ServeSavedRead(q) ==
    /\ IsArrived(q) /\ IsReadInTurn(q) /\ ServesSaved(q)
    /\ LET s == CHOOSE s \in SavedAt(q, Hand(q).psn) : TRUE
       IN SetHand(q, [Stage(q, "asked") EXCEPT !.mr = s.mr, !.mw = s.mw])
    /\ OnlyResponder /\ EmitNothing

\* R6: the key again, before each response.
CheckResponse(q) ==
    /\ Hand(q).stage = "asked" /\ Asked(q).op \in Reads /\ ChecksEachResponse /\ ~ServesSaved(q)
    /\ Asked(q).len > 0 /\ ~MustFill(Asked(q).key)
    /\ LET w      == Asked(q)
           entry  == Found(w.key)
           va     == w.va + (Hand(q).at - w.first) * Mtu
           len    == ShareOf(w, Hand(q).at)
           faults == RecheckFaults(entry, q, w.key, "remote_read", va, len, Hand(q).mr, Hand(q).mw)
       IN /\ responder' = [responder EXCEPT
                ![q].hand = IF faults = {} THEN Passed(Hand(q), entry.mr, entry.mw)
                            ELSE [Stage(q, "refused") EXCEPT !.answer = AccessSyndrome(faults)]]
          /\ Emit(CheckEvent(q, Hand(q).at, "remote_read", w.key, va, len, len, faults))
    /\ OnlyResponder

UseCheckedRead(q) ==
    /\ Hand(q).stage = "asked" /\ Asked(q).op \in Reads /\ Asked(q).len > 0
    /\ ~ChecksEachResponse \/ ServesSaved(q)
    /\ SetHand(q, Passed(Hand(q), Hand(q).mr, Hand(q).mw))
    /\ OnlyResponder /\ EmitNothing

ResponseOp(w, psn) ==
    "RC_RDMA_READ_RESPONSE_" \o Position(w, psn)

SendResponse(q) ==
    /\ Asked(q).op \in Reads
    /\ Hand(q).stage = "fetched" \/ (Hand(q).stage = "asked" /\ Asked(q).len = 0)
    /\ responder[q].state = "RTS"
    /\ LET w    == Asked(q)
           psn  == Hand(q).at
       IN Responds(q, ResponseOp(w, psn), psn, [payload |-> ShareOf(w, psn)],
                   [responder[q] EXCEPT
                       !.hand = IF psn = w.last THEN Nothing
                                ELSE [Stage(q, "asked") EXCEPT !.at = psn + 1],
                       !.expected = Max(@, psn + 1)])

-------------------------------------------------------------------------------
(***************************************************************************)
(* SEND: a receive, its memory, its completion, an invalidation.           *)
(***************************************************************************)
HasReceive(q) ==
    Hand(q).psn # Asked(q).first \/ responder[q].received < Len(responder[q].receives)

\* C12, E2: not ready; the requester may try again.
SendRnrNak(q) ==
    /\ IsArrived(q) /\ IsRC /\ IsTurn(q)
    /\ \/ Asked(q).op \in Sends /\ ~HasReceive(q)
       \/ /\ Asked(q).op \in Writes /\ LacksReceive(q)
          /\ Is("ResourceVersusKey", "ResourceFirst") \/ UsesSavedCheck(q) \/ FaultsInHand(q) = {}
    /\ Says(q, "nak", Hand(q).psn, RnrSyndrome, [responder[q] EXCEPT !.hand = Nothing])

ReceiveOf(q) ==      \* the receive of the SEND in hand
    responder[q].receives[IF Hand(q).psn = Asked(q).first /\ IsArrived(q)
                          THEN responder[q].received + 1 ELSE responder[q].received]

TakeReceive(q) == IF Hand(q).psn = Asked(q).first THEN responder[q].received + 1
                  ELSE responder[q].received

\* The bytes go nowhere that is modelled.
TakeSend(q) ==
    /\ IsArrived(q) /\ IsTurn(q) /\ Asked(q).op \in Sends /\ HasReceive(q)
    /\ ReceiveOf(q).mr = 0
    /\ responder' = [responder EXCEPT
            ![q].gap = FALSE,
            ![q].received = TakeReceive(q),
            ![q].hand = IF Hand(q).psn < Asked(q).last THEN Nothing ELSE Stage(q, "placed"),
            ![q].expected = IF Hand(q).psn < Asked(q).last THEN Hand(q).psn + 1 ELSE @]
    /\ OnlyResponder /\ EmitNothing

\* E10: the receive's own lkey.
CheckReceive(q) ==
    /\ IsArrived(q) /\ IsTurn(q) /\ Asked(q).op \in Sends /\ HasReceive(q)
    /\ ReceiveOf(q).mr # 0
    /\ LET mr     == ReceiveOf(q).mr
           lkey   == region[mr].lkey
           w      == Asked(q)
           va     == region[mr].va + OffsetOf(w, Hand(q).psn)
           len    == ShareOf(w, Hand(q).psn)
           entry  == TableEntry(lkey)
           faults == Faults(entry, q, lkey, "local_write", va, len)
       IN /\ responder' = [responder EXCEPT
                ![q].gap = FALSE,
                ![q].received = TakeReceive(q),
                ![q].hand = IF faults = {} THEN Passed(Hand(q), entry.mr, 0)
                            ELSE [Stage(q, "refused") EXCEPT !.answer = OperationalNak]]
          /\ Emit(CheckEvent(q, Hand(q).psn, "local_write", lkey, va, len, len, faults))
    /\ OnlyResponder

ReceiveEvent(q, status, more) ==
    [name |-> "wc", host |-> OwnHost, qp |-> q,
     wr |-> responder[q].receives[responder[q].reported + 1].wr, op |-> "RECV", status |-> status]
    @@ more

HasInvalidation(q) == Asked(q).op = "SEND_WITH_INV"

\* The receive completes: before or after the invalidation, by policy.
CompleteReceive(q) ==
    /\ Hand(q).stage = "placed" /\ ~Hand(q).told
    /\ \/ ~HasInvalidation(q) \/ Hand(q).ended
       \/ Is("InvalidateWhen", "AfterCompletion") \/ Has("CompletesBeforeInvalidate")
    /\ responder' = [responder EXCEPT
            ![q].reported = @ + 1,
            ![q].hand = IF HasInvalidation(q) /\ ~Hand(q).ended
                        THEN [Hand(q) EXCEPT !.told = TRUE] ELSE Stage(q, "done")]
    /\ OnlyResponder
    /\ Emit(ReceiveEvent(q, "SUCCESS",
                IF HasInvalidation(q)
                THEN [len |-> Asked(q).len, inv |-> Asked(q).key] ELSE [len |-> Asked(q).len]))

-------------------------------------------------------------------------------
(***************************************************************************)
(* Invalidation by a SEND (D17).                                           *)
(***************************************************************************)

\* May queue pair q end what it finds under the key?
MayInvalidate(q, key) ==
    LET entry == TableEntry(key)
        scope == IF Has("SkipsDomainOnInvalidate") THEN "KeyOnly" ELSE P("InvalidateScope")
    IN CASE scope = "KeyDomainQueuePair" ->
                /\ entry.valid /\ entry.key = key /\ entry.pd = QueuePairs[q].pd
                /\ entry.fast \/ entry.type = 2                                      \* L117
                /\ entry.type = 2 => entry.qp = q                                    \* W1
         [] scope = "DomainOnly" -> entry.mr # 0 /\ entry.pd = QueuePairs[q].pd      \* siw
         [] scope = "KeyOnly"    ->                                                  \* rxe
                entry.valid /\ entry.key = key /\ (entry.fast \/ entry.type = 2)

\* The entry that goes; with a defect another one.
Victim(key) ==
    IF Has("InvalidatesAnother")
    THEN LET others == {i \in AllIndices : table[i].valid /\ table[i].key # key}
         IN IF others = {} THEN IndexOf(key) ELSE Least(others)
    ELSE IndexOf(key)

\* Where the entry is that went.
Gone(key) ==
    LET others == {i \in AllIndices : ~table[i].valid /\ table[i].mr # 0 /\ i # IndexOf(key)}
    IN IF Has("InvalidatesAnother") /\ others # {} THEN Least(others) ELSE IndexOf(key)

ReturnInvalidateEvent(q, key) ==
    [name |-> "inv.return", host |-> OwnHost, qp |-> q, status |-> "ok", key |-> table[Gone(key)].key]

\* Takes effect: table, and key cache if the policy says before the return.
Invalidated(index) ==
    /\ table' = [table EXCEPT ![index].valid = FALSE]
    /\ window' = [w \in MwNumbers |-> IF Windows[w].index = index /\ window[w].stage = "bound"
                                      THEN [window[w] EXCEPT !.stage = "free"] ELSE window[w]]
    /\ cache' = [Overtaken(index) EXCEPT
                    !.key = IF Is("KeyCacheInvalidation", "BeforeReturn") /\ @.valid
                               /\ IndexOf(@.key) = index THEN NoEntry ELSE @]

\* Nobody uses what the entry stands for, or nobody waits for that.
IsDrained(index, but) ==
    \/ P("DeregPolicy") \in {"NoFence", "RefcountReturn", "Lazy"}
    \/ LET entry == table[index]
       IN IF entry.mw # 0 THEN UsersOfWindow(entry.mw) \subseteq {but}
          ELSE UsersOf(entry.mr) \subseteq {but}

InvalidateEvent(name, q, index) ==
    [name |-> name, host |-> OwnHost, qp |-> q, key |-> table[index].key]

CallRemoteInvalidate(q) ==
    /\ Hand(q).stage = "placed" /\ HasInvalidation(q) /\ ~Hand(q).ended
    /\ Hand(q).told \/ ~(Is("InvalidateWhen", "AfterCompletion") \/ Has("CompletesBeforeInvalidate"))
    /\ MayInvalidate(q, Asked(q).key)
    /\ SetHand(q, Stage(q, "invCalled"))
    /\ OnlyResponder
    /\ Emit(InvalidateEvent("inv.call", q, Victim(Asked(q).key)))

RemoteInvalidate(q) ==
    /\ Hand(q).stage = "invCalled"
    /\ SetHand(q, Stage(q, "invDone"))
    /\ IF Has("InvalidateDoesNothing") THEN UNCHANGED <<table, window, cache>>
       ELSE Invalidated(Victim(Asked(q).key))
    /\ UNCHANGED <<settingVars, region, allocator, thread, requester, wire>>
    /\ EmitNothing

ReturnRemoteInvalidate(q) ==
    /\ Hand(q).stage = "invDone" /\ IsDrained(IndexOf(Asked(q).key), q)
    /\ SetHand(q, IF Hand(q).told THEN Stage(q, "done")
                  ELSE [Stage(q, "placed") EXCEPT !.ended = TRUE])
    /\ OnlyResponder
    /\ Emit(ReturnInvalidateEvent(q, Asked(q).key))

\* E9: the receive completes in error, the queue pair fails, no NAK.
RefuseRemoteInvalidate(q) ==
    /\ Hand(q).stage = "placed" /\ HasInvalidation(q) /\ ~Hand(q).ended
    /\ ~MayInvalidate(q, Asked(q).key)
    /\ responder' = [responder EXCEPT
            ![q].reported = IF Hand(q).told THEN @ ELSE @ + 1,
            ![q].hand = IF Is("RemoteInvalidateBad", "Terminate")
                        THEN [Stage(q, "refused") EXCEPT !.answer = AccessNak]
                        ELSE Stage(q, "failing")]
    /\ OnlyResponder
    /\ IF Hand(q).told THEN EmitNothing
       ELSE Emit(ReceiveEvent(q, "LOC_QP_OP_ERR", [len |-> 0]))

-------------------------------------------------------------------------------
(***************************************************************************)
(* Refusal: the NAK and the error state, in the order of the policy (E7).  *)
(***************************************************************************)
EmitNak(q) ==
    /\ Hand(q).stage = "refused" /\ IsRC /\ ~Hand(q).naked
    /\ Is("NakThenError", "ErrorFirst") => responder[q].state = "ERR"
    /\ Says(q, "nak", Hand(q).at, Hand(q).answer,
            IF responder[q].state = "ERR"
            THEN [responder[q] EXCEPT !.hand = Nothing]
            ELSE [responder[q] EXCEPT !.hand.naked = TRUE, !.state = "NAKED"])

ErrorEvent(q, by) ==
    [name |-> "qp.state", host |-> OwnHost, qp |-> q, state |-> "ERR", by |-> by]

\* E5, E6.
EnterError(q) ==
    /\ responder[q].state # "ERR"
    /\ \/ Hand(q).stage = "failing"
       \/ /\ Hand(q).stage = "refused" /\ IsRC
          /\ Is("NakThenError", "NakFirst") => Hand(q).naked
    /\ responder' = [responder EXCEPT
            ![q].state   = "ERR",
            ![q].message = NoMessage,
            ![q].owed    = IF Is("AsyncEvent", "Raised") /\ "AsyncEvent" \in Opened
                           THEN {"async"} ELSE {},
            ![q].hand    = IF Hand(q).stage = "failing" \/ Hand(q).naked THEN Nothing ELSE @]
    /\ OnlyResponder
    /\ Emit(ErrorEvent(q, "device"))

\* E6: shown only in models that open AsyncEvent; nobody's promise depends on it.
RaiseAsyncEvent(q) ==
    /\ "async" \in responder[q].owed
    /\ responder' = [responder EXCEPT ![q].owed = {}]
    /\ OnlyResponder
    /\ Emit([name |-> "async", host |-> OwnHost, qp |-> q, event |-> "QP_ACCESS_ERR"])

\* E12: receives that were posted are flushed.
FlushReceive(q) ==
    /\ responder[q].state = "ERR" /\ Hand(q) = Nothing
    /\ responder[q].reported < Len(responder[q].receives)
    /\ responder' = [responder EXCEPT ![q].reported = @ + 1]
    /\ OnlyResponder
    /\ Emit(ReceiveEvent(q, "WR_FLUSH_ERR", [len |-> 0]))

\* ibv_modify_qp.
SetQueuePairInError(t, v) ==
    /\ v.verb = "setError" /\ responder[v.qp].state = "RTS"
    /\ responder' = [responder EXCEPT
            ![v.qp].state = "ERR", ![v.qp].message = NoMessage,
            ![v.qp].hand = IF IsUnderWay(@) THEN @ ELSE Nothing]
    /\ thread' = Ended(t)
    /\ UNCHANGED <<settingVars, keyVars, cache, requester, wire>>
    /\ Emit(ErrorEvent(v.qp, "application"))

\* ibv_post_recv.
ReceivePostEvent(q, wr, mr) ==
    LET plain == [name |-> "post", host |-> OwnHost, qp |-> q, wr |-> wr, op |-> "RECV",
                  len |-> IF mr = 0 THEN 0 ELSE region[mr].len]
    IN IF mr = 0 THEN plain ELSE plain @@ [lkey |-> region[mr].lkey]

PostReceiveWork(t, v) ==
    /\ v.verb = "postReceive"
    /\ responder' = [responder EXCEPT ![v.qp].receives = Append(@, [wr |-> v.wr, mr |-> v.mr])]
    /\ thread' = Ended(t)
    /\ UNCHANGED <<settingVars, keyVars, cache, requester, wire>>
    /\ Emit(ReceivePostEvent(v.qp, v.wr, v.mr))

-------------------------------------------------------------------------------
(***************************************************************************)
(* Only with a defect: after the fatal NAK, or in ERR.                     *)
(***************************************************************************)
SpeakAfterNak(q) ==
    /\ responder[q].state \in {"NAKED", "ERR"} /\ Hand(q) = Nothing
    /\ PeerOf(q) \in Devices => wire.answers[PeerOf(q)] = << >>
    /\ \/ Has("GoesOnAfterNak") /\ Says(q, "ack", responder[q].expected, AckSyndrome, responder[q])
       \/ Has("SecondFatalNak") /\ Says(q, "nak", responder[q].expected, InvalidNak, responder[q])

ReviveQueuePair(q) ==
    /\ Has("RevivesQueuePair") /\ responder[q].state = "ERR" /\ Hand(q) = Nothing
    /\ responder' = [responder EXCEPT ![q].state = "RTS"]
    /\ OnlyResponder
    /\ Emit([name |-> "qp.state", host |-> OwnHost, qp |-> q, state |-> "RTS", by |-> "device"])

AnswerInError(q) ==
    /\ Has("AnswersInError") /\ responder[q].state = "ERR" /\ IsArrived(q)
    /\ Says(q, "ack", Hand(q).psn, AckSyndrome, [responder[q] EXCEPT !.hand = Nothing])

-------------------------------------------------------------------------------
WorkOnPacket(q) ==
    /\ Hand(q) # Nothing
    /\ \/ IgnorePacket(q) \/ AskForMissing(q) \/ DropUnreliable(q)
       \/ AnswerDuplicate(q) \/ ExecuteDuplicate(q) \/ RefuseInvalid(q)
       \/ CheckPacket(q) \/ UseSavedCheck(q) \/ TranslateForResponder(q) \/ AccessMemory(q)
       \/ WriteRefused(q) \/ AcknowledgePacket(q) \/ FinishUnreliable(q)
       \/ AnswerAtomic(q) \/ AnswerDuplicateAtomic(q) \/ CheckDuplicateAtomic(q)
       \/ QueueRead(q) \/ CheckRead(q) \/ ServeSavedRead(q) \/ CheckResponse(q)
       \/ UseCheckedRead(q) \/ SendResponse(q)
       \/ SendRnrNak(q) \/ TakeSend(q) \/ CheckReceive(q) \/ CompleteReceive(q)
       \/ CallRemoteInvalidate(q) \/ RemoteInvalidate(q) \/ ReturnRemoteInvalidate(q)
       \/ RefuseRemoteInvalidate(q)
       \/ EmitNak(q) \/ EnterError(q) \/ AnswerInError(q)

ResponderNext ==
    \/ \E q \in Devices :
           \/ ReceivePacket(q) \/ ReceiveFromRawPeer(q) \/ WorkOnPacket(q)
           \/ RaiseAsyncEvent(q) \/ FlushReceive(q)
           \/ SpeakAfterNak(q) \/ ReviveQueuePair(q)
    \/ \E t \in Threads : \E v \in Offered(t) : SetQueuePairInError(t, v) \/ PostReceiveWork(t, v)

=============================================================================
