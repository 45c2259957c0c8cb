------------------------- MODULE NakOnlyAtExpectedPsn ------------------------
(***************************************************************************)
(* PROMISE.  A NAK names the PSN that the responder expects next: the      *)
(* first request it has received and not yet answered, or, for a PSN       *)
(* sequence error, the first that is missing.                              *)
(*                                                                         *)
(* TO WHOM.  The requester: a NAK acknowledges everything before its PSN,  *)
(* so a wrong PSN acknowledges what was not done or refuses what was done. *)
(* One instance watches one queue pair: slice (host, qp).                  *)
(*                                                                         *)
(* SOURCES.  E4 (only in response to PSN = ePSN; duplicates are answered,  *)
(* not refused), C2 (the PSN gate comes first), E3 (a READ refused in      *)
(* mid-response: the NAK takes the PSN of the response it replaces), L70   *)
(* (a bad key out of order gives code 0 only).                             *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  Checking a key before the PSN gate; refusing a    *)
(* duplicate.  Mutants NaksOutOfOrder, NaksWrongGap, RefusesDuplicate.     *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  A duplicate READ whose key has died meanwhile    *)
(* may be refused at its own PSN by devices that check replays (R3): that  *)
(* is remarked, not forbidden.  Which NAK it is: UmbrellaStatus.           *)
(***************************************************************************)

\* unrefused      : no NAK yet
\* refused        : at least one NAK, each where it belongs
\* replayRefused  : a READ that had been answered was sent again and refused
States == {"unrefused", "refused", "replayRefused"}

Start == {"unrefused"}

Fatal == {"access", "invalid", "operational", "other"}

Step(s, e) ==
    CASE e.name = "nak" ->
             IF /\ e.answer \in {"sequence", "rnr"} => e.atExpected   \* E4
                /\ e.answer \in Fatal => \/ e.atExpected              \* E4
                                         \/ e.insideRead              \* E3
                                         \/ e.atReplay                \* R3
             THEN {IF e.atExpected \/ e.insideRead
                   THEN (IF s = "unrefused" THEN "refused" ELSE s)
                   ELSE "replayRefused"}
             ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == IF s = "replayRefused"
             THEN "a READ that had been answered was sent again and refused at its own PSN"
             ELSE ""

=============================================================================
