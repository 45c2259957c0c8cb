---------------------------------- MODULE Wire --------------------------------
(***************************************************************************)
(* The wire between two queue pairs of a full connection.  It delays,      *)
(* loses, repeats and reorders, as far as the scenario's budget goes.      *)
(*                                                                         *)
(* MODELLED.  Requests on their way to a responder, by their PSNs, since   *)
(* what a packet says follows from its PSN and what was posted.  Answers   *)
(* on their way to a requester: [op, psn, syndrome].                       *)
(*                                                                         *)
(* NOT MODELLED, and which way that errs.  Damaged packets and forged ones *)
(* (E18) on a full connection: what needs them is missed; raw peers send   *)
(* what they like.  At most two packets are under way each way.            *)
(***************************************************************************)
EXTENDS Keys

NewWire ==
    [requests |-> [q \in Devices |-> << >>], answers |-> [q \in Devices |-> << >>],
     losses |-> Budget.losses, duplicates |-> Budget.duplicates, reorders |-> Budget.reorders]

MostUnderWay == 2

HasRoom(q) == Len(wire.requests[q]) < MostUnderWay

WithRequest(q, psn) == [wire EXCEPT !.requests[q] = Append(@, psn)]

\* An answer to a raw peer goes nowhere.
WithAnswer(q, op, psn, syndrome) ==
    IF q \in Devices
    THEN [wire EXCEPT !.answers[q] = Append(@, [op |-> op, psn |-> psn, syndrome |-> syndrome])]
    ELSE wire

Quiet(q, p) == wire.requests[q] = << >> /\ wire.answers[p] = << >>

-------------------------------------------------------------------------------
OnlyWire == UNCHANGED <<settingVars, keyVars, cache, thread, responder, requester>>

LoseRequest(q) ==
    /\ wire.losses > 0 /\ wire.requests[q] # << >>
    /\ wire' = [wire EXCEPT !.requests[q] = Tail(@), !.losses = @ - 1]
    /\ OnlyWire /\ EmitNothing

LoseAnswer(q) ==
    /\ wire.losses > 0 /\ wire.answers[q] # << >>
    /\ wire' = [wire EXCEPT !.answers[q] = Tail(@), !.losses = @ - 1]
    /\ OnlyWire /\ EmitNothing

DuplicateRequest(q) ==
    /\ wire.duplicates > 0 /\ wire.requests[q] # << >>
    /\ wire' = [wire EXCEPT !.requests[q] = Append(@, Head(@)), !.duplicates = @ - 1]
    /\ OnlyWire /\ EmitNothing

SwapRequests(q) ==
    /\ wire.reorders > 0 /\ Len(wire.requests[q]) = 2
    /\ wire' = [wire EXCEPT !.requests[q] = << @[2], @[1] >>, !.reorders = @ - 1]
    /\ OnlyWire /\ EmitNothing

WireNext ==
    \E q \in Devices : LoseRequest(q) \/ LoseAnswer(q) \/ DuplicateRequest(q) \/ SwapRequests(q)

=============================================================================
