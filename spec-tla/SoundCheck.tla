------------------------------ MODULE SoundCheck -----------------------------
(***************************************************************************)
(* PROMISE.  The device accepts an access exactly if the key is somebody's *)
(* and not being taken away, and the queue pair's protection domain, the   *)
(* right and the range all fit what was registered.  What it then does to  *)
(* memory lies inside that registration.                                   *)
(*                                                                         *)
(* TO WHOM.  Accepting too much betrays the owner of the memory; refusing  *)
(* too much betrays its authorised user, whose connection dies of it.  One *)
(* instance watches one key: slice (host, key), keys nobody issued         *)
(* included.                                                               *)
(*                                                                         *)
(* SOURCES.  C1 (what is verified), C3 (the range is checked per packet,   *)
(* for a READ on its whole length), C4 (zero length needs no key), C6 and  *)
(* C9 (an in-range packet of a message that overruns: refused by rxe,      *)
(* written by ConnectX), C14 (PD and right), C17 (no wrap), K20 (rereg     *)
(* keeps the key), W1 and W2 (windows), D9 and D17 (invalidation).         *)
(*                                                                         *)
(* WHAT WOULD BREAK IT.  Range checks that are off by one or wrap, a check *)
(* that skips the PD or the right, a table that keeps or loses a key, a    *)
(* check and an access that use different registrations, an access that    *)
(* goes elsewhere than its check looked, or has none.  Mutants             *)
(* RangeOffByOne, RangeWraps, SkipsPd, SkipsRight, KeyOutlivesDereg,       *)
(* ForgetsKey, DmaElsewhere, DmaTooLong.                                   *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY.  Between a call and its return (register, bind,   *)
(* deregister, invalidate) both verdicts are right; after a failed rereg   *)
(* too.  The queue pair's own rights are not the key's (C11).  Which       *)
(* status a refusal is reported with: UmbrellaStatus.  Whether a later     *)
(* holder of the same key was meant: NoAba.  A mixture of old and new      *)
(* attributes: ReregAtomic.                                                *)
(***************************************************************************)
EXTENDS KeyRules

States == Phases

Start == {"none"}

Step(s, e) ==
    CASE e.name \in KeyEvents -> {NextPhase(s, e)}
      [] e.name = "check" ->
             IF /\ e.accepted => NamesSomething(s, e)    \* C1, C4
                /\ e.accepted => IsPermitted(s, e)       \* C1, C3, C14, C17
                /\ ~e.accepted => MayRefuse(s, e)        \* a live key, rightly used, works
             THEN {s} ELSE {}
      [] e.name \in {"dma.read", "dma.write"} ->
             IF /\ e.ownKey                              \* check and access use one registration
                /\ e.checked                             \* an accepted check covers the access
                /\ e.permitted \/ Unsettled(s)           \* Bounds, Rights, PDIsolation
             THEN {s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

=============================================================================
