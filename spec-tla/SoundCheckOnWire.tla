--------------------------- MODULE SoundCheckOnWire --------------------------
(***************************************************************************)
(* PROMISE.  SoundCheck, seen from the wire: where the device's own check  *)
(* was not recorded, its verdict is a hidden step between the arrival of a *)
(* request packet and the answer to it.  An acknowledged packet must have  *)
(* been acceptable at some moment in between, a packet refused with a      *)
(* remote access error must have been refusable.                           *)
(*                                                                         *)
(* TO WHOM.  As SoundCheck.  One instance watches one request packet under *)
(* the key it uses: slice (host, qp, psn, key).  A new instance first      *)
(* replays the history of its key.                                         *)
(*                                                                         *)
(* SOURCES.  Those of SoundCheck, and C5 (Middle and Last packets carry no *)
(* key: they use their message's), R6 (a READ may be checked again before  *)
(* each response packet), E3 (a NAK stands in the place of a READ          *)
(* response), E4 and E13 (what is silently dropped), R1 (a duplicate is    *)
(* acknowledged without a check), E15 (the NAK may come late).             *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  An acknowledged WRITE to a key whose              *)
(* deregistration had returned before the WRITE arrived; a remote access   *)
(* error for a live key, rightly used; READ data from beyond the end.      *)
(* Mutants AcceptsDeadKey, RefusesGoodKey.                                 *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  An ACK or a response that leaves late, after the *)
(* deregistration has returned, is right if the request arrived before     *)
(* (its check may have been made in time).  Packets that the capture shows *)
(* but the device may have dropped (bad ICRC, out of order, queue pair in  *)
(* error) are never judged.  A request that nobody answers stays open.     *)
(***************************************************************************)
EXTENDS KeyRules

\* phase     : of the key, see KeyRules
\* packet    : absent; arrived and not yet checked; accepted; refused
\* permitted, overruns : of this packet under the key's present holder
\* empty, read         : of this packet: length 0; a READ request
States == [phase     : Phases,
           packet    : {"absent", "arrived", "accepted", "refused"},
           permitted : BOOLEAN,
           overruns  : BOOLEAN,
           empty     : BOOLEAN,
           read      : BOOLEAN]

\* Nothing known, nothing owed.  An instance that is done returns here and is
\* dropped; if the packet comes again, a new instance replays the key.
Done == [phase |-> "none", packet |-> "absent", permitted |-> FALSE,
         overruns |-> FALSE, empty |-> FALSE, read |-> FALSE]

Start == {Done}

\* "absent" is an instance whose packet the device may have dropped: not judged.
WasAccepted(s) == s.packet \in {"accepted", "absent"}
WasRefused(s)  == s.packet \in {"refused", "absent"}

BringsAttributes(e) ==
    \/ e.name = "reg"
    \/ e.name = "bind.call" /\ ~e.ends
    \/ e.name = "rereg.return" /\ e.succeeded

Step(s, e) ==
    CASE e.name \in KeyEvents ->
             LET t == [s EXCEPT !.phase = NextPhase(s.phase, e)]
             IN {IF BringsAttributes(e)
                 THEN [t EXCEPT !.permitted = e.permitted, !.overruns = e.overruns]
                 ELSE t}
      [] e.name = "rx" ->
             IF ~e.fresh \/ e.late                       \* R1: re-acknowledged; E13: ignored
             THEN {IF s.packet = "absent" THEN Done ELSE s}
             ELSE {[s EXCEPT !.packet = "arrived", !.empty = e.empty, !.read = e.read]}
                  \cup (IF e.damaged \/ s.packet # "absent" THEN {s} ELSE {})
      [] e.name = "ack" ->
             IF e.covers => WasAccepted(s)               \* C1: no acknowledgement of a violation
             THEN {IF e.covers THEN Done ELSE s} ELSE {}
      [] e.name = "tx" ->
             IF /\ e.covers => WasAccepted(s)            \* a response acknowledges all before it
                /\ e.answers => WasAccepted(s)           \* E3: no data of a refused READ
             THEN {IF e.covers \/ e.completes THEN Done ELSE s} ELSE {}
      [] e.name = "nak" ->
             IF /\ e.covers => WasAccepted(s)            \* a NAK acknowledges all before it
                /\ e.exact /\ e.answer = "access" => WasRefused(s)   \* C1, C14
             THEN {Done} ELSE {}                         \* E2, E4: later ones are sent again or never
      [] e.name = "qp.state" ->
             {IF e.toReset THEN Done ELSE s}             \* a reset discards what is unanswered
      [] OTHER -> {s}

\* The check, at any moment between arrival and answer.
Hidden(s) ==
    CASE s.packet = "arrived" ->
             (IF MayAccept(s.phase, s) THEN {[s EXCEPT !.packet = "accepted"]} ELSE {})
             \cup
             (IF MayRefuse(s.phase, s) THEN {[s EXCEPT !.packet = "refused"]} ELSE {})
      [] s.packet = "accepted" /\ s.read ->              \* R6: checked again per response
             IF MayRefuse(s.phase, s) THEN {[s EXCEPT !.packet = "refused"]} ELSE {}
      [] OTHER -> {}

\* A request without an answer at the end of the recording.
Open(s) == s.packet # "absent"

Remark(s) == ""

=============================================================================
