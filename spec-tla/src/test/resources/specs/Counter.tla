------------------------------- MODULE Counter -------------------------------
(* A machine small enough to count by hand: one variable goes up and down.   *)
EXTENDS Naturals
CONSTANT Top
VARIABLES count, last

vars == <<count, last>>
TypeOK == count \in 0..Top /\ last \in {"none", "up", "down"}

Init == count = 0 /\ last = "none"
Up == count < Top /\ count' = count + 1 /\ last' = "up"
Down == count > 0 /\ count' = count - 1 /\ last' = "down"
Next == Up \/ Down
Spec == Init /\ [][Next]_vars
FairSpec == Spec /\ WF_vars(Up)

StaysBelow == count < Top
NeverStarts == count # 0
StepsByOne == [][count' # count]_vars
NeverDown == [][count' > count]_vars
ReachesTop == <>(count = Top)
UpOnly == Init /\ [][Up]_vars
Faulty == IF count = 2 THEN count \in "two" ELSE TRUE
=============================================================================
