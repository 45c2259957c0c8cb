------------------------------- MODULE PsnOrder ------------------------------
(***************************************************************************)
(* PROMISE.  A responder acknowledges only what it has received, and       *)
(* answers a READ with response packets in PSN order.                      *)
(*                                                                         *)
(* TO WHOM.  The requester: an acknowledgement of PSN p says that all up   *)
(* to p arrived.  One instance watches one queue pair: slice (host, qp).   *)
(*                                                                         *)
(* SOURCES.  C2 (the PSN gate), E4 (nothing new is taken while one is      *)
(* missing), E3 (a response stands at its own PSN), R2 (a READ may be      *)
(* answered again after a duplicate request).                              *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  Acknowledging past a gap; leaving out a response. *)
(* Mutants AcksPastGap, SkipsResponse.                                     *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  Acknowledgements may be coalesced, repeated and  *)
(* out of order among themselves.  A capture that may have missed frames   *)
(* cannot tell what was received: undecided there.                         *)
(***************************************************************************)

\* unanswered : nothing answered yet      answered : at least one answer was judged
States == {"unanswered", "answered"}

Start == {"unanswered"}

Step(s, e) ==
    CASE e.name = "ack" ->
             IF e.received                \* C2, E4: all up to this PSN has arrived
             THEN {"answered"} ELSE {}
      [] e.name = "tx" ->
             IF ~e.isRequest => e.inOrder \* E3, R2: the next response of its READ, or a repetition
             THEN {IF e.isRequest THEN s ELSE "answered"} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

=============================================================================
