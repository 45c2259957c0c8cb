--------------------------------- MODULE Watch --------------------------------
(***************************************************************************)
(* The machine, watched by the contracts.  A model extends this module,    *)
(* says which scenario and which contracts, and is checked for NothingNew. *)
(*                                                                         *)
(* One run tries many devices and defects.  What it finds is a set of      *)
(* findings <<device, defect, contract>>; a device is named by the values  *)
(* of the policies that the model opens.  Each is reported once, with a    *)
(* shortest behaviour.  So is each PROBE, an interesting situation that    *)
(* must be reached or green would mean nothing.                            *)
(***************************************************************************)
EXTENDS Machine, Observer

CONSTANTS
    Probes,         \* names of situations
    Situation(_)    \* whether the situation of that name holds in this state

\* The situations that hold now.
VARIABLE reached

watchVars == <<vars, observerVars, reached>>

WatchedInit ==
    /\ MachineInit
    /\ WatchInit(Prelude)
    /\ reached = {p \in Probes : Situation(p)}

WatchedNext ==
    /\ MachineNext
    /\ Observe
    /\ reached' = {p \in Probes : Situation(p)'}

\* The device, as far as this model is about it.
OpenedOf(p) == [o \in Opened |-> p[o]]

NothingNew ==
    NothingNewOf({<<OpenedOf(policy), defect, c>> : c \in broken}
                 \cup IF defect = "none" THEN {<<"reached", p>> : p \in reached} ELSE {})

\* For the program that runs the models.
Settings ==
    [opened   |-> Opened,
     watched  |-> Watched,
     probes   |-> Probes,
     profiles |-> RunProfiles,
     defects  |-> RunDefects,
     ran      |-> {[policy |-> OpenedOf(c.policy), defect |-> c.defect] : c \in Choices}]

\* All but the last event: no action and no observation looks at the one before,
\* so what may follow is the same, and the behaviours reported are as short.
WatchView == <<vars, ledger, beliefs, broken, reached>>

WatchTypeInv == TypeInv /\ BeliefTypeInv

===============================================================================
