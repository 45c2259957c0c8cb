------------------------------- MODULE Wanderer ------------------------------
(* Far more states than any test waits for.                                  *)
EXTENDS Integers
VARIABLES x, y, z
Step(v) == {v - 1, v + 1}
Init == x = 0 /\ y = 0 /\ z = 0
Next == \/ x' \in Step(x) /\ UNCHANGED <<y, z>>
        \/ y' \in Step(y) /\ UNCHANGED <<x, z>>
        \/ z' \in Step(z) /\ UNCHANGED <<x, y>>
=============================================================================
