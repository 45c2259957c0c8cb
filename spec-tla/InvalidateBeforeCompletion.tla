---------------------- MODULE InvalidateBeforeCompletion ----------------------
(***************************************************************************)
(* PROMISE. When a completion reports an invalidation, the key is invalid  *)
(* already: the receive of a SEND with Invalidate, and a LOCAL_INV work    *)
(* request.                                                                *)
(*                                                                         *)
(* TO WHOM. The consumer, who reuses the memory on the strength of that    *)
(* completion. One instance watches one queue pair: slice (host, qp).      *)
(*                                                                         *)
(* SOURCES. D15 (NFS/RDMA: fenced before the consumer runs), D14, D18,     *)
(* L111, L112, S8.                                                         *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. A device that completes the receive and            *)
(* invalidates afterwards. Mutant CompletesBeforeInvalidate; policy        *)
(* InvalidateWhen.                                                         *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. Which key: InvalidateIsExact. That it stays       *)
(* invalid: SoundCheck refuses what accepts it, and NoAccessAfterReturn    *)
(* what was under way.                                                     *)
(***************************************************************************)
\* unreported : no completion has reported an invalidation yet    reported : at least one
States == {"unreported", "reported"}

Start == {"unreported"}

Step(s, e) ==
    CASE e.name = "wc" ->
             IF e.reports => e.executed             \* D15, L112: invalid no later than this
             THEN {IF e.reports THEN "reported" ELSE s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
