------------------------------ MODULE MCRange ---------------------------------
(***************************************************************************)
(* A WRITE of two packets, of which the second is past the end (L87), and  *)
(* a READ.                                                                 *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 0, 1, 0, 3, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPrograms == [t \in {"peer"} |->
    << {Post("p", Write(1, 1, 0, 4)), Post("p", Write(1, 1, 1, 3)), Post("p", Read(1, 1, 0, 4))} >>]
MCPosted   == [q \in {"b", "p"} |-> << >>]
MCReceives == [q \in {"b"} |-> << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"WrittenPrefix"}

MCIsReached(probe) ==
    CASE probe = "WrittenPrefix" ->
               (Hand("b").stage = "refused" /\ Hand("b").psn = 1)

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
