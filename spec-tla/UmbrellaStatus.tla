---------------------------- MODULE UmbrellaStatus ---------------------------
(***************************************************************************)
(* PROMISE.  A refused key is reported as one status, remote access error, *)
(* whatever the cause: no such key, wrong tag, freed, wrong protection     *)
(* domain, missing right of the region, out of range.  Seen from the wire: *)
(* NAK code 1 (invalid request) is sent only where something other than    *)
(* the key is wrong with the request, NAK code 2 only where the request    *)
(* names a key, and reserved codes never.                                  *)
(*                                                                         *)
(* TO WHOM.  The owner of the memory: the status tells a guesser nothing.  *)
(* The requester: the status does not depend on the order of checks.  One  *)
(* instance watches one queue pair: slice (host, qp).                      *)
(*                                                                         *)
(* SOURCES.  C14 (one Remote Access Error), E1 (the codes), C2 and C11     *)
(* (what gives NAK code 1: opcode sequence, queue pair rights, alignment,  *)
(* length, too many READs), C5 (a SEND names no key), C12 (RNR may come    *)
(* first), E10 (NAK code 3 is the responder's own fault).                  *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  A device that reports a missing right of the      *)
(* region or a bad range as invalid request, or a receive buffer that is   *)
(* too short as a remote access error.  Mutants ReportsCause,              *)
(* ReservedCode.                                                           *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  iWARP has one code a cause (C15): out of scope.  *)
(* That a written prefix or a counter may tell the cause (C9, C10).        *)
(* Whether refusing was right: SoundCheck.                                 *)
(***************************************************************************)

\* unrefused : no NAK yet         refused : at least one NAK was judged
States == {"unrefused", "refused"}

Start == {"unrefused"}

Step(s, e) ==
    CASE e.name = "nak" ->
             IF /\ e.answer # "other"                                \* E1: reserved codes
                /\ e.answer = "invalid" => e.invalidRequestPossible  \* C14 against C2, C11
                /\ e.answer = "access"  => e.accessErrorPossible     \* C14: only of a key
             THEN {"refused"} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

=============================================================================
