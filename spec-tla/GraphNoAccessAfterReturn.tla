------------------------ MODULE GraphNoAccessAfterReturn -----------------------
(***************************************************************************)
(* NoAccessAfterReturn as a next-state relation, so that TLC can draw its  *)
(* state graph.  A step that the contract forbids leads to FORBIDDEN.      *)
(***************************************************************************)
EXTENDS NoAccessAfterReturn

VARIABLE state

Init == state \in Start

Event(e) ==
    /\ state # "FORBIDDEN"
    /\ state' \in IF Step(state, e) = {} THEN {"FORBIDDEN"} ELSE Step(state, e)

reg_call           == Event([name |-> "reg.call"])
reg                == Event([name |-> "reg"])
dereg_call         == Event([name |-> "dereg.call"])
dereg_return_ok    == Event([name |-> "dereg.return", succeeded |-> TRUE])
dereg_return_busy  == Event([name |-> "dereg.return", succeeded |-> FALSE])
dma                == Event([name |-> "dma.write"])

Next == reg_call \/ reg \/ dereg_call \/ dereg_return_ok \/ dereg_return_busy \/ dma

=============================================================================
