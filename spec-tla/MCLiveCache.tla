------------------------------- MODULE MCLiveCache -----------------------------
(***************************************************************************)
(* A key cache, a WRITE that fills it, a deregistration.                   *)
(*                                                                         *)
(* BOUNDS.  One entry in the cache, one region, one WRITE: enough to be    *)
(* cached, to be fetched while the region goes, and to stay.               *)
(***************************************************************************)
EXTENDS Live

MCExisting   == << Region(1, 1, 0, 1, 0, 2, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPosted     == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 1) >> ELSE << >>]
MCPrograms   == [t \in {"owner"} |-> << {Deregister(1)} >>]
MCReceives   == [q \in {"b"} |-> << >>]
MCBudget     == NoBounds

Init == LiveInit
Next == LiveNext
Spec == Init /\ [][Next]_all /\ WF_all(FairNext({"b"}))

IsStale == cache.key.mr = 1 /\ region[1].stage = "returned"
CacheConverges == IsStale ~> ~IsStale

=============================================================================
