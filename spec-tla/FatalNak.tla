------------------------------- MODULE FatalNak ------------------------------
(***************************************************************************)
(* PROMISE.  A NAK with code 1, 2 or 3 ends the connection.  The responder *)
(* that sent it acknowledges nothing at or after its PSN, sends no other   *)
(* fatal NAK, and serves again only after a reset.  The requester that     *)
(* received it sends no further request.                                   *)
(*                                                                         *)
(* TO WHOM.  Both ends: a refused request is never quietly retried into    *)
(* success.  One instance watches one queue pair in both of its roles:     *)
(* slice (host, qp).                                                       *)
(*                                                                         *)
(* SOURCES.  E2 (only codes 0 and RNR may be retried), E5 (the responder   *)
(* goes from RTS to ERR), E7 (NAK first, then ERR, or the other order),    *)
(* L68 (a lost NAK makes retransmission legal).                            *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  Treating a remote access error like a sequence    *)
(* error.  Mutants GoesOnAfterNak, SecondFatalNak, RevivesQueuePair,       *)
(* RetriesAfterFatalNak.                                                   *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  A capture may hold the same NAK twice: there a   *)
(* second copy is no offence; in a device's own recording it is.           *)
(* Requests that were on their way when the NAK was sent arrive later and  *)
(* are nobody's fault.  UC has no NAKs (E8).                               *)
(***************************************************************************)

\* responder : up, or refused once it has sent a fatal NAK
\* requester : up, or told once a fatal NAK has reached it
States == [responder : {"up", "refused"}, requester : {"up", "told"}]

Up == [responder |-> "up", requester |-> "up"]

Start == {Up}

Fatal == {"access", "invalid", "operational"}

Step(s, e) ==
    CASE e.name = "nak" ->
             IF s.responder = "refused" /\ e.answer \in Fatal
                    => e.repeated                             \* E5: the first one was the last
             THEN {IF e.answer \in Fatal THEN [s EXCEPT !.responder = "refused"] ELSE s}
             ELSE {}
      [] e.name = "ack" ->
             IF s.responder = "refused" => ~e.beyondFatal     \* E2, E5: never acknowledged
             THEN {s} ELSE {}
      [] e.name = "rx" ->
             {IF e.fatalNakArrived THEN [s EXCEPT !.requester = "told"] ELSE s}
      [] e.name = "tx" ->
             IF /\ s.responder = "refused" => ~e.beyondFatal  \* E2, E5: never answered
                /\ s.requester = "told" => ~e.isRequest       \* E2: not retried, nothing new
             THEN {s} ELSE {}
      [] e.name = "qp.state" ->
             IF s # Up => ~e.toReady                         \* E5: only RESET leads out of ERR
             THEN {IF e.toReset THEN Up ELSE s}
             ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

=============================================================================
