--------------------------- MODULE RejectHasNoEffect -------------------------
(***************************************************************************)
(* PROMISE.  A refused packet changes no memory.  What a refused WRITE     *)
(* message leaves behind is a prefix of whole packets: those that were     *)
(* accepted before the refusal, and nothing after it.                      *)
(*                                                                         *)
(* TO WHOM.  The owner of the memory.  One instance watches one WRITE      *)
(* message, named by the PSN of its first packet: slice (host, qp,         *)
(* message).                                                               *)
(*                                                                         *)
(* SOURCES.  C1 (the packet is discarded), C9 (ConnectX writes the packets *)
(* before the refused one and does not roll back), C6 (rxe refuses an      *)
(* overrunning message at its first packet), E17, L30, L87.                *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  Writing first and checking afterwards; going on   *)
(* with the next packet.  Mutant WritesRefused.                            *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  That a refused message leaves nothing: a prefix  *)
(* is allowed, and remarked, since it surprises most readers.  The remark  *)
(* rests on acknowledgements: a NAK acknowledges all packets before it.    *)
(***************************************************************************)

\* none    : no packet of the message yet, or the message is over
\* sending : packets have arrived
\* partly  : a prefix was acknowledged
\* refused : refused at its first packet: nothing was written
\* prefix  : refused after a prefix of whole packets was written
States == {"none", "sending", "partly", "refused", "prefix"}

Start == {"none"}

Fatal == {"access", "invalid", "operational"}

Acknowledged(s, reach) ==
    CASE s \notin {"sending", "partly"} -> s
      [] reach = "all"                  -> "none"
      [] reach = "some"                 -> "partly"
      [] OTHER                          -> s

Step(s, e) ==
    CASE e.name = "rx" -> {IF s = "none" THEN "sending" ELSE s}
      [] e.name \in {"ack", "tx"} -> {Acknowledged(s, e.reach)}
      [] e.name = "nak" ->
             {CASE s \notin {"sending", "partly"}              -> s
                [] e.answer = "access" /\ e.inside             ->
                       IF s = "partly" \/ e.reach = "some" THEN "prefix" ELSE "refused"
                [] e.answer \in Fatal /\ e.reach # "all"       -> "none"   \* ended by something else
                [] OTHER                                       -> Acknowledged(s, e.reach)}
      [] e.name = "dma.write" ->
             IF ~e.afterRefusal          \* C1: discarded; C9: nothing after the refused packet
             THEN {s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == IF s = "prefix" THEN "a prefix of whole packets was written and stays" ELSE ""

=============================================================================
