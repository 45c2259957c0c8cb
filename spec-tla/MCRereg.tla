------------------------------ MODULE MCRereg ---------------------------------
(***************************************************************************)
(* Re-registration to other pages and another range against WRITEs of one  *)
(* packet (L16, L19, L48), with the key it had or a new one (K20).         *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 1, 1, 0, 2, AllRights, 32) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPrograms == [t \in {"owner", "peer"} |->
    IF t = "owner" THEN << {Reregister(1, 1, 0, 3, {"local_write", "remote_write"}, 16)} >>
    ELSE << {Post("p", Write(2, 1, 0, 1)), Post("p", Write(2, 1, 2, 1)), Post("p", Read(2, 1, 0, 1))} >>]
MCPosted   == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 2) >> ELSE << >>]
MCReceives == [q \in {"b"} |-> << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"OldUnderWay"}

MCIsReached(probe) ==
    CASE probe = "OldUnderWay" ->
               (NextStep(1) = "drain" /\ UsersOf(1) # {})

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
