------------------------- MODULE ExactlyOneCompletion -------------------------
(***************************************************************************)
(* PROMISE. A work request completes at most once, and never after its     *)
(* queue pair was destroyed. The success of an unsignaled request is       *)
(* silent, its failure never. Receives from a shared queue complete once   *)
(* as well, in any order.                                                  *)
(*                                                                         *)
(* TO WHOM. The application, which frees or reuses a buffer on the         *)
(* strength of a completion. One instance watches one queue pair: slice    *)
(* (host, qp).                                                             *)
(*                                                                         *)
(* SOURCES. E12 (all work requests posted or outstanding in ERROR          *)
(* complete), L132, L134 (receives of a shared queue are not flushed by    *)
(* one queue pair), L140, S6, R-78.                                        *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. A completion written twice, or for nothing.        *)
(* Mutants CompletesTwice, CompletesUnsignaled.                            *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. A completion that never comes shows as a debt     *)
(* when the recording ends; a later one of the same queue makes it an      *)
(* offence, of CompletionOrder. A reset discards what is outstanding; what *)
(* had completed before may still be polled.                               *)
(***************************************************************************)
\* idle : no signaled send is outstanding       owing : one is
States == {"idle", "owing"}

Start == {"idle"}

Step(s, e) ==
    CASE e.name = "post" -> {IF e.owes THEN "owing" ELSE s}
      [] e.name = "wc" ->
             IF /\ e.outstanding                                 \* S6: posted, and not completed yet
                /\ e.status = "success" => ~e.unsignaled         \* S6: errors only
             THEN {IF e.settled THEN "idle" ELSE s} ELSE {}
      [] e.name = "qp.state" -> {IF e.toReset THEN "idle" ELSE s}
      [] e.name = "qp.destroy" -> {IF e.succeeded THEN "idle" ELSE s}
      [] OTHER -> {s}

Hidden(s) == {}

\* A completion that is still to come.
Open(s) == s = "owing"

Remark(s) == ""

===============================================================================
