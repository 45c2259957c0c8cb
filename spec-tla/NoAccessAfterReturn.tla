------------------------- MODULE NoAccessAfterReturn -------------------------
(***************************************************************************)
(* PROMISE.  Once ibv_dereg_mr has returned success, or an invalidation of *)
(* the registration is complete, the device reads and writes nothing under *)
(* that registration any more.  Its owner may give the memory to somebody  *)
(* else.                                                                   *)
(*                                                                         *)
(* TO WHOM.  The process that registered the memory.  One instance of this *)
(* contract watches one registration: slice (host, mr).                    *)
(*                                                                         *)
(* SOURCES.  Fact rows D1 (the buffer may be released after the call), D2  *)
(* (mlx5 calls the revocation a DMA fence), D8 (SMB Direct: remote access  *)
(* is complete and no further access is possible), D9 and D15 (the same    *)
(* for an invalidation), L26 (double deregistration: the second one        *)
(* fails), L111.                                                           *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  A deregistration that returns without waiting for *)
(* accesses that have passed the key check (D5, D6); a key cache that      *)
(* still hits after the return (L45, L46); a second return of one call.    *)
(* Mutants DeregDoesNotDrain, DoubleReturn, ReuseOfNumber.                 *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  Nothing of accesses between the call and its     *)
(* return: either outcome is right.  Nothing of what the access was        *)
(* allowed to do: that is SoundCheck.  A window's end does not end its     *)
(* region: accesses under the window's key are SoundCheck's.  An access    *)
(* that only the wire shows is judged by SoundCheckOnWire.                 *)
(***************************************************************************)

\* unregistered : not yet registered, or deregistered: the device keeps off
\* registering  : ibv_reg_mr was called; the device may know the key already
\* live         : ibv_reg_mr has returned
\* ending       : one ibv_dereg_mr or invalidation is under way
\* contested    : two of them are
States == {"unregistered", "registering", "live", "ending", "contested"}

Start == {"unregistered"}

Step(s, e) ==
    CASE e.name = "reg.call" ->
             IF s = "unregistered"                      \* a registration's number is never reused
             THEN {"registering"} ELSE {}
      [] e.name = "reg" ->
             IF s \in {"unregistered", "registering"}   \* a registration's number is never reused
             THEN {"live"} ELSE {}
      [] e.name \in {"dereg.call", "inv.call"} ->
             {CASE s = "live"                   -> "ending"
                [] s \in {"ending", "contested"} -> "contested"
                [] OTHER                         -> s}
      [] e.name = "dereg.return" ->
             IF e.succeeded => s \in {"ending", "contested"}   \* L26: one success a registration
             THEN {CASE e.succeeded       -> "unregistered"
                     [] s = "ending"      -> "live"            \* busy or error changes nothing
                     [] s = "contested"   -> "ending"
                     [] OTHER             -> s}
             ELSE {}
      [] e.name = "inv.return" ->
             {CASE s = "contested" -> "ending"
                [] e.succeeded     -> "unregistered"
                [] s = "ending"    -> "live"
                [] OTHER           -> s}
      [] e.name \in {"dma.read", "dma.write"} ->
             IF s # "unregistered"              \* D1, D2, D8: no access after the return
             THEN {s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

\* A registration that is still there when the recording ends owes nothing.
Open(s) == FALSE

Remark(s) == ""

=============================================================================
