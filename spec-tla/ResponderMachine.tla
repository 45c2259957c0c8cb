--------------------------- MODULE ResponderMachine --------------------------
(***************************************************************************)
(* A reliable connection seen closely enough for the wire contracts: a     *)
(* requester that sends, times out and completes; a wire that loses; a     *)
(* responder with PSN gate, key check, execution, answers, duplicates and  *)
(* error state; an owner who deregisters the one region in between.        *)
(*                                                                         *)
(* MODELLED.  WRITE of several packets, READ with one response a PSN,      *)
(* atomic add.  PSN gate and sequence NAK (C2, E4), key check per WRITE    *)
(* packet and per READ response (C6, R6), fatal NAKs (E2, E5), silence in  *)
(* error (E13), duplicates (R1, R2, R5), go-back retransmission,           *)
(* completions in order with flush (E12, L69).  Check, memory access and   *)
(* answer are separate steps.                                              *)
(*                                                                         *)
(* NOT MODELLED, and which way that errs.  SEND and RNR, several queue     *)
(* pairs, reordering and duplication by the wire itself: what needs them   *)
(* is missed.  PSNs do not wrap around here.  READ checks emit no event,   *)
(* so they are judged by the answer alone.                                 *)
(*                                                                         *)
(* VERIFIED by MCResponder: the wire contracts.  BROKEN by each flag in    *)
(* Defects, one configuration each under mutants/.                         *)
(*                                                                         *)
(* Java twins: org.mrcheck.rnic.Responder, Requester, DmaStage.            *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

CONSTANTS
    Requests,       \* Requests[psn + 1]: what the requester sends at that PSN, or Filler
    Works,          \* work requests in order: records [wr, first, last] of PSNs
    Losses,         \* how many packets and answers the wire may lose
    Resends,        \* how many times the requester may time out
    OwnerDeregisters, OwnerSetsError,   \* what the owner may do
    Defects

KnownDefects == {
    "AcceptsDeadKey",       \* the key is still accepted after the deregistration returned
    "RefusesGoodKey",       \* a live key, rightly used, is refused
    "ReportsCause",         \* a refused key is reported as invalid request
    "ReservedCode",         \* a refused key is reported with a reserved NAK code
    "NaksOutOfOrder",       \* the key is checked before the PSN gate
    "NaksWrongGap",         \* a sequence NAK names another PSN than the missing one
    "RefusesDuplicate",     \* a duplicate WRITE is refused instead of acknowledged
    "GoesOnAfterNak",       \* the refused request is acknowledged after its NAK
    "SecondFatalNak",       \* another fatal NAK follows the first
    "RevivesQueuePair",     \* the queue pair serves again without a reset
    "RetriesAfterFatalNak", \* the requester sends on after a fatal NAK has reached it
    "AnswersInError",       \* a request that arrived in ERR is acknowledged
    "ServesInError",        \* a request that arrived in ERR is checked and executed
    "AcksPastGap",          \* what has not arrived is acknowledged
    "SkipsResponse",        \* a READ response is left out
    "ExecutesDuplicate",    \* a duplicate WRITE is written again
    "RecomputesAtomic",     \* a duplicate atomic operation is executed again
    "WritesRefused",        \* a refused packet is written
    "CompletesRefused",     \* a refused request completes with success
    "ReportsWrongStatus",   \* a refused request completes with another error
    "FlushesEarly"}         \* a request is flushed without an error

ASSUME Defects \subseteq KnownDefects

Has(defect) == defect \in Defects

Emit(event) == TRUE
EmitNothing == TRUE

\* The names of the events that are emitted: names of the trace language.  An
\* observer asserts it, a test compares the two lists.
Emitted == {"tx", "rx", "ack", "nak", "check", "dma.write", "wc", "qp.state", "dereg.call",
            "dereg.return"}

\* The two ends.
A == [host |-> "requester", qp |-> "a"]
B == [host |-> "responder", qp |-> "b"]

\* The one region: everything is in it.
RegionNumber == 1
RegionKey    == 1
RegionLength == 8

Filler == [op |-> ""]

LastPsn     == Len(Requests) - 1
At(psn)     == Requests[psn + 1]
IsRead(psn) == At(psn).op = "RC_RDMA_READ_REQUEST"
IsAtomic(psn) == At(psn).op = "RC_FETCH_ADD"
IsWrite(psn)  == ~IsRead(psn) /\ ~IsAtomic(psn)
EndsMessage(psn) == At(psn).op \in {"RC_RDMA_WRITE_LAST", "RC_RDMA_WRITE_ONLY"}

\* One past the last PSN that the request takes; one byte a packet.
Next1(psn) == IF IsRead(psn) THEN psn + At(psn).len ELSE psn + 1

Max(m, n) == IF m < n THEN n ELSE m

\* The PSN of the request that takes this PSN: a READ is sent again whole.
RequestAt(psn) ==
    IF psn > LastPsn THEN psn
    ELSE CHOOSE p \in 0 .. psn : At(p) # Filler /\ \A q \in p + 1 .. psn : At(q) = Filler

-------------------------------------------------------------------------------
(***************************************************************************)
(* next is the PSN the requester sends next.                               *)
(***************************************************************************)
VARIABLE next

(***************************************************************************)
(* acked is one past the last PSN the requester knows to be answered.      *)
(***************************************************************************)
VARIABLE acked

(***************************************************************************)
(* failure is what ended the requester: "none", a kind of NAK, or          *)
(* "reported" once a completion said so.                                   *)
(***************************************************************************)
VARIABLE failure

(***************************************************************************)
(* completed counts the work requests that have completed.                 *)
(***************************************************************************)
VARIABLE completed

(***************************************************************************)
(* budget holds the losses and resends that are left.                      *)
(***************************************************************************)
VARIABLE budget

(***************************************************************************)
(* requests are the PSNs on their way to the responder, in order.          *)
(***************************************************************************)
VARIABLE requests

(***************************************************************************)
(* answers are on their way to the requester: records [op, psn, syndrome]. *)
(***************************************************************************)
VARIABLE answers

(***************************************************************************)
(* expected is the responder's ePSN.                                       *)
(***************************************************************************)
VARIABLE expected

(***************************************************************************)
(* responder is up, refused (a fatal NAK was sent), or error (set from     *)
(* outside).                                                               *)
(***************************************************************************)
VARIABLE responder

(***************************************************************************)
(* gapNak says that the missing PSN was asked for and has not come yet     *)
(* (E4).                                                                   *)
(***************************************************************************)
VARIABLE gapNak

(***************************************************************************)
(* held is the request packet in the responder's hands: its PSN, how far   *)
(* it is (arrived, accepted, written, refused, reading), and the next READ *)
(* response; Nothing otherwise.                                            *)
(***************************************************************************)
VARIABLE held

(***************************************************************************)
(* region is live, ending, revoked or returned.                            *)
(***************************************************************************)
VARIABLE region

(***************************************************************************)
(* counter is the memory that atomic operations add to; saved[psn] what    *)
(* the one at that PSN returned (R2).                                      *)
(***************************************************************************)
VARIABLE counter
VARIABLE saved

Nothing == [psn |-> -1, stage |-> "nothing", response |-> -1]

requesterVars == <<next, acked, failure, completed>>
responderVars == <<expected, responder, gapNak, held, counter, saved>>
vars == <<next, acked, failure, completed, budget, requests, answers, expected, responder,
          gapNak, held, region, counter, saved>>

TypeInv ==
    /\ next \in 0 .. LastPsn + 1 /\ acked \in 0 .. LastPsn + 1 /\ expected \in 0 .. LastPsn + 1
    /\ failure \in {"none", "access", "invalid", "other", "reported"}
    /\ completed \in 0 .. Len(Works)
    /\ budget.losses \in 0 .. Losses /\ budget.resends \in 0 .. Resends
    /\ responder \in {"up", "refused", "error"}
    /\ gapNak \in BOOLEAN
    /\ held.stage \in {"nothing", "arrived", "accepted", "written", "refused", "reading"}
    /\ region \in {"live", "ending", "revoked", "returned"}
    /\ counter \in 0 .. 3

Init ==
    /\ next = 0 /\ acked = 0 /\ failure = "none" /\ completed = 0
    /\ budget = [losses |-> Losses, resends |-> Resends]
    /\ requests = << >> /\ answers = << >>
    /\ expected = 0 /\ responder = "up" /\ gapNak = FALSE /\ held = Nothing
    /\ region = "live" /\ counter = 0
    /\ saved = [psn \in 0 .. LastPsn |-> -1]

-------------------------------------------------------------------------------
(***************************************************************************)
(* Events.                                                                 *)
(***************************************************************************)
PacketEvent(name, end, psn) ==
    LET r == At(psn)
        plain == [name |-> name, host |-> end.host, qp |-> end.qp, op |-> r.op, psn |-> psn,
                  payload |-> r.payload]
    IN IF r.op \in {"RC_RDMA_WRITE_MIDDLE", "RC_RDMA_WRITE_LAST"} THEN plain     \* C5: no key
       ELSE [f \in DOMAIN plain \cup {"key", "va", "len"} |->
                CASE f = "key" -> r.key [] f = "va" -> r.va [] f = "len" -> r.len
                  [] OTHER -> plain[f]]

AnswerEvent(name, psn, syndrome) ==
    [name |-> name, host |-> B.host, qp |-> B.qp, psn |-> psn, msn |-> 0, syndrome |-> syndrome]

Ack       == 31
SequenceNak == 96
InvalidNak  == 97
AccessNak   == 98
ReservedNak == 101

Answer(op, psn, syndrome) == [op |-> op, psn |-> psn, syndrome |-> syndrome]

CallEvent(name) == [name |-> name, host |-> B.host, mr |-> RegionNumber, key |-> RegionKey]

-------------------------------------------------------------------------------
(***************************************************************************)
(* The requester.                                                          *)
(***************************************************************************)
SendPacket ==
    /\ next <= LastPsn
    /\ failure = "none" \/ Has("RetriesAfterFatalNak")
    /\ Len(requests) < 2
    /\ requests' = Append(requests, next)
    /\ next' = Next1(next)
    /\ UNCHANGED <<acked, failure, completed, budget, answers, region, responderVars>>
    /\ Emit(PacketEvent("tx", A, next))

\* Nothing more will come: go back to what is not acknowledged.
TimeOut ==
    /\ budget.resends > 0 /\ failure = "none"
    /\ requests = << >> /\ answers = << >> /\ held = Nothing
    /\ acked < next
    /\ next' = RequestAt(acked)
    /\ budget' = [budget EXCEPT !.resends = @ - 1]
    /\ UNCHANGED <<acked, failure, completed, requests, answers, region, responderVars>>
    /\ EmitNothing

KindOf(syndrome) ==
    CASE syndrome < 32          -> "ack"
      [] syndrome = SequenceNak -> "sequence"
      [] syndrome = InvalidNak  -> "invalid"
      [] syndrome = AccessNak   -> "access"
      [] OTHER                  -> "other"

ReceiveAnswer ==
    /\ answers # << >>
    /\ LET a    == Head(answers)
           kind == KindOf(a.syndrome)
           upTo == IF kind = "ack" THEN a.psn + 1 ELSE a.psn
       IN /\ acked' = IF failure = "none" THEN Max(acked, upTo) ELSE acked
          /\ next' = IF failure = "none" /\ kind = "sequence" THEN RequestAt(Max(acked, a.psn))
                     ELSE Max(next, acked')
          /\ failure' = IF failure = "none" /\ kind \in {"invalid", "access", "other"}
                        THEN kind ELSE failure
          /\ Emit([name |-> "rx", host |-> A.host, qp |-> A.qp, op |-> a.op, psn |-> a.psn,
                   payload |-> 0, syndrome |-> a.syndrome, msn |-> 0])
    /\ answers' = Tail(answers)
    /\ UNCHANGED <<completed, budget, requests, region, responderVars>>

CompleteWork ==
    /\ completed < Len(Works)
    /\ LET w    == Works[completed + 1]
           done == w.last < acked
           status ==
               IF done THEN (IF Has("FlushesEarly") THEN "WR_FLUSH_ERR" ELSE "SUCCESS")
               ELSE CASE failure = "reported" -> "WR_FLUSH_ERR"
                      [] Has("CompletesRefused")   -> "SUCCESS"
                      [] Has("ReportsWrongStatus") -> "REM_OP_ERR"
                      [] failure = "access"   -> "REM_ACCESS_ERR"
                      [] failure = "invalid"  -> "REM_INV_REQ_ERR"
                      [] OTHER                -> "GENERAL_ERR"
       IN /\ done \/ failure # "none"
          /\ failure' = IF done THEN failure ELSE "reported"
          /\ Emit([name |-> "wc", host |-> A.host, qp |-> A.qp, wr |-> w.wr, status |-> status])
    /\ completed' = completed + 1
    /\ UNCHANGED <<next, acked, budget, requests, answers, region, responderVars>>

-------------------------------------------------------------------------------
(***************************************************************************)
(* The wire.                                                               *)
(***************************************************************************)
LosePacket ==
    /\ budget.losses > 0 /\ requests # << >>
    /\ requests' = Tail(requests)
    /\ budget' = [budget EXCEPT !.losses = @ - 1]
    /\ UNCHANGED <<requesterVars, answers, region, responderVars>>
    /\ EmitNothing

LoseAnswer ==
    /\ budget.losses > 0 /\ answers # << >>
    /\ answers' = Tail(answers)
    /\ budget' = [budget EXCEPT !.losses = @ - 1]
    /\ UNCHANGED <<requesterVars, requests, region, responderVars>>
    /\ EmitNothing

-------------------------------------------------------------------------------
(***************************************************************************)
(* The responder.                                                          *)
(***************************************************************************)
ReceivePacket ==
    /\ held = Nothing /\ requests # << >>
    /\ held' = [psn |-> Head(requests), stage |-> "arrived", response |-> Head(requests)]
    /\ requests' = Tail(requests)
    /\ UNCHANGED <<requesterVars, budget, answers, region, expected, responder, gapNak, counter,
                   saved>>
    /\ Emit(PacketEvent("rx", B, Head(requests)))

IsServing == responder = "up" \/ Has("ServesInError")

\* Leave the packet in hand without a word: E13, E4.
Ignore ==
    /\ held.stage = "arrived"
    /\ \/ ~IsServing
       \/ held.psn > expected /\ gapNak
    /\ held' = Nothing
    /\ UNCHANGED <<requesterVars, budget, requests, answers, region, expected, responder, gapNak,
                   counter, saved>>
    /\ EmitNothing

\* An answer leaves; the packet in hand is done with.
Say(name, psn, syndrome) ==
    /\ held' = Nothing
    /\ answers' = Append(answers, Answer("RC_ACKNOWLEDGE", psn, syndrome))
    /\ UNCHANGED <<requesterVars, budget, requests, region, counter, saved>>
    /\ Emit(AnswerEvent(name, psn, syndrome))

\* C2, E4: a later packet than the expected one.
AskForMissing ==
    /\ held.stage = "arrived" /\ IsServing /\ held.psn > expected /\ ~gapNak
    /\ gapNak' = ~(Has("NaksOutOfOrder") \/ Has("AcksPastGap"))
    /\ UNCHANGED <<expected>>
    /\ CASE Has("NaksOutOfOrder") -> responder' = "refused" /\ Say("nak", held.psn, AccessNak)
         [] Has("NaksWrongGap")   -> responder' = responder /\ Say("nak", held.psn, SequenceNak)
         [] Has("AcksPastGap")    -> responder' = responder /\ Say("ack", held.psn, Ack)
         [] OTHER                 -> responder' = responder /\ Say("nak", expected, SequenceNak)

\* R1: a duplicate WRITE is acknowledged again.
AnswerDuplicateWrite ==
    /\ held.stage \in {"arrived", "written"} /\ IsServing
    /\ held.psn < expected /\ IsWrite(held.psn)
    /\ held.stage = "arrived" => ~Has("ExecutesDuplicate")
    /\ UNCHANGED <<expected, gapNak>>
    /\ IF Has("RefusesDuplicate")
       THEN responder' = "refused" /\ Say("nak", held.psn, AccessNak)
       ELSE responder' = responder /\ Say("ack", expected - 1, Ack)

\* Only with the defect.
ExecuteDuplicate ==
    /\ Has("ExecutesDuplicate") /\ IsServing
    /\ held.stage = "arrived" /\ held.psn < expected /\ IsWrite(held.psn)
    /\ held' = [held EXCEPT !.stage = "written"]
    /\ UNCHANGED <<requesterVars, budget, requests, answers, region, expected, responder, gapNak,
                   counter, saved>>
    /\ Emit([name |-> "dma.write", host |-> B.host, qp |-> B.qp, psn |-> held.psn,
             mr |-> RegionNumber, key |-> RegionKey, va |-> 0, len |-> 1])

\* R2, R5: a duplicate atomic operation returns the saved result.
AnswerDuplicateAtomic ==
    /\ held.stage = "arrived" /\ IsServing /\ held.psn < expected /\ IsAtomic(held.psn)
    /\ held' = Nothing
    /\ answers' = Append(answers, Answer("RC_ATOMIC_ACKNOWLEDGE", held.psn, Ack))
    /\ UNCHANGED <<requesterVars, budget, requests, region, expected, responder, gapNak, counter,
                   saved>>
    /\ Emit([name |-> "tx", host |-> B.host, qp |-> B.qp, op |-> "RC_ATOMIC_ACKNOWLEDGE",
             psn |-> held.psn, payload |-> 0, syndrome |-> Ack, msn |-> 0,
             original |-> IF Has("RecomputesAtomic") THEN counter ELSE saved[held.psn]])

\* Other than by its key wrong (C2, C11): an unaligned atomic operation.
IsInvalid(psn) == IsAtomic(psn) /\ At(psn).va % 8 # 0

RefuseInvalid ==
    /\ held.stage = "arrived" /\ IsServing /\ held.psn = expected /\ IsInvalid(held.psn)
    /\ responder' = "refused"
    /\ UNCHANGED <<expected, gapNak>>
    /\ Say("nak", held.psn, InvalidNak)

\* The byte that the packet wants, from its message's address (C5).
WantedVa(psn) ==
    IF At(psn).op = "RC_RDMA_WRITE_LAST" THEN At(psn - 1).va + 1 ELSE At(psn).va
WantedLen(psn) == IF IsAtomic(psn) THEN At(psn).len ELSE 1
KeyAt(psn) == IF At(psn).op = "RC_RDMA_WRITE_LAST" THEN At(psn - 1).key ELSE At(psn).key

KeyIsGood(psn, va, len) ==
    /\ ~Has("RefusesGoodKey")
    /\ region \in {"live", "ending"} \/ Has("AcceptsDeadKey")
    /\ va + len <= RegionLength
    /\ KeyAt(psn) = RegionKey

\* Responder#write and KeyTable#check.
CheckPacket ==
    /\ held.stage = "arrived" /\ IsServing /\ held.psn = expected
    /\ ~IsInvalid(held.psn) /\ ~IsRead(held.psn)
    /\ LET va   == WantedVa(held.psn)
           len  == WantedLen(held.psn)
           good == KeyIsGood(held.psn, va, len)
       IN /\ held' = [held EXCEPT !.stage = IF good THEN "accepted" ELSE "refused"]
          /\ Emit([name |-> "check", host |-> B.host, qp |-> B.qp, psn |-> held.psn,
                   access |-> IF IsAtomic(held.psn) THEN "remote_atomic" ELSE "remote_write",
                   key |-> KeyAt(held.psn), va |-> va, len |-> len, remaining |-> len,
                   verdict |-> IF good THEN "accept" ELSE "refuse"])
    /\ gapNak' = FALSE
    /\ UNCHANGED <<requesterVars, budget, requests, answers, region, expected, responder, counter,
                   saved>>

\* DmaStage: the bytes land.
WriteMemory ==
    /\ \/ held.stage = "accepted" /\ IsWrite(held.psn)
       \/ held.stage = "refused" /\ Has("WritesRefused")
    /\ IF EndsMessage(held.psn) \/ held.stage = "refused"
       THEN held' = [held EXCEPT !.stage = "written"] /\ expected' = expected
       ELSE held' = Nothing /\ expected' = held.psn + 1
    /\ UNCHANGED <<requesterVars, budget, requests, answers, region, responder, gapNak, counter,
                   saved>>
    /\ Emit([name |-> "dma.write", host |-> B.host, qp |-> B.qp, psn |-> held.psn,
             mr |-> RegionNumber, key |-> KeyAt(held.psn), va |-> WantedVa(held.psn), len |-> 1])

Acknowledge ==
    /\ held.stage = "written" /\ held.psn = expected
    /\ expected' = held.psn + 1
    /\ UNCHANGED <<responder, gapNak>>
    /\ Say("ack", held.psn, Ack)

ExecuteAtomic ==
    /\ held.stage = "accepted" /\ IsAtomic(held.psn)
    /\ held' = Nothing
    /\ expected' = held.psn + 1
    /\ saved' = [saved EXCEPT ![held.psn] = counter]
    /\ counter' = counter + 1
    /\ answers' = Append(answers, Answer("RC_ATOMIC_ACKNOWLEDGE", held.psn, Ack))
    /\ UNCHANGED <<requesterVars, budget, requests, region, responder, gapNak>>
    /\ Emit([name |-> "tx", host |-> B.host, qp |-> B.qp, op |-> "RC_ATOMIC_ACKNOWLEDGE",
             psn |-> held.psn, payload |-> 0, syndrome |-> Ack, msn |-> 0, original |-> counter])

\* C1: a NAK; E7: then the error state.
RefusePacket ==
    /\ held.stage = "refused"
    /\ responder' = "refused"
    /\ UNCHANGED <<expected, gapNak>>
    /\ Say("nak", held.response, CASE Has("ReportsCause") -> InvalidNak
                                   [] Has("ReservedCode") -> ReservedNak
                                   [] OTHER               -> AccessNak)

\* A READ, new or again: one response a PSN, the key checked before each (R6).
BeginRead ==
    /\ held.stage = "arrived" /\ IsServing /\ held.psn <= expected /\ IsRead(held.psn)
    /\ held' = [held EXCEPT !.stage = "reading",
                            !.response = IF Has("SkipsResponse") THEN @ + 1 ELSE @]
    /\ gapNak' = FALSE
    /\ UNCHANGED <<requesterVars, budget, requests, answers, region, expected, responder, counter,
                   saved>>
    /\ EmitNothing

ReadIsGood ==
    KeyIsGood(held.psn, At(held.psn).va, At(held.psn).len)

SendResponse ==
    /\ held.stage = "reading" /\ ReadIsGood
    /\ LET psn   == held.response
           first == psn = held.psn
           last  == psn + 1 = Next1(held.psn)
           op    == CASE first /\ last -> "RC_RDMA_READ_RESPONSE_ONLY"
                      [] first         -> "RC_RDMA_READ_RESPONSE_FIRST"
                      [] last          -> "RC_RDMA_READ_RESPONSE_LAST"
                      [] OTHER         -> "RC_RDMA_READ_RESPONSE_MIDDLE"
       IN /\ held' = IF last THEN Nothing ELSE [held EXCEPT !.response = psn + 1]
          /\ expected' = Max(expected, psn + 1)
          /\ answers' = Append(answers, Answer(op, psn, Ack))
          /\ Emit([name |-> "tx", host |-> B.host, qp |-> B.qp, op |-> op, psn |-> psn,
                   payload |-> 1, syndrome |-> Ack, msn |-> 0])
    /\ UNCHANGED <<requesterVars, budget, requests, region, responder, gapNak, counter, saved>>

RefuseRead ==
    /\ held.stage = "reading" /\ ~ReadIsGood
    /\ held' = [held EXCEPT !.stage = "refused"]
    /\ UNCHANGED <<requesterVars, budget, requests, answers, region, expected, responder, gapNak,
                   counter, saved>>
    /\ EmitNothing

-------------------------------------------------------------------------------
(***************************************************************************)
(* Only with a defect: after the fatal NAK, or in ERR.                     *)
(***************************************************************************)
SpeakAfterNak ==
    /\ responder = "refused" /\ held = Nothing
    /\ UNCHANGED <<expected, gapNak, responder>>
    /\ \/ Has("GoesOnAfterNak") /\ Say("ack", expected, Ack)
       \/ Has("SecondFatalNak") /\ Say("nak", expected, InvalidNak)

RevivesQueuePair ==
    /\ Has("RevivesQueuePair") /\ responder = "refused"
    /\ responder' = "up"
    /\ UNCHANGED <<requesterVars, budget, requests, answers, region, expected, gapNak, held,
                   counter, saved>>
    /\ Emit([name |-> "qp.state", host |-> B.host, qp |-> B.qp, state |-> "RTS"])

AnswerInError ==
    /\ Has("AnswersInError") /\ responder = "error" /\ held.stage = "arrived"
    /\ UNCHANGED <<expected, gapNak, responder>>
    /\ Say("ack", held.psn, Ack)

-------------------------------------------------------------------------------
(***************************************************************************)
(* The owner of the region and of the responder's queue pair.              *)
(***************************************************************************)
CallDeregister ==
    /\ OwnerDeregisters /\ region = "live"
    /\ region' = "ending"
    /\ UNCHANGED <<requesterVars, budget, requests, answers, responderVars>>
    /\ Emit(CallEvent("dereg.call"))

RevokeKey ==
    /\ region = "ending"
    /\ region' = "revoked"
    /\ UNCHANGED <<requesterVars, budget, requests, answers, responderVars>>
    /\ EmitNothing

\* Drains: no packet that passed its check waits for its memory access.
ReturnDeregister ==
    /\ region = "revoked" /\ held.stage # "accepted"
    /\ region' = "returned"
    /\ UNCHANGED <<requesterVars, budget, requests, answers, responderVars>>
    /\ Emit([name |-> "dereg.return", host |-> B.host, mr |-> RegionNumber, key |-> RegionKey,
             status |-> "ok"])

SetError ==
    /\ OwnerSetsError /\ responder = "up" /\ held = Nothing
    /\ responder' = "error"
    /\ UNCHANGED <<requesterVars, budget, requests, answers, region, expected, gapNak, held,
                   counter, saved>>
    /\ Emit([name |-> "qp.state", host |-> B.host, qp |-> B.qp, state |-> "ERR"])

-------------------------------------------------------------------------------
Next ==
    \/ SendPacket \/ TimeOut \/ ReceiveAnswer \/ CompleteWork
    \/ LosePacket \/ LoseAnswer
    \/ ReceivePacket \/ Ignore \/ AskForMissing
    \/ AnswerDuplicateWrite \/ ExecuteDuplicate \/ AnswerDuplicateAtomic
    \/ RefuseInvalid \/ CheckPacket \/ WriteMemory \/ Acknowledge \/ ExecuteAtomic
    \/ RefusePacket \/ BeginRead \/ SendResponse \/ RefuseRead
    \/ SpeakAfterNak \/ RevivesQueuePair \/ AnswerInError
    \/ CallDeregister \/ RevokeKey \/ ReturnDeregister \/ SetError

=============================================================================
