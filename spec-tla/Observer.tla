------------------------------- MODULE Observer -------------------------------
(***************************************************************************)
(* Watches a machine: what the trace checker does with a recording, done   *)
(* beside the machine's own state while TLC explores it.                   *)
(*                                                                         *)
(* Every observable action of the machine calls Emit with an event of raw  *)
(* facts; a model's configuration overrides Emit by Tell and EmitNothing   *)
(* by TellNothing.  The observer keeps a LEDGER of what was emitted       *)
(* (Derive) and, for every instance of every watched contract, its BELIEF: *)
(* the set of contract states that the events so far allow.  A contract is *)
(* broken when a belief is empty.  Nothing here restrains the machine, so  *)
(* a forbidden step is seen and not pruned.                                *)
(*                                                                         *)
(* Instances are made as the bindings say: by an event that binds all of   *)
(* the slice.  An instance whose belief is back at the contract's start is *)
(* dropped: it would step as a new one.  A broken contract is watched no   *)
(* longer in that behaviour, and what only it needs of the ledger is not   *)
(* kept, so that states merge.                                             *)
(***************************************************************************)
EXTENDS Bindings, Integers, Sequences, FiniteSets

CONSTANTS
    Watched,        \* the views that are watched, a subset of Views
    AddressCount,   \* how many addresses there are
    PsnCount        \* how many PSNs there are: even

ASSUME Watched \subseteq Views

\* What was emitted, as far as watched contracts need it.
VARIABLE ledger

\* A function from pairs <<view, instance>> to sets of contract states.
VARIABLE beliefs

\* The contracts that were broken in this behaviour.
VARIABLE broken

\* What the last step showed, or NoEvent.  It says nothing about what may follow,
\* so a model leaves it out of its VIEW: states that differ in it alone are one.
VARIABLE event

observerVars == <<ledger, beliefs, broken, event>>

NoEvent == [name |-> "none"]

\* Derived values that no watched contract looks at.
Unasked == UNION {ValuesAsked(v) : v \in Views} \ UNION {ValuesAsked(v) : v \in Watched}

Raw == INSTANCE Derive WITH AddressSpace <- AddressCount, PsnSpace <- PsnCount,
                            LongestMessage <- AddressCount,
                            Skipped <- Unasked

CNoAccessAfterReturn        == INSTANCE NoAccessAfterReturn
CUnpinSafe                  == INSTANCE UnpinSafe
CSoundCheck                 == INSTANCE SoundCheck
CSoundCheckOnWire           == INSTANCE SoundCheckOnWire
CSameRegistrationPerMessage == INSTANCE SameRegistrationPerMessage
CNoAba                      == INSTANCE NoAba
CRejectHasNoEffect          == INSTANCE RejectHasNoEffect
CUmbrellaStatus             == INSTANCE UmbrellaStatus
CNakOnlyAtExpectedPsn       == INSTANCE NakOnlyAtExpectedPsn
CFatalNak                   == INSTANCE FatalNak
CSilentInError              == INSTANCE SilentInError
CPsnOrder                   == INSTANCE PsnOrder
CDuplicateNotExecuted       == INSTANCE DuplicateNotExecuted
CLocalFaultStaysLocal       == INSTANCE LocalFaultStaysLocal
CCompletionMatchesAnswer    == INSTANCE CompletionMatchesAnswer
CExactlyOneCompletion       == INSTANCE ExactlyOneCompletion
CCompletionOrder            == INSTANCE CompletionOrder
CSuccessMeansDone           == INSTANCE SuccessMeansDone
CInvalidateIsExact          == INSTANCE InvalidateIsExact
CInvalidateBeforeCompletion == INSTANCE InvalidateBeforeCompletion
CWindowRules                == INSTANCE WindowRules
CReregAtomic                == INSTANCE ReregAtomic
CLifetimeOrder              == INSTANCE LifetimeOrder

StartOf(view) ==
    CASE view = "NoAccessAfterReturn" -> CNoAccessAfterReturn!Start
      [] view = "UnpinSafe" -> CUnpinSafe!Start
      [] view = "SoundCheck" -> CSoundCheck!Start
      [] view = "SoundCheckOnWire" -> CSoundCheckOnWire!Start
      [] view = "SameRegistrationPerMessage" -> CSameRegistrationPerMessage!Start
      [] view = "NoAba" -> CNoAba!Start
      [] view = "RejectHasNoEffect" -> CRejectHasNoEffect!Start
      [] view = "UmbrellaStatus" -> CUmbrellaStatus!Start
      [] view = "NakOnlyAtExpectedPsn" -> CNakOnlyAtExpectedPsn!Start
      [] view = "FatalNak" -> CFatalNak!Start
      [] view = "SilentInError" -> CSilentInError!Start
      [] view = "PsnOrder" -> CPsnOrder!Start
      [] view = "DuplicateNotExecuted" -> CDuplicateNotExecuted!Start
      [] view = "LocalFaultStaysLocal" -> CLocalFaultStaysLocal!Start
      [] view = "CompletionMatchesAnswer" -> CCompletionMatchesAnswer!Start
      [] view = "ExactlyOneCompletion" -> CExactlyOneCompletion!Start
      [] view = "CompletionOrder" -> CCompletionOrder!Start
      [] view = "SuccessMeansDone" -> CSuccessMeansDone!Start
      [] view = "InvalidateIsExact" -> CInvalidateIsExact!Start
      [] view = "InvalidateBeforeCompletion" -> CInvalidateBeforeCompletion!Start
      [] view = "WindowRules" -> CWindowRules!Start
      [] view = "ReregAtomic" -> CReregAtomic!Start
      [] view = "LifetimeOrder" -> CLifetimeOrder!Start

StepOf(view, s, d) ==
    CASE view = "NoAccessAfterReturn" -> CNoAccessAfterReturn!Step(s, d)
      [] view = "UnpinSafe" -> CUnpinSafe!Step(s, d)
      [] view = "SoundCheck" -> CSoundCheck!Step(s, d)
      [] view = "SoundCheckOnWire" -> CSoundCheckOnWire!Step(s, d)
      [] view = "SameRegistrationPerMessage" -> CSameRegistrationPerMessage!Step(s, d)
      [] view = "NoAba" -> CNoAba!Step(s, d)
      [] view = "RejectHasNoEffect" -> CRejectHasNoEffect!Step(s, d)
      [] view = "UmbrellaStatus" -> CUmbrellaStatus!Step(s, d)
      [] view = "NakOnlyAtExpectedPsn" -> CNakOnlyAtExpectedPsn!Step(s, d)
      [] view = "FatalNak" -> CFatalNak!Step(s, d)
      [] view = "SilentInError" -> CSilentInError!Step(s, d)
      [] view = "PsnOrder" -> CPsnOrder!Step(s, d)
      [] view = "DuplicateNotExecuted" -> CDuplicateNotExecuted!Step(s, d)
      [] view = "LocalFaultStaysLocal" -> CLocalFaultStaysLocal!Step(s, d)
      [] view = "CompletionMatchesAnswer" -> CCompletionMatchesAnswer!Step(s, d)
      [] view = "ExactlyOneCompletion" -> CExactlyOneCompletion!Step(s, d)
      [] view = "CompletionOrder" -> CCompletionOrder!Step(s, d)
      [] view = "SuccessMeansDone" -> CSuccessMeansDone!Step(s, d)
      [] view = "InvalidateIsExact" -> CInvalidateIsExact!Step(s, d)
      [] view = "InvalidateBeforeCompletion" -> CInvalidateBeforeCompletion!Step(s, d)
      [] view = "WindowRules" -> CWindowRules!Step(s, d)
      [] view = "ReregAtomic" -> CReregAtomic!Step(s, d)
      [] view = "LifetimeOrder" -> CLifetimeOrder!Step(s, d)

\* The only contract with silent steps; two lead to the end: arrived, accepted, refused.
Once(view, belief) ==
    IF view # "SoundCheckOnWire" THEN belief
    ELSE belief \cup UNION {CSoundCheckOnWire!Hidden(s) : s \in belief}

Closed(view, belief) == Once(view, Once(view, belief))

-------------------------------------------------------------------------------
(***************************************************************************)
(* What an event binds: the values of a slice parameter, a set.            *)
(***************************************************************************)
ValuesOf(l, e, parameter) ==
    CASE parameter = "host" -> {e.host}
      [] parameter = "qp"   -> IF Raw!Has(e, "qp") THEN {e.qp} ELSE {}
      [] parameter = "psn"  -> {e.psn}
      [] parameter = "mr"   ->
             IF e.name \in {"inv.call", "inv.return"}
             THEN LET hs == Raw!Newest(l, e.host, e.key)
                  IN IF hs = << >> \/ hs[1].mw # 0 THEN {} ELSE {hs[1].mr}
             ELSE {e.mr}
      [] parameter = "key"  ->
             CASE e.name \in Raw!RegistrationEvents -> Raw!KeysOf(l, e)
               [] e.name = "rx" -> IF Raw!IsRequest(e)
                                   THEN {a.key : a \in Raw!Access(Raw!Pair(l, e.host, e.qp), e)}
                                   ELSE {}
               [] OTHER -> {e.key}
      [] parameter = "message" ->
             CASE e.op \in Raw!WriteStarts -> {e.psn}
               [] e.op \in Raw!WriteFollows ->
                      {m.first : m \in Raw!MessageAt(Raw!Pair(l, e.host, e.qp), e.psn)}
               [] OTHER -> {}

\* The slices that an event binds, as far as it binds parameters `by'.
RECURSIVE Slices(_, _, _)
Slices(l, e, by) ==
    IF by = {} THEN {<< >>}
    ELSE LET p == CHOOSE p \in by : TRUE
         IN {(p :> v) @@ rest : v \in ValuesOf(l, e, p), rest \in Slices(l, e, by \ {p})}

Agrees(instance, slice) == \A p \in DOMAIN slice : instance[p] = slice[p]

\* A new instance of this contract first replays the history of its key.
RECURSIVE Replayed(_, _, _, _)
Replayed(view, l, instance, history) ==
    IF history = << >> THEN StartOf(view)
    ELSE LET before == Replayed(view, l, instance, SubSeq(history, 1, Len(history) - 1))
             d == Raw!Derive(l, instance, history[Len(history)])
         IN Closed(view, UNION {StepOf(view, s, d) : s \in before})

NewBelief(view, l, instance) ==
    IF view = "SoundCheckOnWire"
    THEN Replayed(view, l, instance, Raw!History(l, instance.host, instance.key))
    ELSE StartOf(view)

(***************************************************************************)
(* One event: the instances that it steps, each with its new belief.       *)
(***************************************************************************)
Touched(view, l, b, e) ==
    LET binding == Table[view]
        by      == binding[e.name]
        slices  == Slices(l, e, by)
        old     == {x \in DOMAIN b : x[1] = view /\ \E slice \in slices : Agrees(x[2], slice)}
        made    == IF by = binding["slice"]
                   THEN {<<view, Raw!NewInstance(l, e, slice)>> :
                             slice \in {sl \in slices :
                                           ~\E x \in old : Agrees(x[2], sl)}}
                   ELSE {}
    IN old \cup made

Stepped(l, b, e, views) ==
    LET bound   == {v \in views : e.name \in DOMAIN Table[v]}
        touched == UNION {Touched(v, l, b, e) : v \in bound}
        derived == [i \in {x[2] : x \in touched} |-> Raw!Derive(l, i, e)]
        before(x) == IF x \in DOMAIN b THEN b[x] ELSE NewBelief(x[1], l, x[2])
        after == [x \in touched |->
                     Closed(x[1], UNION {StepOf(x[1], s, derived[x[2]]) : s \in before(x)})]
    IN [x \in touched \cup DOMAIN b |-> IF x \in touched THEN after[x] ELSE b[x]]

-------------------------------------------------------------------------------
(***************************************************************************)
(* Which parts of the ledger the derived values of a contract rest on.     *)
(***************************************************************************)
AnswerParts  == {"low", "high"}
RequestParts == AnswerParts \cup {"messages", "packets"}

\* Parts of a queue pair's facts.  Not `posted': no answer of an old connection
\* comes here, so that what is asked for is all that is outstanding.
PairParts(view) ==
    CASE view = "NoAccessAfterReturn"        -> {}
      [] view = "UnpinSafe"                  -> {}
      [] view = "SoundCheck"                 -> RequestParts \cup {"checks", "grants"}
      [] view = "SoundCheckOnWire"           -> RequestParts \cup {"fatal", "error"}
      [] view = "SameRegistrationPerMessage" -> RequestParts \cup {"checks", "acts"}
      [] view = "NoAba"                      -> {"checks", "peer", "posts", "sent", "next"}
      [] view = "RejectHasNoEffect"          -> RequestParts \cup {"checks", "refusals"}
      [] view = "UmbrellaStatus"             -> RequestParts \cup {"tail"}
      [] view = "NakOnlyAtExpectedPsn"       -> AnswerParts \cup {"gaps", "reads", "readAgain"}
      [] view = "FatalNak"                   -> {"fatal", "asked"}
      [] view = "SilentInError"              -> AnswerParts \cup {"fatal", "error", "late", "checks"}
      [] view = "PsnOrder"                   -> AnswerParts \cup {"reads"}
      [] view = "DuplicateNotExecuted"       -> AnswerParts \cup {"again", "originals", "checks"}
      [] view = "LocalFaultStaysLocal"       ->
             RequestParts \cup {"checks", "fault", "peer", "fatal", "error", "failed", "outside", "posts",
                         "sent", "next", "asked", "sends", "invs"}
      [] view = "CompletionMatchesAnswer"    ->
             {"posts", "sent", "next", "asked", "failed", "error", "fatal"}
      [] view = "ExactlyOneCompletion"       -> {"sends", "receives", "discarded", "srq"}
      [] view = "CompletionOrder"            ->
             {"sends", "receives", "discarded", "srq", "posts", "sent", "next", "asked", "outside", "error"}
      [] view = "SuccessMeansDone"           ->
             {"touched", "checks", "peer", "posts", "sent", "next"}
      [] view = "InvalidateIsExact"          -> AnswerParts \cup {"invs"}
      [] view = "InvalidateBeforeCompletion" ->
             AnswerParts \cup {"invs", "sends", "receives", "discarded", "srq"}
      [] view = "WindowRules"                -> {}
      [] view = "ReregAtomic"                -> {"checks"}
      [] view = "LifetimeOrder"              -> {}

\* Other parts of the ledger.
LedgerParts(view) ==
    CASE view = "UnpinSafe"            -> {"holders", "pins", "pinners"}
      [] view = "SoundCheckOnWire"     -> {"holders", "history", "pairs"}
      [] view = "ReregAtomic"          -> {"holders", "pins", "pairs"}
      [] view = "LifetimeOrder"        -> {"holders", "pins", "pairs", "windows", "dead"}
      [] view = "WindowRules"          -> {"holders", "pairs", "windows", "dead"}
      [] view \in {"NoAccessAfterReturn", "ExactlyOneCompletion"} -> {"holders", "pairs", "shared"}
      [] OTHER                         -> {"holders", "pairs", "shared"}

\* Parts of a holder that only some contracts look at are kept always: pd, rights
\* and the like are there from the registration on.
AlwaysKept == {"host", "qp", "pd", "rights", "mtu"}

Kept(views) == [pair |-> AlwaysKept \cup UNION {PairParts(v) : v \in views},
                ledger |-> UNION {LedgerParts(v) : v \in views}]

KeptOf == [views \in SUBSET Watched |-> Kept(views)]

Pruned(l, views) ==
    LET keep  == KeptOf[views]
        fresh == Raw!NewPair("", "")
    IN [part \in DOMAIN l |->
           CASE part \notin keep.ledger -> Raw!EmptyLedger[part]
             [] part = "pairs" ->
                    [n \in DOMAIN l.pairs |->
                        [f \in DOMAIN fresh |->
                            IF f \in keep.pair THEN l.pairs[n][f] ELSE fresh[f]]]
             [] OTHER -> l[part]]

-------------------------------------------------------------------------------
(***************************************************************************)
(* The observer after an event.                                            *)
(***************************************************************************)
Observation(l, b, w, e) ==
    LET views == Watched \ w
        next  == Stepped(l, b, e, views)
        bad   == {x[1] : x \in {y \in DOMAIN next : next[y] = {}}}
        kept  == {x \in DOMAIN next : x[1] \notin bad /\ next[x] # StartOf(x[1])}
    IN [ledger  |-> Pruned(Raw!Record(l, e), views \ bad),
        beliefs |-> [x \in kept |-> next[x]],
        broken  |-> w \cup bad]

\* Overrides Emit: the action says what was to be seen ...
Tell(e) == event' = e

\* Overrides EmitNothing.
TellNothing == event' = NoEvent

\* ... and the observer looks at it once the action is complete.  (Were the
\* observation part of each action, TLC would expand it there.)  The set of one
\* element has the observation computed once.
Observe ==
    IF event' = NoEvent THEN UNCHANGED <<ledger, beliefs, broken>>
    ELSE \E o \in {Observation(ledger, beliefs, broken, event')} :
             /\ ledger'  = o.ledger
             /\ beliefs' = o.beliefs
             /\ broken'  = o.broken

\* The observation of a whole recording.
Beginnings == 2     \* the number of TLC's register

ASSUME TLCSet(Beginnings, {})

RECURSIVE ObservationOf(_)
ObservationOf(events) ==
    IF events = << >> THEN [ledger |-> Raw!EmptyLedger, beliefs |-> << >>, broken |-> {}]
    ELSE CHOOSE next \in {Observation(o.ledger, o.beliefs, o.broken, events[Len(events)]) :
                               o \in {ObservationOf(SubSeq(events, 1, Len(events) - 1))}} : TRUE

\* The same, remembered: many devices begin alike, and TLC begins again for every
\* behaviour that it reports.
Remembered(prelude) ==
    LET known == TLCGet(Beginnings)
    IN IF \E x \in known : x[1] = prelude THEN (CHOOSE x \in known : x[1] = prelude)[2]
       ELSE LET o == ObservationOf(prelude)
            IN IF TLCSet(Beginnings, known \cup {<<prelude, o>>}) THEN o ELSE o

\* What has happened before the story begins.
WatchInit(prelude) ==
    /\ \E o \in {Remembered(prelude)} :
           /\ ledger = o.ledger /\ beliefs = o.beliefs /\ broken = o.broken
    /\ event = NoEvent

-------------------------------------------------------------------------------
(***************************************************************************)
(* Reporting.  A finding is reported once for each device and defect, in   *)
(* the first, hence shortest behaviour that shows it: NothingNewOf is      *)
(* FALSE in just those states.  TLC keeps what was reported in a register  *)
(* of its only worker; -continue makes it go on.                           *)
(***************************************************************************)
Reported == 1

ASSUME TLCSet(Reported, {})

NothingNewOf(findings) ==
    IF findings = {} THEN TRUE
    ELSE LET new == findings \ TLCGet(Reported)
         IN new = {} \/ (TLCSet(Reported, TLCGet(Reported) \cup new) /\ FALSE)

BeliefTypeInv ==
    \A x \in DOMAIN beliefs : x[1] \in Watched /\ beliefs[x] # {}

===============================================================================
