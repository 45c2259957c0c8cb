------------------------------ MODULE MCFastRegister --------------------------
(***************************************************************************)
(* Fast registrations of one index, one after the other, with tags that    *)
(* their consumer chooses, LOCAL_INV between them, a peer that guesses,    *)
(* and an application that disconnects at any time (L110, L119, L120).     *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]

Registering(wr, mr, tag, frame) == FastRegister(wr, mr, 1, tag, 1, 0, 2, AllRights, frame)

MCPrograms == [t \in {"owner", "peer", "killer"} |->
    CASE t = "owner" -> << {Await("b", 2)}, {Unmap(1)} >>
      [] t = "peer"  -> << {Post("p", Write(1, 1, 0, 1)),
                            Post("p", WithKey(Write(1, 0, 0, 1), KeyOf(1, 0)))} >>
      [] t = "killer" -> << {SetError("b")} >>]
MCPosted   == [q \in {"b", "p"} |->
    IF q = "b" THEN << Registering(1, 1, 1, 16), WithKey(LocalInvalidate(2, 0), KeyOf(1, 1)),
                       Registering(3, 2, 0, 32) >>
    ELSE << >>]
MCReceives == [q \in {"b"} |-> << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"StaleRefused", "RegisteredTwice", "FlushedRegistration"}

MCIsReached(probe) ==
    CASE probe = "StaleRefused" ->
               (Hand("b").stage = "refused" /\ region[2].stage = "live")
      [] probe = "RegisteredTwice" ->
               (requester["b"].completed = 3 /\ requester["b"].failure = "none")
      [] probe = "FlushedRegistration" ->
               (requester["b"].job.stage = "flushed")

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
