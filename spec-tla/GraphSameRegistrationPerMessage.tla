-------------------- MODULE GraphSameRegistrationPerMessage --------------------
(***************************************************************************)
(* SameRegistrationPerMessage as a next-state relation, so that TLC can    *)
(* draw its state graph.  A step that the contract forbids leads to        *)
(* FORBIDDEN.                                                              *)
(***************************************************************************)
EXTENDS SameRegistrationPerMessage

VARIABLE state

Init == state \in Start

After(e) ==
    IF state = "FORBIDDEN" THEN {}
    ELSE IF Step(state, e) = {} THEN {"FORBIDDEN"} ELSE Step(state, e)

\* One action an event, since TLC labels steps with the names of actions.

dma_same_registration  == state' \in After([name |-> "dma.write", sameRegistration |-> TRUE])
dma_other_registration == state' \in After([name |-> "dma.write", sameRegistration |-> FALSE])

Next == dma_same_registration \/ dma_other_registration

=============================================================================
