------------------------------ MODULE MCMessage -------------------------------
(***************************************************************************)
(* A WRITE of two packets; its region is deregistered in mid-message and   *)
(* the key may be given to another one (L30, L31).                         *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 0, 1, 0, 2, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPrograms == [t \in {"owner"} |->
    << {Deregister(1)}, {Register(2, 1, 0, 2, AllRights, 32)} >>]
MCPosted   == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 2) >> ELSE << >>]
MCReceives == [q \in {"b"} |-> << >>]

\* Wider bounds, for the nightly run.
MCExistingWide == << Region(1, 1, 0, 1, 0, 3, AllRights, 16) >>
MCProgramsWide == [t \in {"owner"} |->
    << {Deregister(1)}, {Register(2, 1, 0, 3, AllRights, 32)} >>]
MCPostedWide == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 3) >> ELSE << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"InMidMessage"}

MCIsReached(probe) ==
    CASE probe = "InMidMessage" ->
               (region[2].stage = "live" /\ responder["b"].message.mr = 1)

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
