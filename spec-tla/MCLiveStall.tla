------------------------------- MODULE MCLiveStall -----------------------------
(***************************************************************************)
(* A deregistration, and a peer that may stop for ever in the midst of a   *)
(* WRITE to that region.  In the second scenario a bystander too: another  *)
(* queue pair with a WRITE to another region, whose peer does not stop.    *)
(*                                                                         *)
(* BOUNDS.  The WRITE has two packets: one to hold the region, one that    *)
(* may never come.  The bystander needs one.                               *)
(***************************************************************************)
EXTENDS Live

MCExisting   == << Region(1, 1, 0, 1, 0, 2, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPosted     == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 2) >> ELSE << >>]
MCPrograms   == [t \in {"owner"} |-> << {Deregister(1)} >>]
MCReceives   == [q \in Devices |-> << >>]
MCBudget     == NoBounds

BystanderExisting   == MCExisting \o << Region(2, 2, 0, 1, 4, 2, AllRights, 32) >>
BystanderQueuePairs ==
    MCQueuePairs @@ [q \in {"c", "r"} |->
                        IF q = "c" THEN QueuePair(1, RemoteRights, "r", FALSE)
                        ELSE QueuePair(1, RemoteRights, "c", TRUE)]
BystanderPosted     ==
    MCPosted @@ [q \in {"c", "r"} |-> IF q = "r" THEN << Write(2, 2, 4, 1) >> ELSE << >>]

Init == LiveInit
Next == LiveNext
Spec == Init /\ [][Next]_all /\ WF_all(FairNext(Devices \ {"b"}))

BystanderProgress == responder["c"].expected = 0 ~> responder["c"].expected = 1

=============================================================================
