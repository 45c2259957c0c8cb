---------------------------- MODULE MCDeregistration ---------------------------
(***************************************************************************)
(* Deregistration against one WRITE of two packets.                        *)
(***************************************************************************)
EXTENDS Machine

MCExisting   == << Region(1, 1, 0, 1, 0, 4, AllRights, 16) >>
MCQueuePairs == [q \in {"b", "p"} |->
                    IF q = "b" THEN QueuePair(1, RemoteRights, "p", FALSE)
                    ELSE QueuePair(1, RemoteRights, "b", TRUE)]
MCPrograms   == [t \in {"owner", "peer"} |->
                    IF t = "owner" THEN << {Deregister(1)} >>
                    ELSE << {Post("p", Write(1, 1, 0, 2))}, {Post("p", Write(2, 1, 2, 1)), Skip} >>]
MCReceives   == [q \in {"b"} |-> << >>]
MCBudget     == NoBounds

Init == MachineInit
Next == MachineNext
Spec == Init /\ [][Next]_vars

=============================================================================
