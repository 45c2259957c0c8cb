----------------------- MODULE CompletionMatchesAnswer -----------------------
(***************************************************************************)
(* PROMISE.  What a work completion reports is what the responder          *)
(* answered: success only if all of the request was acknowledged, a remote *)
(* error only if the NAK of that error came, flushes only after an error.  *)
(*                                                                         *)
(* TO WHOM.  The application that posted the work request.  One instance   *)
(* watches one queue pair of the requester: slice (host, qp).              *)
(*                                                                         *)
(* SOURCES.  E2 (which NAKs complete in error), E12 (flush), E20 (success  *)
(* on receipt of the response), L69 (a NAK acknowledges what is before     *)
(* it), E9 (a receive whose invalidation was refused reports it), L76.     *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  Success for a request that was refused, an error  *)
(* with the wrong name, or an error of the requester's own where the NAK   *)
(* had come.  Mutants CompletesRefused, ReportsWrongStatus, FlushesEarly.  *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  When the completion comes, and whether every     *)
(* request has one: ExactlyOneCompletion.  Where no NAK has come, local    *)
(* errors and exhausted retries are the requester's own; the wire cannot   *)
(* refute them.  A late NAK may cross the last time-out (E15, L43): then   *)
(* exhausted retries are right too, but remarked.  A NAK that comes when   *)
(* the queue pair is in ERR counts for nothing.  Receives, binds and       *)
(* invalidates leave no request on the wire.                               *)
(***************************************************************************)

\* working : no completion yet
\* completed : completions so far were successes
\* failed  : at least one completion was an error
\* crossed : so was it, for exhausted retries, although a NAK had come
States == {"working", "completed", "failed", "crossed"}

Start == {"working"}

\* The NAKs that complete a request in error.
Refused == {"access", "invalid", "operational"}

Step(s, e) ==
    CASE e.name = "wc" ->
             IF /\ e.status = "success"     => e.answered \in {"acked", "local"}   \* E20
                /\ e.status = "access"      => e.answered = "access"               \* E2
                /\ e.status = "invalid"     => e.answered \in {"invalid", "local"} \* E2, E9
                /\ e.status = "operational" => e.answered = "operational"          \* E2, E10
                /\ e.status = "rnr"         => e.answered = "rnr"                  \* E2
                /\ e.status = "flush"       => e.afterError                        \* E12
                /\ e.status = "local"       => e.answered \notin Refused           \* E2
             THEN {CASE s = "crossed" \/ (e.status = "retry" /\ e.answered \in Refused) -> "crossed"
                     [] e.status # "success" \/ s = "failed" -> "failed"
                     [] OTHER -> "completed"}
             ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) ==
    IF s = "crossed"
    THEN "retries were exhausted although a NAK had come: it may have crossed the last time-out (L43)"
    ELSE ""

=============================================================================
