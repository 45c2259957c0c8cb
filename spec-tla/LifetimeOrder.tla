---------------------------- MODULE LifetimeOrder -----------------------------
(***************************************************************************)
(* PROMISE. Objects go in order and once. A protection domain outlives     *)
(* what is in it; nothing is made in one that is gone; windows, queue      *)
(* pairs and domains are destroyed once; the pages of a registration are   *)
(* released when it ends and not while it lives.                           *)
(*                                                                         *)
(* TO WHOM. The process that owns the objects, and the system that counts  *)
(* its pinned pages. One instance watches a host: slice (host).            *)
(*                                                                         *)
(* SOURCES. S10, D1, D3 (pages released before the key was revoked), D5 (a *)
(* deregistration that failed and reported success), E14 (teardown order), *)
(* L19, L26.                                                               *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. A domain freed under a region; a page released     *)
(* twice or too early. Mutants DestroysDomainInUse, DoubleUnpin.           *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. A registration deregistered twice is              *)
(* NoAccessAfterReturn's, a region that goes under a window WindowRules'.  *)
(* On-demand pages come and go. Pages that stay pinned after the end are   *)
(* waste and no offence (D6).                                              *)
(***************************************************************************)
\* untouched : nothing was torn down yet       touched : something was
States == {"untouched", "touched"}

Start == {"untouched"}

Step(s, e) ==
    CASE e.name \in {"reg", "mw.alloc", "qp.create"} ->
             IF ~e.pdGone                           \* S10: not in a domain that is gone
             THEN {s} ELSE {}
      [] e.name = "pd.dealloc" ->
             IF /\ e.succeeded => ~e.inUse         \* S10: what is in it goes first
                /\ e.succeeded => ~e.again         \* S10: each teardown once
             THEN {"touched"} ELSE {}
      [] e.name \in {"mw.dealloc.return", "qp.destroy"} ->
             IF e.succeeded => ~e.again             \* S10: each teardown once
             THEN {"touched"} ELSE {}
      [] e.name = "unpin" ->
             IF /\ ~e.early                         \* D3: not while the registration lives
                /\ e.pinned                        \* S10: what was pinned, once
             THEN {"touched"} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
