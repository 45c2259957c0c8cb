--------------------------------- MODULE MCStall -------------------------------
(***************************************************************************)
(* What a driver does when a queue pair holds the region that is being     *)
(* deregistered and may never let go: it may end the queue pair, or refuse *)
(* the call.  Two promises of a driver that no contract makes, since a     *)
(* driver may break them by design:                                        *)
(*                                                                         *)
(*   QueuePairIsolation   a queue pair goes to ERR only for what itself    *)
(*                        did (D4)                                         *)
(*   DeregIsNotRefused    a deregistration does not return busy (D4, D9)   *)
(*                                                                         *)
(* Together with NoAccessAfterReturn (model deregistration) and            *)
(* DeregTerminates (live-stall-terminates) they are headline (a): a device *)
(* whose messages hold their region cannot keep all four.                  *)
(*                                                                         *)
(* BOUNDS.  One region, one queue pair, a WRITE of two packets: one to     *)
(* hold the region, one that need not come.                                *)
(***************************************************************************)
EXTENDS Machine

CONSTANTS
    Watched,    \* the promises that are watched
    Narrate     \* whether to tell events

VARIABLE broken     \* the promises that this behaviour has broken
VARIABLE reached    \* the situations that it has reached
VARIABLE event      \* the last event, if told

NoEvent   == [name |-> "none"]
watchVars == <<broken, reached, event>>

Probes == {"HeldWhileEnding"}

Settings ==
    [opened |-> Opened, watched |-> Watched, probes |-> Probes, profiles |-> RunProfiles,
     defects |-> RunDefects,
     ran |-> {[policy |-> [o \in Opened |-> c.policy[o]], defect |-> c.defect] : c \in Choices}]

IsEndedByOthers(e) ==
    e.name = "qp.state" /\ e.state = "ERR"
    /\ responder[e.qp].hand.stage \notin {"refused", "failing"}

Situations ==
    IF \E mr \in Numbers : NextStep(mr) = "drain" /\ UsersOf(mr) # {}
    THEN {"HeldWhileEnding"} ELSE {}

\* Overrides Emit.
See(e) ==
    /\ broken' = broken \cup
           (Watched \cap
               ((IF IsEndedByOthers(e) THEN {"QueuePairIsolation"} ELSE {})
                \cup (IF e.name = "dereg.return" /\ e.status = "busy"
                      THEN {"DeregIsNotRefused"} ELSE {})))
    /\ reached' = reached \cup Situations
    /\ event' = IF Narrate THEN e ELSE NoEvent

\* Overrides EmitNothing.
SeeNothing ==
    /\ UNCHANGED broken
    /\ reached' = reached \cup Situations
    /\ event' = NoEvent

MCExisting   == << Region(1, 1, 0, 1, 0, 2, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPosted     == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 2) >> ELSE << >>]
MCPrograms   == [t \in {"owner"} |-> << {Deregister(1)} >>]
MCReceives   == [q \in {"b"} |-> << >>]
MCBudget     == NoBounds

Init == MachineInit /\ broken = {} /\ reached = {} /\ event = NoEvent
Next == MachineNext
Spec == Init /\ [][Next]_<<vars, watchVars>>

\* FALSE once for each finding; register 1 holds what was told before.
ASSUME TLCSet(1, {})
Findings == {<<policy, defect, c>> : c \in broken}
         \cup (IF defect = "none" THEN {<<s>> : s \in reached} ELSE {})
NothingNew ==
    LET new == Findings \ TLCGet(1) IN new = {} \/ (TLCSet(1, TLCGet(1) \cup new) /\ FALSE)

=============================================================================
