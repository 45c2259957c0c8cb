-------------------------- MODULE InvalidateIsExact ---------------------------
(***************************************************************************)
(* PROMISE. An invalidation hits exactly the key that was named by a work  *)
(* request of this queue pair or by a SEND with Invalidate that reached    *)
(* it, and only where it may: in the queue pair's own protection domain, a *)
(* fast registration or a type 2 window of this very queue pair. The       *)
(* receive's completion names the same key.                                *)
(*                                                                         *)
(* TO WHOM. Everybody else who holds keys on this device; the consumer,    *)
(* who trusts the completion. One instance watches one queue pair: slice   *)
(* (host, qp).                                                             *)
(*                                                                         *)
(* SOURCES. D17 (siw compares the domain only, rxe the key only), D18      *)
(* (consumers verify the key reported), E9 (class J: refused without NAK), *)
(* W1, L114, L117, L124, L129, S8.                                         *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. An invalidation that ignores the tag, the domain   *)
(* or the kind of registration; a replayed one. Mutants                    *)
(* InvalidatesAnother, SkipsDomainOnInvalidate.                            *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. That a key of another client in the same domain   *)
(* is safe: it is not (L115). A key that is invalid already may be         *)
(* invalidated again. That nothing else became invalid: SoundCheck would   *)
(* refuse to refuse it. Invalidations by a verb name no queue pair.        *)
(***************************************************************************)
\* unasked : nothing was invalidated yet       done : at least one key was
States == {"unasked", "done"}

Start == {"unasked"}

Step(s, e) ==
    CASE e.name = "inv.return" ->
             IF /\ e.succeeded => e.named           \* S8: that key was named, and once
                /\ e.succeeded => e.authorised      \* D17, W1: domain, kind, owner
             THEN {IF e.succeeded THEN "done" ELSE s} ELSE {}
      [] e.name = "wc" ->
             IF e.named                             \* D18: the completion names the same key
             THEN {s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
