------------------------------ MODULE MCRead ----------------------------------
(***************************************************************************)
(* A READ with two responses against deregistration (L34, L35).            *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 0, 1, 0, 2, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPrograms == [t \in {"owner"} |-> << {Deregister(1)} >>]
MCPosted   == [q \in {"b", "p"} |-> IF q = "p" THEN << Read(1, 1, 0, 2) >> ELSE << >>]
MCReceives == [q \in {"b"} |-> << >>]

\* Wider bounds, for the nightly run.
MCExistingWide == << Region(1, 1, 0, 1, 0, 3, AllRights, 16) >>
MCPostedWide == [q \in {"b", "p"} |-> IF q = "p" THEN << Read(1, 1, 0, 3) >> ELSE << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"ReadCutShort", "ReadAfterRevoke"}

MCIsReached(probe) ==
    CASE probe = "ReadCutShort" ->
               (Hand("b").stage = "refused" /\ Hand("b").at = 1)
      [] probe = "ReadAfterRevoke" ->
               (region[1].stage = "ending" /\ TableEntry(region[1].key) = NoEntry /\ Hand("b").stage = "fetched")

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
