------------------------------ MODULE MCInvalidate ----------------------------
(***************************************************************************)
(* A fast registration that a SEND or a LOCAL_INV ends, against a WRITE    *)
(* under it; a SEND from another domain, and one with an old tag (D17,     *)
(* L110 to L117).                                                          *)
(***************************************************************************)
EXTENDS Watch

MCExisting == << Fast(Region(1, 1, 1, 1, 0, 2, AllRights, 16)),
                 Fast(Region(2, 2, 1, 1, 0, 2, AllRights, 32)) >>

\* b, c and p, r; c is in another domain; d has a WRITE coming.
MCQueuePairs == [q \in {"b", "c", "d", "p", "r", "s"} |->
    CASE q = "b" -> QueuePair(1, RemoteRights, "p", FALSE)
      [] q = "p" -> QueuePair(1, RemoteRights, "b", TRUE)
      [] q = "c" -> QueuePair(2, RemoteRights, "r", FALSE)
      [] q = "r" -> QueuePair(2, RemoteRights, "c", TRUE)
      [] q = "d" -> QueuePair(1, RemoteRights, "s", FALSE)
      [] q = "s" -> QueuePair(1, RemoteRights, "d", TRUE)]

MCPrograms == [t \in {"peer", "owner"} |->
    IF t = "owner" THEN << {DeallocDomain(1), Skip} >>
    ELSE
    << {Post("p", SendInvalidate(1, 1)), Post("r", SendInvalidate(1, 1)),
        Post("b", LocalInvalidate(1, 1)),
        Post("p", WithKey(SendInvalidate(1, 1), KeyOf(1, 0)))} >>] \* another tag
MCPosted   == [q \in DOMAIN MCQueuePairs |-> IF q = "s" THEN << Write(1, 1, 0, 1) >> ELSE << >>]
MCReceives == [q \in {"b", "c", "d"} |-> IF q = "d" THEN << >> ELSE << [wr |-> 11, mr |-> 0] >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"Invalidated", "Foreign"}

MCIsReached(probe) ==
    CASE probe = "Invalidated" ->
               (~table[1].valid /\ Hand("d").stage = "refused")
      [] probe = "Foreign" ->
               (Hand("c").stage = "failing")

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
