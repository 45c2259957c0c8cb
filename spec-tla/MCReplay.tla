------------------------------ MODULE MCReplay --------------------------------
(***************************************************************************)
(* Requests that come again: a READ, an atomic, a WRITE whose answer was   *)
(* lost, against deregistration (L60 to L66).                              *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 1, 1, 0, 8, AllRights, 16) >>
MCQueuePairs == [q \in {"a", "b"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "a", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", FALSE)]
MCPrograms == [t \in {"owner", "peer"} |->
    IF t = "owner" THEN << {Deregister(1)} >>
    ELSE << {Post("a", Read(1, 1, 0, 1)), Post("a", Atomic(1, 1, 0)), Post("a", Write(1, 1, 0, 1))} >>]
MCPosted   == [q \in {"a", "b"} |-> << >>]
MCBudget   == Bounds(1, 0, 0, 0, 1)
MCReceives == [q \in {"a", "b"} |-> << >>]

\* Wider bounds, for the nightly run.
MCBudgetWide == Bounds(1, 1, 1, 0, 1)

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"Duplicate", "DuplicateAfterReturn"}

MCIsReached(probe) ==
    CASE probe = "Duplicate" ->
               (Hand("b").stage = "arrived" /\ IsDuplicate("b"))
      [] probe = "DuplicateAfterReturn" ->
               (Hand("b").stage = "arrived" /\ IsDuplicate("b") /\ region[1].stage = "returned")

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
