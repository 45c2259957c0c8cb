------------------------------ MODULE MCIndices -------------------------------
(***************************************************************************)
(* Which index is used next: two indices, two tags, and a WRITE that was   *)
(* posted under the first registration.                                    *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 1, 1, 0, 2, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPrograms == [t \in {"owner"} |->
    << {Deregister(1)}, {Register(2, 1, 0, 2, AllRights, 32)},
       {Register(3, 1, 0, 2, AllRights, 48)} >>]
MCPosted   == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 1) >> ELSE << >>]
MCReceives == [q \in {"b"} |-> << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"IndexReissued"}

MCIsReached(probe) ==
    CASE probe = "IndexReissued" ->
               (\E n \in {2, 3} : region[n].stage = "live" /\ IndexOf(region[n].key) = IndexOf(region[1].key))

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
