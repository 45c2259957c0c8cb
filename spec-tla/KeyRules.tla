------------------------------ MODULE KeyRules -------------------------------
(***************************************************************************)
(* What a device must and may decide when it checks a memory key.  Shared  *)
(* by SoundCheck, which sees the device's own verdict, and                 *)
(* SoundCheckOnWire, which sees only the answer on the wire.               *)
(*                                                                         *)
(* A key is in one of these phases:                                        *)
(*   none        : nobody may use it                                       *)
(*   registering : ibv_reg_mr was called and has not returned              *)
(*   binding     : a window's bind was called or posted                    *)
(*   live        : it names a registration or a window                     *)
(*   changing    : ibv_rereg_mr was called; old or new attributes (K20)    *)
(*   ending      : deregistration or invalidation was asked for            *)
(*                                                                         *)
(* `access' is a record with what was computed about the access from the   *)
(* attributes recorded at registration, never from the device's own word:  *)
(*   permitted : key, protection domain, right and range all hold          *)
(*   overruns  : this packet is inside, its message runs past the end      *)
(*   empty     : the message has length 0                                  *)
(***************************************************************************)

Phases == {"none", "registering", "binding", "live", "changing", "ending"}

\* The attributes in force are not known to anybody outside the device.
Unsettled(phase) == phase \in {"registering", "changing"}

\* The conjuncts of "may accept", apart, so that a rejection names the one
\* that failed.
NamesSomething(phase, access) ==            \* C1, K1: the key is somebody's
    \/ access.empty                         \* C4: zero length needs no key
    \/ phase # "none"

IsPermitted(phase, access) ==               \* C1: state, PD, right and range
    \/ access.empty
    \/ Unsettled(phase)
    \/ access.permitted

MayAccept(phase, access) ==
    /\ NamesSomething(phase, access)
    /\ IsPermitted(phase, access)

MayRefuse(phase, access) ==
    \/ access.empty                         \* policy ZeroLenChecksKey
    \/ phase # "live"                       \* between a call and its return: either
    \/ ~access.permitted
    \/ access.overruns                      \* C6 refuses at First, C9 at the straddling packet

(***************************************************************************)
(* How registration events move a key from phase to phase.  `e.current'    *)
(* says that the event concerns the newest holder of the key: a key may be *)
(* handed out again before the old holder's deregistration has returned    *)
(* (K5), and that return must not end the new holder.  `e.ends' says that  *)
(* a bind or a re-registration takes this key away, giving another in its  *)
(* place or none.  A deregistration also concerns the windows of its       *)
(* region.                                                                 *)
(***************************************************************************)
KeyEvents == {"reg.call", "reg", "rereg.call", "rereg.return", "bind.call", "bind.return",
              "dereg.call", "dereg.return", "inv.call", "inv.return",
              "mw.dealloc.call", "mw.dealloc.return"}

NextPhase(phase, e) ==
    CASE e.name = "reg.call"   -> IF phase = "live" THEN "changing" ELSE "registering"
      [] e.name = "reg"        -> "live"
      [] e.name = "bind.call"  ->
             CASE e.ends         -> IF phase = "none" THEN "none" ELSE "ending"
               [] phase = "live" -> "changing"
               [] OTHER          -> "binding"
      [] e.name = "rereg.call" -> "changing"
      [] e.name = "rereg.return" ->
             CASE ~e.succeeded -> phase                       \* K20: unusable, or as before
               [] e.ends       -> "none"
               [] OTHER        -> "live"
      [] e.name = "bind.return" ->
             CASE e.succeeded /\ e.ends        -> "none"
               [] e.succeeded                 -> "live"
               [] phase = "binding"           -> "none"
               [] phase = "ending"            -> "live"
               [] OTHER                       -> phase
      [] e.name \in {"dereg.call", "inv.call", "mw.dealloc.call"} ->
             IF e.current /\ phase # "none" THEN "ending" ELSE phase
      [] e.name \in {"dereg.return", "inv.return", "mw.dealloc.return"} ->
             CASE ~e.current                  -> phase        \* K5
               [] e.succeeded                 -> "none"
               [] phase = "ending" /\ e.name = "dereg.return" /\ e.busy ->
                      "ending"                                \* D4: some devices keep the key dead
               [] phase = "ending"            -> "live"       \* an error changes nothing
               [] OTHER                       -> phase

=============================================================================
