-------------------------------- MODULE Desk --------------------------------
\* A desk that lends one key: somebody uses it, the owner takes it back.
EXTENDS Integers, FiniteSets, Profiles

CONSTANTS Opened, Watched, Probes, RunProfiles, RunDefects, Narrate, Uses

VARIABLES policy, defect, key, using, uses, broken, reached, event

vars == <<policy, defect, key, using, uses, broken, reached, event>>

NoEvent == [name |-> "none"]

\* The products of the profiles' values for the opened policies, the rest strict.
Products(profile) ==
    {p \in [DOMAIN Strict -> {"Drained", "AtOnce", "First", "Last", "Yes", "No"}] :
        \A name \in DOMAIN Strict :
            p[name] \in IF name \in Opened THEN Profile[profile][name] ELSE {Strict[name]}}

Choices == {[policy |-> p, defect |-> "none"] : p \in UNION {Products(f) : f \in RunProfiles}}
           \cup {[policy |-> Strict, defect |-> d] : d \in RunDefects}

Settings == [opened |-> Opened, watched |-> Watched, probes |-> Probes,
             profiles |-> RunProfiles, defects |-> RunDefects,
             ran |-> {[policy |-> [o \in Opened |-> c.policy[o]], defect |-> c.defect] :
                         c \in Choices}]

Watch(contracts, probes, e) ==
    /\ broken' = broken \cup (contracts \cap Watched)
    /\ reached' = reached \cup (probes \cap Probes)
    /\ event' = IF Narrate THEN e ELSE NoEvent

Init ==
    /\ \E c \in Choices : policy = c.policy /\ defect = c.defect
    /\ key = "lent" /\ using = FALSE /\ uses = 0
    /\ broken = {} /\ reached = {} /\ event = NoEvent

Begin ==
    /\ ~using /\ uses < Uses
    /\ key = "lent" \/ defect = "Copies"
    /\ using' = TRUE
    /\ uses' = uses + 1
    /\ UNCHANGED <<policy, defect, key>>
    /\ Watch(IF key = "lent" THEN {} ELSE {"NoNewUse", "NoUseAfterReturn"}, {},
             [name |-> "begin", actor |-> "guest"])

Finish ==
    /\ using
    /\ using' = FALSE
    /\ UNCHANGED <<policy, defect, key, uses>>
    /\ Watch(IF key = "back" THEN {"NoUseAfterReturn"} ELSE {}, {},
             [name |-> "finish", actor |-> "guest"])

Ask ==
    /\ key = "lent"
    /\ key' = "asked"
    /\ UNCHANGED <<policy, defect, using, uses>>
    /\ Watch({}, IF using THEN {"AskedWhileUsing"} ELSE {}, [name |-> "ask", actor |-> "owner"])

TakeBack ==
    /\ key = "asked"
    /\ ~using \/ policy.Return = "AtOnce" \/ defect = "Snatches"
    /\ defect # "Keeps"
    /\ key' = "back"
    /\ UNCHANGED <<policy, defect, using, uses>>
    /\ Watch(IF defect = "Snatches" THEN {"NoUseAfterReturn"} ELSE {}, {},
             [name |-> "take", actor |-> "owner"])

Next == Begin \/ Finish \/ Ask \/ TakeBack

Spec == Init /\ [][Next]_vars

Fair == Spec /\ WF_vars(Ask) /\ WF_vars(TakeBack) /\ WF_vars(Finish)
LazyFair == Spec /\ WF_vars(Ask) /\ WF_vars(TakeBack)

TypeInv == key \in {"lent", "asked", "back"}

\* What was violated in this state and not told before.
Found == {<<policy, defect, c>> : c \in broken}
         \cup (IF defect = "none" THEN {<<p>> : p \in reached} ELSE {})

NothingNew ==
    LET new == Found \ TLCGet(1) IN new = {} \/ (TLCSet(1, TLCGet(1) \cup new) /\ FALSE)

ASSUME TLCSet(1, {})

Returns == key = "asked" ~> key = "back"
=============================================================================
