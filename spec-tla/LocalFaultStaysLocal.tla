------------------------- MODULE LocalFaultStaysLocal -------------------------
(***************************************************************************)
(* PROMISE. A fault of a local key is the business of the side it happens  *)
(* on. A bad local key at the requester does not by itself move the peer's *)
(* queue pair; a bad local key in a posted receive is the responder's own  *)
(* fault and is reported as remote operational error, code 3, never as an  *)
(* access error.                                                           *)
(*                                                                         *)
(* TO WHOM. The peer, who did nothing wrong. One instance watches one      *)
(* queue pair: slice (host, qp).                                           *)
(*                                                                         *)
(* SOURCES. E11 (local protection error: class B, no retry), E10 (bad      *)
(* receive: NAK code 3, class A), C19 and L97 (packets that had left       *)
(* already leave the peer with an unfinished message and nothing else),    *)
(* L96, L100.                                                              *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. A device that tears down the connection at both    *)
(* ends for a local fault; one that reports its own bad receive as the     *)
(* sender's access error. Mutant PeerErrorOnLocalFault.                    *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. That the peer stays up: its own retries may run   *)
(* out, its application may close it. A move to ERR is judged only where   *)
(* it was recorded that the device made it.                                *)
(***************************************************************************)
\* calm : no fault was answered yet      refused : a receive's fault was answered
States == {"calm", "refused"}

Start == {"calm"}

Fatal == {"access", "invalid", "operational", "other"}

Step(s, e) ==
    CASE e.name = "nak" ->
             IF e.localFault /\ e.answer \in Fatal =>
                    e.answer = "operational"                 \* E10: its own fault
             THEN {IF e.localFault THEN "refused" ELSE s} ELSE {}
      [] e.name = "qp.state" ->
             IF e.toErr /\ e.byDevice /\ e.peerFault =>
                    e.ownCause                               \* E11, L96: not by itself
             THEN {s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
