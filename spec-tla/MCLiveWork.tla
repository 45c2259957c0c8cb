------------------------------- MODULE MCLiveWork ------------------------------
(***************************************************************************)
(* Two queue pairs of our device, connected: a sends to b.  Scenarios for  *)
(* properties of work requests; each configuration takes one.              *)
(*                                                                         *)
(* BOUNDS.  Two work requests: one that fails, one behind it.  One loss:   *)
(* for a request or for its answer.                                        *)
(***************************************************************************)
EXTENDS Live

MCExisting   == << Region(1, 1, 0, 1, 0, 2, AllRights, 16) >>
MCQueuePairs == [q \in {"a", "b"} |->
                    IF q = "a" THEN QueuePair(1, RemoteRights, "b", FALSE)
                    ELSE QueuePair(1, RemoteRights, "a", FALSE)]
MCReceives   == [q \in {"a", "b"} |-> << >>]

Init == LiveInit
Next == LiveNext
Spec == Init /\ [][Next]_all /\ WF_all(FairNext({}))

\* Two WRITEs while the region goes.
TwoWrites    == [q \in {"a", "b"} |-> IF q = "a" THEN << Write(1, 1, 0, 1), Write(2, 1, 1, 1) >>
                                       ELSE << >>]
RacePrograms == [t \in {"owner"} |-> << {Deregister(1)} >>]
RaceBudget   == Bounds(1, 0, 0, 0, 1)
EveryWorkRequestCompletes == PostedCompletes("a", 2)

\* The owner's program moves the queue pair to ERR with work outstanding.
ErrorPrograms == [t \in {"owner"} |-> << {SetError("a")} >>]
ErrorFlushes  == ErrorIsFlushed("a", 2)

\* The region goes; then its key is used.
NothingPosted == [q \in {"a", "b"} |-> << >>]
StalePrograms == [t \in {"owner"} |-> << {Deregister(1)}, {Post("a", Write(1, 1, 0, 1))} >>]
StaleUserIsTold ==
    Len(Queue("a")) = 1 ~> requester["a"].completed = 1 /\ requester["a"].failure # "none"

\* A READ whose response may be lost, and a requester that never gives up.
OneRead         == [q \in {"a", "b"} |-> IF q = "a" THEN << Read(1, 1, 0, 1) >> ELSE << >>]
EndlessBudget   == Bounds(1, 0, 0, 0, Endless)
NoLivelockRetry == PostedCompletes("a", 1)

\* What is lost is a response of the READ.  If the NAK is lost, the responder is
\* silent in ERR (E13), and whoever never gives up goes on for ever: that is
\* so for every device, and shown by live-work-lost-nak.
OnlyResponsesAreLost ==
    wire'.losses < wire.losses =>
        \E q \in Devices :
            /\ wire.answers[q] # << >> /\ IsReadResponse(Head(wire.answers[q]))
            /\ wire'.answers[q] = Tail(wire.answers[q])
RetrySpec == Init /\ [][Next /\ OnlyResponsesAreLost]_all /\ WF_all(FairNext({}))

\* A SEND that nobody posted a receive for, and a requester that waits for
\* ever: an RNR retry count of 7 (L2).
OneSend       == [q \in {"a", "b"} |-> IF q = "a" THEN << Send(1, 1) >> ELSE << >>]
NoPrograms    == [t \in {} |-> << >>]
SendCompletes == PostedCompletes("a", 1)

=============================================================================
