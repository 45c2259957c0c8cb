-------------------------------- MODULE Door --------------------------------
(* A small contract in the form that the bridge reads: a door that may be    *)
(* locked only when it is closed, and opened only with the right key.        *)
EXTENDS Naturals

Start == {[phase |-> "closed", key |-> 7]}

Fits(s, e) == /\ e.key = s.key
              /\ \/ s.phase = "closed"
                 \/ s.phase = "locked"

Within(n) == n \in 1..9 /\ n < 9

Step(s, e) ==
  CASE e.name = "open" ->
         IF Fits(s, e) /\ Within(e.key) THEN {[s EXCEPT !.phase = "open"]} ELSE {}
    [] e.name = "close" ->
         IF s.phase = "open"
           THEN IF e.slam => s.key # 7 THEN {[s EXCEPT !.phase = "closed"]} ELSE {}
           ELSE {}
    [] e.name = "lock" ->
         LET shut == s.phase \in {"closed", "locked"}
         IN  IF shut /\ e.turns.count > 1 \* twice
               /\ ~e.jammed
               THEN {[s EXCEPT !.phase = "locked"], s} ELSE {}
    [] OTHER -> {s}

Hidden(s) == IF s.phase = "open" THEN {[s EXCEPT !.phase = "ajar"]} ELSE {}
Open(s) == s.phase = "open"
Remark(s) == IF s.phase = "ajar" THEN "the door was left ajar" ELSE ""
=============================================================================
