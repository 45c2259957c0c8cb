------------------------------ MODULE MCReceive -------------------------------
(***************************************************************************)
(* A SEND and a WRITE with immediate data, good or bad, that need a        *)
(* receive which is posted late or never, and whose memory may be          *)
(* deregistered (C12, E10, L72, L73, L134).                                *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 1, 1, 0, 2, AllRights, 16), Region(2, 2, 1, 1, 0, 2, AllRights, 32) >>
MCQueuePairs == [q \in {"a", "b"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "a", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", FALSE)]
MCPrograms == [t \in {"owner", "peer"} |->
    IF t = "owner" THEN << {PostReceive("b", 11, 2), Deregister(2)}, {PostReceive("b", 12, 0)} >>
    ELSE << {Post("a", Send(1, 1)), Post("a", WriteImmediate(1, 1, 0, 1)),
             Post("a", WithKey(WriteImmediate(1, 0, 0, 1), 40))} >>]
MCPosted   == [q \in {"a", "b"} |-> << >>]
MCBudget   == Bounds(0, 0, 0, 0, 1)
MCReceives == [q \in {"a", "b"} |-> << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"NotReady", "ReceivedAfterAll"}

MCIsReached(probe) ==
    CASE probe = "NotReady" ->
               (requester["a"].failure = "rnr")
      [] probe = "ReceivedAfterAll" ->
               (responder["b"].reported = 1 /\ requester["a"].rnr = 0)

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
