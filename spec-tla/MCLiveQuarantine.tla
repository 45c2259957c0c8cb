---------------------------- MODULE MCLiveQuarantine ---------------------------
(***************************************************************************)
(* Keys that wait in quarantine for work that never ends: an owner who     *)
(* registers again and again, and peers who may stop before they send.     *)
(*                                                                         *)
(* BOUNDS.  One index and two tags, so there are two keys; each is held by *)
(* a work request of a peer when the third registration comes.             *)
(***************************************************************************)
EXTENDS Live

MCExisting   == << Region(1, 1, 0, 1, 0, 2, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "c", "p", "r"} |->
                    CASE q = "b" -> QueuePair(1, RemoteRights, "p", FALSE)
                      [] q = "p" -> QueuePair(1, RemoteRights, "b", TRUE)
                      [] q = "c" -> QueuePair(1, RemoteRights, "r", FALSE)
                      [] q = "r" -> QueuePair(1, RemoteRights, "c", TRUE)]
MCPosted     == [q \in DOMAIN MCQueuePairs |-> IF q = "p" THEN << Write(1, 1, 0, 1) >> ELSE << >>]
MCPrograms   == [t \in {"owner"} |->
                    << {Deregister(1)}, {Register(2, 1, 0, 2, AllRights, 16)},
                       {Post("r", Write(2, 2, 0, 1))},
                       {Deregister(2)}, {Register(3, 1, 0, 2, AllRights, 16)} >>]
MCReceives   == [q \in {"b", "c"} |-> << >>]
MCBudget     == NoBounds

Init == LiveInit
Next == LiveNext
Spec == Init /\ [][Next]_all /\ WF_all(FairNext({}))

RegistrationEventuallySucceeds == Passes("owner", 2) /\ Passes("owner", 5)

=============================================================================
