--------------------------- MODULE SuccessMeansDone ---------------------------
(***************************************************************************)
(* PROMISE. On a reliable connection, a request that completes with        *)
(* success was executed: every byte that it named was written or read at   *)
(* the responder, each time while a registration allowed it.               *)
(*                                                                         *)
(* TO WHOM. The application that posted the request. One instance watches  *)
(* one queue pair of the requester: slice (host, qp).                      *)
(*                                                                         *)
(* SOURCES. E20 (the completion is written on receipt of the response), W5 *)
(* (it guarantees that the data is visible), C1 (a violation is not        *)
(* acknowledged), L76, L135, S4, S5.                                       *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. An acknowledgement for what was dropped or lies in *)
(* a queue; a write that went elsewhere. Mutant AcksBeforeDma.             *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. Nothing of failed requests, of UC, of SENDs       *)
(* (their buffers are the receiver's), and of requests whose responder was *)
(* not recorded. That the data is right.                                   *)
(***************************************************************************)
\* untold : no completion was judged yet       done : at least one success was
States == {"untold", "done"}

Start == {"untold"}

Step(s, e) ==
    CASE e.name = "wc" ->
             IF e.done # "no"                        \* E20, W5: all of it was accessed
             THEN {IF e.done = "yes" THEN "done" ELSE s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
