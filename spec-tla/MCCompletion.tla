------------------------------ MODULE MCCompletion ----------------------------
(***************************************************************************)
(* Work requests with memory of their own, a SEND, an unsignalled one, a   *)
(* bad lkey: completions, their order, and local faults (L96 to L100,      *)
(* L132).                                                                  *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 1, 1, 0, 2, AllRights, 16), Region(2, 2, 1, 1, 0, 2, AllRights, 32) >>
MCQueuePairs == [q \in {"a", "b"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "a", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", FALSE)]
MCPrograms == [t \in {"owner", "peer"} |->
    IF t = "owner" THEN << {Deregister(2)} >>
    ELSE << {Post("a", WithLocal(Write(1, 1, 0, 1), 2, 0)), Post("a", WithLocal(Read(1, 1, 0, 1), 2, 0)),
             Post("a", Send(1, 1))},
            {Post("a", Unsignaled(Write(2, 1, 1, 1)))} >>]
MCPosted   == [q \in {"a", "b"} |-> << >>]
MCBudget   == Bounds(0, 0, 0, 0, 0)
MCReceives == [q \in {"a", "b"} |-> IF q = "b" THEN << [wr |-> 11, mr |-> 0] >> ELSE << >>]

\* Wider bounds, for the nightly run.
MCProgramsWide == [t \in {"owner", "peer"} |->
    IF t = "owner" THEN << {Deregister(2)} >>
    ELSE << {Post("a", WithLocal(Write(1, 1, 0, 1), 2, 0)), Post("a", WithLocal(Read(1, 1, 0, 1), 2, 0)),
             Post("a", Send(1, 1))},
            {Post("a", Unsignaled(Write(2, 1, 1, 1)))}, {Post("a", Write(3, 1, 1, 1))} >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"LocalFault", "AllDone"}

MCIsReached(probe) ==
    CASE probe = "LocalFault" ->
               (requester["a"].failure = "local")
      [] probe = "AllDone" ->
               (requester["a"].completed = 2 /\ requester["a"].failure = "none")

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
