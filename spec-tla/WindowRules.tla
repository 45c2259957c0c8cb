----------------------------- MODULE WindowRules ------------------------------
(***************************************************************************)
(* PROMISE. A memory window gives no more than its region: a bind succeeds *)
(* only inside the region's range and rights, with the region's consent,   *)
(* in one protection domain, and for its owner; a region does not go away  *)
(* under a bound window.                                                   *)
(*                                                                         *)
(* TO WHOM. The owner of the region, who consented to windows and to       *)
(* nothing beyond. One instance watches one key of a window: slice (host,  *)
(* key).                                                                   *)
(*                                                                         *)
(* SOURCES. W1 (o10-37.2.26, 30, 40: type 1 is not invalidated by a work   *)
(* request, type 2 is bound only when free and not unbound by length 0),   *)
(* W2 (C10-72 to 75: mw_bind, range, local_write), D1 and D5               *)
(* (deregistration fails while a window is bound), L122 to L127, S9.       *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. A bind that does not look at the region; a         *)
(* deregistration that does not look for windows. Mutants                  *)
(* WindowOutsideRegion, WindowMoreRights, RebindsBoundWindow,              *)
(* DeregWithWindow.                                                        *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. What an access through the window may do, and     *)
(* through which queue pair: SoundCheck, from the window's attributes. A   *)
(* bind that fails although it could succeed is no offence.                *)
(***************************************************************************)
\* unbound  : the key is no window's
\* fitting  : a bind is under way that may succeed
\* unfit    : a bind is under way that must fail
\* bound    : the key is a window's
\* ending   : an unbind, invalidation, deallocation or another bind is under way
States == {"unbound", "fitting", "unfit", "bound", "ending"}

Start == {"unbound"}

\* A bind that takes this key away must be allowed too.
Step(s, e) ==
    CASE e.name = "bind.call" ->
             {CASE ~e.fits              -> "unfit"
                [] e.ends /\ s = "bound" -> "ending"
                [] e.ends               -> s
                [] OTHER                -> "fitting"}
      [] e.name = "bind.return" ->
             IF e.succeeded => s # "unfit"           \* W1, W2: range, rights, consent, domain, owner
             THEN {CASE e.succeeded /\ e.ends                       -> "unbound"
                     [] e.succeeded                                 -> "bound"
                     [] e.ends /\ s # "unbound"                     -> "bound"
                     [] OTHER                                       -> "unbound"}
             ELSE {}
      [] e.name = "dereg.return" ->
             IF s = "bound" /\ e.succeeded => ~e.bound     \* D1, D5: fails while a window is bound
             THEN {s} ELSE {}
      [] e.name \in {"inv.call", "mw.dealloc.call"} ->
             {IF s = "bound" THEN "ending" ELSE s}
      [] e.name = "inv.return" ->
             IF e.succeeded /\ s # "unbound" => ~e.typeOne      \* W1: o10-37.2.26
             THEN {IF e.succeeded THEN "unbound" ELSE IF s = "ending" THEN "bound" ELSE s}
             ELSE {}
      [] e.name = "mw.dealloc.return" ->
             {IF e.succeeded THEN "unbound" ELSE IF s = "ending" THEN "bound" ELSE s}
      [] e.name = "check" ->
             IF s = "bound" /\ e.accepted => ~e.orphan       \* S9: no window without its region
             THEN {s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
