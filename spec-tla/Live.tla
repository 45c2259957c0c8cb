---------------------------------- MODULE Live ---------------------------------
(***************************************************************************)
(* What must happen at last: the machine with fairness, and nobody who     *)
(* watches.                                                                *)
(*                                                                         *)
(* FAIRNESS.  As long as there is something to do for a fair actor,        *)
(* something is done: the driver with a call that it has begun, the device *)
(* with a packet that it has in hand, with its caches, with what its own   *)
(* requesters have to send or to complete, timers, programs.  The wire     *)
(* loses as it likes, within its budget.                                   *)
(* Nothing that fair actors do goes round in a circle but retransmission   *)
(* without end, so this is as much as fairness of each actor: every one    *)
(* gets its turn before nothing is left to do.  (One ENABLED a state is    *)
(* what TLC can afford; one an actor takes it twenty times as long.)       *)
(*                                                                         *)
(* NOT FAIR: a raw peer.  It may stop sending for ever, also in the midst  *)
(* of a message: that is the queue pair that stalls.                       *)
(*                                                                         *)
(* No observer, no symmetry, no view: with them TLC can be wrong about     *)
(* liveness.  event is the last event that was emitted if Narrate is TRUE, *)
(* for counterexamples that people read; else it never changes.            *)
(*                                                                         *)
(* Two defects of its own, since a safety contract cannot see them:        *)
(*   GlobalFence   while a deregistration waits, the device does nothing   *)
(*   ForgetsWork   a work request that failed, or is behind one that did,  *)
(*                 never completes                                         *)
(***************************************************************************)
EXTENDS Machine

CONSTANT Narrate    \* whether to tell events

VARIABLE event

NoEvent == [name |-> "none"]

\* Override Emit and EmitNothing.
Tell(e)     == event' = IF Narrate THEN e ELSE NoEvent
TellNothing == event' = NoEvent

all == <<vars, event>>

Settings ==
    [opened |-> Opened, watched |-> {}, probes |-> {}, profiles |-> RunProfiles,
     defects |-> RunDefects,
     ran |-> {[policy |-> [o \in Opened |-> c.policy[o]], defect |-> c.defect] : c \in Choices}]

-------------------------------------------------------------------------------
(***************************************************************************)
(* Who does what: the machine's actions, sorted by actor.                  *)
(***************************************************************************)
IsFenced == defect = "GlobalFence" /\ \E mr \in Numbers : NextStep(mr) = "drain"

DriverGoesOn(mr) == PerformStep(mr)

DeviceWorks(q) ==
    /\ ~IsFenced
    /\ ReceivePacket(q) \/ WorkOnPacket(q) \/ RaiseAsyncEvent(q) \/ FlushReceive(q)
       \/ SpeakAfterNak(q) \/ ReviveQueuePair(q)

RequesterWorks(q) ==
    /\ Queue(q) # << >> \/ wire.answers[q] # << >>
    /\ ~(defect = "ForgetsWork" /\ (requester[q].failure # "none" \/ responder[q].state = "ERR"))
    /\ SendingNext(q) \/ LocalNext(q)

PeerSends(q) == ReceiveFromRawPeer(q)

ProgramCalls(t) ==
    \E v \in Offered(t) :
        CallVerb(t, v) \/ PostWork(t, v) \/ SetQueuePairInError(t, v) \/ PostReceiveWork(t, v)

CallReturns(t) == ReturnFailure(t) \/ ReturnDeallocWindow(t)

\* All but the peers that may stall.
FairNext(peers) ==
    \/ \E q \in peers : PeerSends(q)
    \/ \E mr \in Numbers : DriverGoesOn(mr)
    \/ \E mw \in MwNumbers : RevokeWindow(mw)
    \/ PassEpoch
    \/ CacheNext
    \/ \E q \in Devices : DeviceWorks(q) \/ RequesterWorks(q)
    \/ \E t \in Threads : ProgramCalls(t) \/ CallReturns(t)

\* This is MachineNext, but for the two defects.
LiveNext == FairNext(Devices) \/ WireNext

LiveInit == MachineInit /\ event = NoEvent

-------------------------------------------------------------------------------
(***************************************************************************)
(* The properties (section 4.2 of the facts).                              *)
(***************************************************************************)

\* A thread's deregistration of a region is under way.
IsDeregistering(t) == thread[t].doing.verb = "deregister"

\* The call returns, with success or with `busy'.
DeregTerminates == \A t \in Threads : IsDeregistering(t) ~> ~IsDeregistering(t)

\* The verb at that place of a program is called and returns.
Passes(t, place) == thread[t].at = place ~> thread[t].at > place

\* Every work request that is posted completes: with success, an error or a flush.
PostedCompletes(q, most) ==
    \A i \in 1 .. most : Len(Queue(q)) >= i ~> requester[q].completed >= i

\* In ERR everything that is outstanding is flushed.
ErrorIsFlushed(q, most) ==
    \A i \in 1 .. most :
        (responder[q].state = "ERR" /\ Len(Queue(q)) >= i) ~> requester[q].completed >= i

=============================================================================
