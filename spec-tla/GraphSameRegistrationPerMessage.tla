-------------------- MODULE GraphSameRegistrationPerMessage --------------------
(***************************************************************************)
(* SameRegistrationPerMessage as a next-state relation, so that TLC can    *)
(* draw its state graph.  A step that the contract forbids leads to        *)
(* FORBIDDEN.                                                              *)
(***************************************************************************)
EXTENDS SameRegistrationPerMessage

VARIABLE state

Init == state \in Start

Event(e) ==
    /\ state # "FORBIDDEN"
    /\ state' \in IF Step(state, e) = {} THEN {"FORBIDDEN"} ELSE Step(state, e)

dma_same_registration  == Event([name |-> "dma.write", sameRegistration |-> TRUE])
dma_other_registration == Event([name |-> "dma.write", sameRegistration |-> FALSE])

Next == dma_same_registration \/ dma_other_registration

=============================================================================
