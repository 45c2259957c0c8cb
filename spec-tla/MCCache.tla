------------------------------ MODULE MCCache ---------------------------------
(***************************************************************************)
(* A key cache and a translation cache of one entry each, against          *)
(* deregistration and the reuse of the index (L45, L46).                   *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 1, 1, 0, 2, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPrograms == [t \in {"owner", "peer"} |->
    IF t = "owner" THEN << {Deregister(1)}, {Register(2, 1, 0, 2, AllRights, 32)} >>
    ELSE << {Post("p", Write(3, 2, 0, 1))} >>]
MCPosted   == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 1), Write(2, 1, 0, 1) >> ELSE << >>]
MCReceives == [q \in {"b"} |-> << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"StaleFill", "HitAfterRevoke"}

MCIsReached(probe) ==
    CASE probe = "StaleFill" ->
               (cache.keyFill # NoFill /\ cache.keyFill.stale)
      [] probe = "HitAfterRevoke" ->
               (cache.key.mr = 1 /\ ~TableEntry(region[1].key).valid)

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
