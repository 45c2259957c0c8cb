-------------------------------- MODULE Values -------------------------------
(* One variable of every kind of value, and an assumption to fail.           *)
EXTENDS Integers, Sequences, TLC
CONSTANTS Nobody, Limit
ASSUME Limit < 10
VARIABLES number, text, set, sequence, entry, function, who
Init == /\ number = 0
        /\ text = "a"
        /\ set = {1, 2}
        /\ sequence = <<1, "b">>
        /\ entry = [name |-> "c", held |-> TRUE]
        /\ function = (0 :> "x" @@ 7 :> "y")
        /\ who = Nobody
Next == /\ number' = number - 1
        /\ PrintT("must not be seen")
        /\ UNCHANGED <<text, set, sequence, entry, function, who>>
Positive == number >= 0
Unfit == number' > 0
=============================================================================
