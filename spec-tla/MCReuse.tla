------------------------------ MODULE MCReuse ---------------------------------
(***************************************************************************)
(* A key is given out again: one index, two tags, three registrations one  *)
(* after the other, and a WRITE that was posted under the first.           *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 1, 1, 0, 2, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPrograms == [t \in {"owner"} |->
    << {Deregister(1)}, {Register(2, 1, 0, 2, AllRights, 32)},
       {Deregister(2)}, {Register(3, 1, 0, 2, AllRights, 48)} >>]
MCPosted   == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 1) >> ELSE << >>]
MCReceives == [q \in {"b"} |-> << >>]

\* Wider bounds, for the nightly run.
MCProgramsWide == [t \in {"owner"} |->
    << {Deregister(1)}, {Register(2, 1, 0, 2, AllRights, 32)},
       {Deregister(2)}, {Register(3, 1, 0, 2, AllRights, 48)},
       {Deregister(3)}, {Register(4, 1, 0, 2, AllRights, 16)} >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"KeyReissued"}

MCIsReached(probe) ==
    CASE probe = "KeyReissued" ->
               (\E m, n \in Numbers : m < n /\ region[m].stage = "returned" /\ region[n].stage = "live" /\ region[m].key = region[n].key)

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
