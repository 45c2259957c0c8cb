------------------------------ MODULE MCUnreliable ----------------------------
(***************************************************************************)
(* An unreliable connection: a WRITE of two packets and one behind it, a   *)
(* loss, a deregistration: what does not fit is dropped without a word     *)
(* (E8, L106).                                                             *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 1, 1, 0, 4, AllRights, 16) >>
MCQueuePairs == [q \in {"a", "b"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "a", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", FALSE)]
MCPrograms == [t \in {"owner"} |-> << {Deregister(1)} >>]
MCPosted   == [q \in {"a", "b"} |->
    IF q = "a" THEN << Write(1, 1, 0, 2), Write(2, 1, 2, 1) >> ELSE << >>]
MCBudget   == Bounds(1, 0, 0, 0, 0)
MCReceives == [q \in {"a", "b"} |-> << >>]

\* Wider bounds, for the nightly run.
MCBudgetWide == Bounds(2, 1, 1, 0, 0)

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"Dropped"}

MCIsReached(probe) ==
    CASE probe = "Dropped" ->
               (Hand("b").stage = "refused")

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
