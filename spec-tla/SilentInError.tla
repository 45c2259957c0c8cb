----------------------------- MODULE SilentInError ---------------------------
(***************************************************************************)
(* PROMISE.  A queue pair in ERROR is deaf: requests that arrive after the *)
(* transition are neither checked, nor executed, nor answered, until it is *)
(* reset.                                                                  *)
(*                                                                         *)
(* TO WHOM.  The owner of the memory: after a refusal nothing more of that *)
(* sender lands.  One instance watches one queue pair: slice (host, qp).   *)
(*                                                                         *)
(* SOURCES.  E13 (requests are taken only in RTR, RTS, SQD, SQE; else      *)
(* silent drop), E5 (a fatal NAK leads to ERR).                            *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  Going on after the NAK with the rest of the       *)
(* message; executing before looking at the queue pair's state.  Mutants   *)
(* ServesInError, AnswersInError.                                          *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  What was received before the transition may      *)
(* still be executed and answered, and packets already queued may leave;   *)
(* so only events at or after the PSN of the first request that arrived    *)
(* too late are judged, and a second copy of the fatal NAK is not.         *)
(***************************************************************************)

\* up    : serves
\* error : a fatal NAK was sent or the state was set to ERR
States == {"up", "error"}

Start == {"up"}

Fatal == {"access", "invalid", "operational"}

Step(s, e) ==
    CASE e.name = "nak" ->
             IF s = "error" => ~e.late \/ e.repeated      \* E13: silent
             THEN {IF e.answer \in Fatal THEN "error" ELSE s} ELSE {}
      [] e.name \in {"ack", "tx"} ->
             IF s = "error" => ~e.late                    \* E13: silent
             THEN {s} ELSE {}
      [] e.name = "check" ->
             IF s = "error" /\ e.accepted => ~e.late      \* E13: no key of a late request is accepted
             THEN {s} ELSE {}
      [] e.name \in {"dma.read", "dma.write"} ->
             IF s = "error" => ~e.late                    \* E13: a late request touches no memory
             THEN {s} ELSE {}
      [] e.name = "qp.state" ->
             {CASE e.toErr   -> "error"
                [] e.toReset -> "up"
                [] OTHER     -> s}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

=============================================================================
