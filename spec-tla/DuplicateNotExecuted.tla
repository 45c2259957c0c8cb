------------------------- MODULE DuplicateNotExecuted ------------------------
(***************************************************************************)
(* PROMISE.  A WRITE or an atomic operation that comes again after it was  *)
(* answered is answered again and not executed again: a WRITE changes no   *)
(* memory, an atomic operation returns the value it returned before.       *)
(*                                                                         *)
(* TO WHOM.  The owner of the memory, who may have put something else      *)
(* there; the requester, whose counter must not be added to twice.  One    *)
(* instance watches one queue pair: slice (host, qp).                      *)
(*                                                                         *)
(* SOURCES.  R1 (a duplicate WRITE is acknowledged again, never executed,  *)
(* no key check), R2 and R5 (a duplicate atomic returns the saved result), *)
(* L63, L65, L66.                                                          *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  Executing before looking at the PSN; a replay     *)
(* store that recomputes.  Mutants ExecutesDuplicate, RecomputesAtomic.    *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  Whether a duplicate is answered at all (R5: it   *)
(* may be dropped).  A duplicate READ is executed again by design (R3).    *)
(***************************************************************************)

\* fresh    : no duplicate has arrived yet
\* replayed : at least one request came again after it was answered
States == {"fresh", "replayed"}

Start == {"fresh"}

Step(s, e) ==
    CASE e.name = "rx" ->
             {IF e.isRequest /\ ~e.fresh THEN "replayed" ELSE s}
      [] e.name = "dma.write" ->
             IF ~e.duplicate           \* R1: not written again
             THEN {s} ELSE {}
      [] e.name = "tx" ->
             IF e.sameOriginal         \* R2, R5: the saved result
             THEN {s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

=============================================================================
