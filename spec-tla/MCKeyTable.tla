------------------------------ MODULE MCKeyTable ------------------------------
(***************************************************************************)
(* KeyTableMachine at small bounds, watched by the contracts               *)
(* NoAccessAfterReturn (one instance a registration) and SoundCheck (one   *)
(* instance a key).                                                        *)
(*                                                                         *)
(* The observer keeps a ledger of the raw events, as the trace checker     *)
(* does, and beside it the belief set of each instance: the contract's     *)
(* states that what was observed allows.  The contract is met as long as   *)
(* no belief set is empty.  It is kept beside the machine and never        *)
(* restrains it, so that a forbidden step is seen and not pruned.          *)
(*                                                                         *)
(* BOUNDS, and why they hide nothing that a defect of this machine needs.  *)
(* Two registrations: one to be stale and one to be hit by mistake.  One   *)
(* index with two tags: the same key again, and the same index with        *)
(* another tag.  One queue pair that may, one of another domain.           *)
(* Five addresses: inside, one past the end, wrapping.                     *)
(***************************************************************************)
EXTENDS KeyTableMachine, Sequences, TLC

\* The ledger of raw events.
VARIABLE ledger

\* lifetimes[mr] is the belief set of NoAccessAfterReturn for that registration.
VARIABLE lifetimes

\* verdicts[key] is the belief set of SoundCheck for that key.
VARIABLE verdicts

Raw      == INSTANCE Derive WITH AddressSpace <- 5, PsnSpace <- 2, LongestMessage <- 5,
                             Skipped <- {}
Lifetime == INSTANCE NoAccessAfterReturn
Verdict  == INSTANCE SoundCheck

observer == <<ledger, lifetimes, verdicts>>

-------------------------------------------------------------------------------
(***************************************************************************)
(* One step of an instance's belief set.  Neither contract has hidden      *)
(* steps, so there is nothing to close it under.                           *)
(***************************************************************************)
StepLifetime(mr, e) ==
    IF "mr" \in DOMAIN e /\ e.mr = mr
    THEN LET d == Raw!Derive(ledger, [host |-> Host, mr |-> mr], e)
         IN UNION {Lifetime!Step(s, d) : s \in lifetimes[mr]}
    ELSE lifetimes[mr]

StepVerdict(key, e) ==
    IF "key" \in DOMAIN e /\ key \in Raw!KeysOf(ledger, e)
    THEN LET d == Raw!Derive(ledger, [host |-> Host, key |-> key], e)
         IN UNION {Verdict!Step(s, d) : s \in verdicts[key]}
    ELSE verdicts[key]

\* Overrides Emit.  What the ledger keeps of earlier checks serves other
\* contracts only; leaving it out keeps the model small.
Observe(e) ==
    /\ Assert(e.name \in Emitted, <<"not declared as emitted", e>>)
    /\ lifetimes' = [mr \in Numbers |-> StepLifetime(mr, e)]
    /\ verdicts'  = [key \in Keys |-> StepVerdict(key, e)]
    /\ ledger'    = IF e.name \in Raw!RegistrationEvents THEN Raw!Record(ledger, e) ELSE ledger

\* Overrides EmitNothing.
ObserveNothing == UNCHANGED observer

\* The queue pairs were created before the story begins.
RECURSIVE Created(_)
Created(qs) ==
    IF qs = {} THEN Raw!EmptyLedger
    ELSE LET q == CHOOSE q \in qs : TRUE
         IN Raw!Record(Created(qs \ {q}),
                       [name |-> "qp.create", host |-> Host, qp |-> q, pd |-> Domain[q],
                        rights |-> {"remote_read", "remote_write"}])

MCInit ==
    /\ Init
    /\ ledger    = Created(QueuePairs)
    /\ lifetimes = [mr \in Numbers |-> Lifetime!Start]
    /\ verdicts  = [key \in Keys |-> Verdict!Start]

Spec == MCInit /\ [][Next]_<<vars, observer>>

-------------------------------------------------------------------------------
\* The contracts.
NoAccessAfterReturnInv == \A mr \in Numbers : lifetimes[mr] # {}
SoundCheckInv          == \A key \in Keys : verdicts[key] # {}

ContractTypeInv ==
    /\ \A mr \in Numbers : lifetimes[mr] \subseteq Lifetime!States
    /\ \A key \in Keys : verdicts[key] \subseteq Verdict!States

-------------------------------------------------------------------------------
(***************************************************************************)
(* Meant to be violated: the counterexample shows that the situation is    *)
(* reached.                                                                *)
(***************************************************************************)

\* An access is under way while its deregistration waits.
DebugInvDrainWaits ==
    \A mr \in Numbers, q \in QueuePairs : ~(registration[mr] = "revoked" /\ underway[q].mr = mr)

\* A key is given out again before its former holder's deregistration returned (K5).
DebugInvKeyReissuedEarly ==
    \A m, n \in Numbers :
        ~(m # n /\ registration[m] = "drained" /\ registration[n] = "live"
          /\ offer[m].key = offer[n].key)

\* A key is given out again after that.
DebugInvKeyReissued ==
    \A m, n \in Numbers :
        ~(m # n /\ registration[m] = "returned" /\ registration[n] = "live"
          /\ offer[m].key = offer[n].key)

-------------------------------------------------------------------------------
\* The bounds.
MCDomain == [q \in QueuePairs |-> IF q = "q1" THEN 1 ELSE 2]

MCAttributes == {
    [pd |-> 1, va |-> 1, len |-> 2, rights |-> {"local_write", "remote_write"}],
    [pd |-> 1, va |-> 0, len |-> 2, rights |-> {"remote_read"}]}

\* Inside at the start, inside at the end, whole, one past the end, below the
\* base, wrapping to below the end, inside with a message that runs past the
\* end, and zero length.
MCAttempts == {[access |-> access, va |-> r[1], len |-> r[2], remaining |-> r[3]] :
                   access \in {"remote_read", "remote_write"},
                   r \in {<<1, 2, 2>>, <<2, 2, 2>>, <<0, 1, 1>>, <<4, 2, 2>>, <<1, 1, 3>>,
                          <<3, 0, 0>>}}

=============================================================================
