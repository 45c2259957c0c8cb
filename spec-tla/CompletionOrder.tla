--------------------------- MODULE CompletionOrder ----------------------------
(***************************************************************************)
(* PROMISE. Within a work queue completions come in the order of posting.  *)
(* The first error is the failed request's own; after it only flushes. A   *)
(* flush without a first error says that the queue pair was moved to ERROR *)
(* for another reason.                                                     *)
(*                                                                         *)
(* TO WHOM. The application: a completion tells it that all earlier        *)
(* requests of that queue are over. One instance watches the two work      *)
(* queues of one queue pair: slice (host, qp).                             *)
(*                                                                         *)
(* SOURCES. E12 (flush), E20 (in order), L69, L132, S6. Shared receive     *)
(* queues have no order.                                                   *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. A completion left out or overtaken; success after  *)
(* an error; a failed request flushed instead of failed. Mutants           *)
(* CompletesOutOfOrder, LosesCompletion, SuccessAfterError.                *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. Between two queues there is no order. Unsignaled  *)
(* successes are silent, so a later completion may jump over them. That a  *)
(* flush needs some error: CompletionMatchesAnswer.                        *)
(***************************************************************************)
\* Of each of the two queues: ok, or failed once a completion was an error.
States == [send : {"ok", "failed"}, receive : {"ok", "failed"}]

Start == {[send |-> "ok", receive |-> "ok"]}

HasFailed(s, queue) ==
    CASE queue = "send"    -> s.send = "failed"
      [] queue = "receive" -> s.receive = "failed"
      [] OTHER             -> FALSE

After(s, e) ==
    CASE e.status = "success" -> s
      [] e.queue = "send"     -> [s EXCEPT !.send = "failed"]
      [] e.queue = "receive"  -> [s EXCEPT !.receive = "failed"]
      [] OTHER                -> s

Step(s, e) ==
    CASE e.name = "wc" ->
             IF /\ e.queue # "shared" => e.first \/ (~HasFailed(s, e.queue) /\ e.silentBefore)   \* E20
                /\ HasFailed(s, e.queue) => e.status = "flush"                                  \* E12
                /\ e.queue = "send" /\ e.status = "flush" /\ ~HasFailed(s, e.queue) => ~e.owed  \* L132
             THEN {After(s, e)} ELSE {}
      [] e.name = "qp.state" -> IF e.toReset THEN Start ELSE {s}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
