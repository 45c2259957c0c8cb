------------------------------ MODULE MCLookup --------------------------------
(***************************************************************************)
(* One access, good or bad in any one way, against one deregistration:     *)
(* what a check compares and what it reports.  Five addresses: inside, at  *)
(* the end, one past it, below the base, wrapping.                         *)
(***************************************************************************)
EXTENDS Watch

\* The end of the address space is at 5; the region is [1, 3), for WRITE only.
MCExisting == << Region(1, 1, 0, 1, 1, 2, {"local_write", "remote_write"}, 16) >>

\* b is in the region's domain, c in another one.
MCQueuePairs == [q \in {"b", "c", "p", "r"} |->
    CASE q = "b" -> QueuePair(1, RemoteRights, "p", FALSE)
      [] q = "p" -> QueuePair(1, RemoteRights, "b", TRUE)
      [] q = "c" -> QueuePair(2, RemoteRights, "r", FALSE)
      [] q = "r" -> QueuePair(2, RemoteRights, "c", TRUE)]

Guess(work, index, tag) == WithKey(work, KeyOf(index, tag))

MCPrograms == [t \in {"owner", "peer"} |->
    IF t = "owner" THEN << {Deregister(1)} >>
    ELSE << {Post("p", Write(1, 1, 1, 1)),              \* right
             Post("p", Write(1, 1, 2, 1)),              \* right, at the end
             Post("p", Write(1, 1, 3, 1)),              \* past the end
             Post("p", Write(1, 1, 0, 1)),              \* below the base
             Post("p", Write(1, 1, 4, 2)),              \* wraps around
             Post("p", Read(1, 1, 1, 1)),               \* not allowed
             Post("r", Write(1, 1, 1, 1)),              \* from another domain
             Post("r", Write(1, 1, 3, 1)),              \* two things wrong
             Post("p", Guess(Write(1, 0, 1, 1), 1, 1)), \* another tag
             Post("p", Guess(Write(1, 0, 1, 1), 2, 0)), \* nobody's index
             Post("p", Guess(Write(1, 0, 0, 0), 2, 0))} \* nothing, under no key
         >>]
MCPosted   == [q \in DOMAIN MCQueuePairs |-> << >>]
MCReceives == [q \in {"b", "c"} |-> << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"Refused"}

MCIsReached(probe) ==
    CASE probe = "Refused" ->
               (\E q \in Devices : Hand(q).stage = "refused")

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
