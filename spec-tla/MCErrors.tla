------------------------------ MODULE MCErrors --------------------------------
(***************************************************************************)
(* A request under a key that is nobody's and one behind it: the NAK, the  *)
(* error state, silence, a NAK that is lost (L43, L68, L132).              *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 1, 1, 0, 4, AllRights, 16) >>
MCQueuePairs == [q \in {"a", "b"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "a", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", FALSE)]
MCPrograms == << >>
MCPosted   == [q \in {"a", "b"} |->
    IF q = "a" THEN << WithKey(Write(1, 0, 0, 1), 40), Write(2, 1, 1, 1) >>
    ELSE << >>]
MCBudget   == Bounds(1, 0, 0, 0, 1)
MCReceives == [q \in {"a", "b"} |-> << >>]

\* Wider bounds, for the nightly run.
MCBudgetWide == Bounds(1, 1, 0, 0, 1)

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"NakLost", "Flushed", "ArrivesInError"}

MCIsReached(probe) ==
    CASE probe = "NakLost" ->
               (requester["a"].failure = "retry" /\ responder["b"].state = "ERR" /\ responder["b"].expected = 0)
      [] probe = "Flushed" ->
               (requester["a"].completed = 2)
      [] probe = "ArrivesInError" ->
               (responder["b"].state = "ERR" /\ Hand("b").stage = "arrived")

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
