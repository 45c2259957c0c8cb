------------------------ MODULE GraphNoAccessAfterReturn -----------------------
(***************************************************************************)
(* NoAccessAfterReturn as a next-state relation, so that TLC can draw its  *)
(* state graph.  A step that the contract forbids leads to FORBIDDEN.      *)
(***************************************************************************)
EXTENDS NoAccessAfterReturn

VARIABLE state

Init == state \in Start

After(e) ==
    IF state = "FORBIDDEN" THEN {}
    ELSE IF Step(state, e) = {} THEN {"FORBIDDEN"} ELSE Step(state, e)

\* One action an event, since TLC labels steps with the names of actions.

reg_call           == state' \in After([name |-> "reg.call"])
reg                == state' \in After([name |-> "reg"])
dereg_call         == state' \in After([name |-> "dereg.call"])
dereg_return_ok    == state' \in After([name |-> "dereg.return", succeeded |-> TRUE])
dereg_return_busy  == state' \in After([name |-> "dereg.return", succeeded |-> FALSE])
dma                == state' \in After([name |-> "dma.write"])

Next == reg_call \/ reg \/ dereg_call \/ dereg_return_ok \/ dereg_return_busy \/ dma

=============================================================================
