------------------------------ MODULE MCDeregistration ------------------------
(***************************************************************************)
(* Deregistration against a WRITE of two packets, in all its variants.     *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Region(1, 1, 0, 1, 0, 4, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPrograms == [t \in {"owner"} |-> << {Deregister(1)} >>]
MCPosted   == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 4) >> ELSE << >>]
MCReceives == [q \in {"b"} |-> << >>]

\* Wider bounds, for the nightly run.
MCExistingWide == << Region(1, 1, 0, 1, 0, 6, AllRights, 16) >>
MCPostedWide == [q \in {"b", "p"} |-> IF q = "p" THEN << Write(1, 1, 0, 6) >> ELSE << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"DrainWaits", "HeldByMessage", "Busy"}

MCIsReached(probe) ==
    CASE probe = "DrainWaits" ->
               (NextStep(1) = "drain" /\ UsersOf(1) # {})
      [] probe = "HeldByMessage" ->
               (NextStep(1) = "drain" /\ responder["b"].message.mr = 1 /\ Hand("b") = Nothing)
      [] probe = "Busy" ->
               (region[1].stage = "busy")

\* For a run that is about one contract.  What breaks is what the checker's
\* demonstration shows on a trace.
NoAccessAfterReturnInv == "NoAccessAfterReturn" \notin broken
PinsAreSafeInv         == "UnpinSafe" \notin broken
ChecksAreSoundInv      == "SoundCheck" \notin broken
LifetimesAreOrderedInv == "LifetimeOrder" \notin broken

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
