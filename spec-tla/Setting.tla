-------------------------------- MODULE Setting -------------------------------
(***************************************************************************)
(* What a run of the machine is about: which device (one value a policy),  *)
(* which defect, which scenario, and who watches.                          *)
(*                                                                         *)
(* One run of TLC covers many devices: Init picks one of Choices and       *)
(* nothing ever changes it.  A model OPENS the policies that it is about;  *)
(* those take every value that one of its profiles has, all others have    *)
(* the value of `strict'.  A defect is switched on in the strict device,   *)
(* or in one that differs from it as DefectPolicies says.                  *)
(***************************************************************************)
EXTENDS Profiles, Integers, Sequences, FiniteSets, TLC

CONSTANTS
    Opened,         \* the policies that this model is about
    RunProfiles,    \* the profiles whose values they take
    RunDefects      \* the defects that are tried in the strict device

(***************************************************************************)
(* The scenario.  Records are made by the constructors below.              *)
(***************************************************************************)
CONSTANTS
    Indices,        \* indices of the key table that are for regions: positive numbers
    Tags,           \* how many tags there are (K1: 256 in a real key)
    LastNumber,     \* registrations are numbered 1 .. LastNumber
    Existing,       \* regions that are registered at the start: a sequence of Region(...)
    Windows,        \* memory windows that are allocated: a sequence of Window(...)
    QueuePairs,     \* a function from names to QueuePair(...)
    Programs,       \* a function from threads to sequences of sets of verbs to choose from
    Posted,         \* a function from queue pairs to sequences of work posted at the start
    Receives,       \* a function from queue pairs to sequences of [wr, mr]
    Transport,      \* "RC" or "UC"
    Mtu,            \* bytes in a packet
    Width,          \* how many addresses there are
    Budget,         \* what the wire and the timers may do: Bounds(...)
    Caches,         \* which caches the device has: of {"key", "translation"}
    SplitTranslation    \* whether check and translation are two steps

(***************************************************************************)
(* The device.                                                             *)
(***************************************************************************)
VARIABLE policy     \* one value a policy
VARIABLE defect     \* the defect that is switched on, or "none"

settingVars == <<policy, defect>>

\* Each defect is caught by a contract; where it comes from stands behind it.
KnownDefects == {
    \* key table and registration
    "DeregDoesNotDrain",        \* deregistration returns while accesses are under way
    "DeregReturnsWithReferences",   \* ... while a message still holds the region (D5)
    "DoubleReturn",             \* one deregistration returns success twice (L26)
    "ReuseOfNumber",            \* a live registration's number is given out again
    "KeyOutlivesDereg",         \* the table entry stays when deregistration returns
    "ForgetsKey",               \* a live entry disappears from the table
    "UnpinBeforeRevoke",        \* pages are released while the key works (D3)
    "UnpinBeforeDrain",         \* pages are released while accesses are under way (NoFence)
    "DoubleUnpin",              \* pages are released twice
    "SequenceResetOnUnmap",     \* the tag starts again when a region goes (K8)
    "ConstantTag",              \* every key of an index is the same (K6)
    "IndexOverflow",            \* a region gets an index that belongs to windows (K18)
    \* check and access
    "RangeOffByOne",            \* the byte after the end counts as inside
    "RangeWraps",               \* address plus length wraps around (C17)
    "SkipsPd",                  \* the protection domain is not compared
    "SkipsRight",               \* the right is not compared (C16)
    "SkipsQueuePair",           \* a type 2 window works for every queue pair (W1)
    "DmaElsewhere",             \* the access uses whatever holds the index by then
    "DmaTooLong",               \* the access is longer than what was checked
    "AcceptsDeadKey",           \* a key is accepted after its deregistration returned
    "RefusesGoodKey",           \* a live key, rightly used, is refused
    "RechecksByKeyValue",       \* later packets take whatever has the key by then (L31)
    "SkipsRecheck",             \* later packets use what the first one found (C7)
    "LiteRecheck",              \* later checks look at key and state only (R3)
    \* caches
    "FillAfterInvalidate",      \* a fill brings a dead entry back (L46)
    "SkipsKeyCache",            \* the key cache never hears of a deregistration (L45)
    "SkipsTranslationCache",    \* the translation cache never hears of it
    \* responder
    "ReportsCause",             \* a refused key is reported as invalid request
    "ReservedCode",             \* a refused key is reported with a reserved NAK code
    "NaksOutOfOrder",           \* the key is checked before the PSN gate
    "NaksWrongGap",             \* a sequence NAK names another PSN than the missing one
    "RefusesDuplicate",         \* a duplicate WRITE is refused instead of acknowledged
    "GoesOnAfterNak",           \* the refused request is acknowledged after its NAK
    "SecondFatalNak",           \* another fatal NAK follows the first
    "RevivesQueuePair",         \* the queue pair serves again without a reset
    "AnswersInError",           \* a request that arrived in ERR is acknowledged
    "ServesInError",            \* a request that arrived in ERR is checked and executed
    "AcksPastGap",              \* what has not arrived is acknowledged
    "SkipsResponse",            \* a READ response is left out
    "ExecutesDuplicate",        \* a duplicate WRITE is written again (L67)
    "RecomputesAtomic",         \* a duplicate atomic operation is executed again
    "SavedRequestReplay",       \* a duplicate READ is served from the saved request (R4)
    "WritesRefused",            \* a refused packet is written
    "AcksBeforeDma",            \* a WRITE is acknowledged before its bytes are in memory
    "AcksRefused",              \* a refused packet is acknowledged instead
    \* requester
    "RetriesAfterFatalNak",     \* the requester sends on after a fatal NAK has reached it
    "CompletesRefused",         \* a refused request completes with success
    "ReportsWrongStatus",       \* a refused request completes with another error
    "FlushesEarly",             \* a request is flushed without an error
    "CompletesTwice",           \* a request completes twice
    "CompletesOutOfOrder",      \* a later request completes first
    "LosesCompletion",          \* a failed request does not complete
    "CompletesUnsignaled",      \* an unsignalled success completes
    "SuccessAfterError",        \* after the first error a request completes with success
    "CompletesUnanswered",      \* a request completes with success before its answer came
    "PeerErrorOnLocalFault",    \* a bad lkey moves the peer's queue pair to error
    "SkipsLocalCheck",          \* the lkey is not checked
    \* invalidation, windows, re-registration
    "InvalidatesAnother",       \* another key than the named one is invalidated
    "SkipsDomainOnInvalidate",  \* a SEND ends a key of another domain (D17)
    "InvalidateDoesNothing",    \* the named key goes on working
    "CompletesBeforeInvalidate",    \* the completion comes before the key is dead
    "WindowOutsideRegion",      \* a window is bound beyond its region (W2)
    "WindowMoreRights",         \* a window allows what its region does not (W2)
    "RebindsBoundWindow",       \* a bound type 2 window is bound again (W1)
    "DeregWithWindow",          \* a region goes while a window is on it (D1)
    "ReregMixes",               \* old attributes are used with new pages
    "ReregKeepsOld",            \* the old attributes work after ibv_rereg_mr returned
    "ReregUnpinsFirst",         \* old pages are released before the key is told (D3)
    "DestroysDomainInUse"}      \* a protection domain goes before its regions

\* A policy's value; comparing one; asking for a defect.  A misspelt name or
\* value is an error and not FALSE.
P(name) == policy[name]

Is(name, value) ==
    \/ policy[name] = value
    \/ value \notin PolicyValues[name] /\ Assert(FALSE, <<"no such policy value", name, value>>)

Has(name) ==
    \/ defect = name
    \/ name \notin KnownDefects /\ Assert(FALSE, <<"no such defect", name>>)

RECURSIVE Opening(_, _)
Opening(profile, opened) ==
    IF opened = {} THEN {Strict}
    ELSE LET p == CHOOSE p \in opened : TRUE
         IN {[r EXCEPT ![p] = v] : r \in Opening(profile, opened \ {p}), v \in Profile[profile][p]}

(***************************************************************************)
(* A defect shows only in a device that does not hide it: one that gives a *)
(* dead key to nobody, or waits for messages, hides what a later check     *)
(* does wrong.  These are the policies that a defect is tried with; all    *)
(* others are strict, and the same device without the defect is sound.     *)
(***************************************************************************)
DefectPolicies(d) ==
    CASE d \in {"RechecksByKeyValue", "DmaElsewhere"} ->
             [TagPolicy |-> "Constant0", Quarantine |-> "None", KeyReleasePoint |-> "AtReturn",
              HoldsReference |-> "No"]
      [] d = "SkipsRecheck" -> [HoldsReference |-> "No"]
      [] OTHER -> << >>

RECURSIVE Overlaid(_, _, _)
Overlaid(r, changes, names) ==
    IF names = {} THEN r
    ELSE LET n == CHOOSE n \in names : TRUE
         IN Overlaid([r EXCEPT ![n] = changes[n]], changes, names \ {n})

\* What Init chooses from.
Choices ==
    {[policy |-> r, defect |-> "none"] : r \in UNION {Opening(n, Opened) : n \in RunProfiles}}
    \cup {[policy |-> Overlaid(Strict, DefectPolicies(d), DOMAIN DefectPolicies(d)), defect |-> d] : d \in RunDefects}

SettingInit == \E c \in Choices : policy = c.policy /\ defect = c.defect

\* What Init chose stays, so that this says it all.
\* Defects that only liveness models know: see module Live.
LivenessDefects == {"GlobalFence", "ForgetsWork"}

ASSUME \A c \in Choices :
           /\ DOMAIN c.policy = PolicyNames
           /\ \A p \in PolicyNames : c.policy[p] \in PolicyValues[p]
           /\ c.defect \in KnownDefects \cup LivenessDefects \cup {"none"}

-------------------------------------------------------------------------------
(***************************************************************************)
(* Being watched.  Every observable action calls Emit once, with raw facts *)
(* only; every other action calls EmitNothing.  A model's configuration    *)
(* overrides both.                                                         *)
(***************************************************************************)
Emit(event) == TRUE
EmitNothing == TRUE

\* The names of the events that are emitted: names of the trace language.  An
\* observer asserts it, a test compares the two lists.
Emitted == {
    "reg.call", "pin", "reg", "dereg.call", "unpin", "dereg.return", "rereg.call",
    "rereg.return", "bind.call", "bind.return", "inv.call", "inv.return", "mw.dealloc.call",
    "mw.dealloc.return", "pd.dealloc", "post", "wc", "rx", "tx", "ack", "nak", "check", "dma.read",
    "dma.write", "qp.state", "async"}

\* All queue pairs of the modelled device, also both ends of one connection.
OwnHost == "host"
\* Where peers are whose own device is not modelled.
PeerHost == "peer"

-------------------------------------------------------------------------------
(***************************************************************************)
(* The words a scenario is made of.                                        *)
(***************************************************************************)

\* A region: its number, its protection domain, its addresses, its rights, and
\* the bus address of its pages.  index and tag only for Existing ones.
Region(mr, index, tag, pd, va, len, rights, frame) ==
    [mr |-> mr, index |-> index, tag |-> tag, pd |-> pd, va |-> va, len |-> len,
     rights |-> rights, frame |-> frame, fast |-> FALSE]
Fast(r) == [r EXCEPT !.fast = TRUE]         \* a fast registration: it may be invalidated

Window(index, type, pd) == [index |-> index, type |-> type, pd |-> pd]
NoWindows == << >>

\* raw: a peer whose own device is not modelled.  It sends what it posted, packet
\* by packet, without loss, and learns nothing: an attacker who guesses is one.
QueuePair(pd, rights, peer, raw) == [pd |-> pd, rights |-> rights, peer |-> peer, raw |-> raw]

Bounds(losses, duplicates, reorders, timeouts, retries) ==
    [losses |-> losses, duplicates |-> duplicates, reorders |-> reorders, timeouts |-> timeouts,
     retries |-> retries]

NoBounds == Bounds(0, 0, 0, 0, 0)

\* A number of retries that never ends (an RNR retry count of 7 means that).
Endless  == 99
Spent(n) == IF n = Endless THEN n ELSE n - 1

\* Verbs.
Register(mr, pd, va, len, rights, frame) ==
    [verb |-> "register", mr |-> mr, pd |-> pd, va |-> va, len |-> len, rights |-> rights,
     frame |-> frame]
Deregister(mr) == [verb |-> "deregister", mr |-> mr]
Reregister(mr, pd, va, len, rights, frame) ==
    [verb |-> "reregister", mr |-> mr, pd |-> pd, va |-> va, len |-> len, rights |-> rights,
     frame |-> frame]
DeallocWindow(mw) == [verb |-> "deallocWindow", mw |-> mw]
DeallocDomain(pd) == [verb |-> "deallocDomain", pd |-> pd]
Post(q, work)     == [verb |-> "post", qp |-> q, work |-> work]
PostReceive(q, wr, mr) == [verb |-> "postReceive", qp |-> q, wr |-> wr, mr |-> mr]
SetError(q)       == [verb |-> "setError", qp |-> q]
Await(q, wr)      == [verb |-> "await", qp |-> q, wr |-> wr]   \* until it has completed with success
Unmap(mr)         == [verb |-> "unmap", mr |-> mr]             \* release a fast registration's pages
Skip              == [verb |-> "skip"]

\* Work requests.  `to' is the region that the poster was given a key of, or 0;
\* `window' the same for a window; `key' a key that it made up.  `from' is the
\* local region (source of a WRITE or SEND, sink of a READ), 0 for inline data.
NoWork == [op |-> "", wr |-> 0, to |-> 0, window |-> 0, key |-> 0, va |-> 0, len |-> 0,
           from |-> 0, lva |-> 0, signaled |-> TRUE]

Write(wr, to, va, len)  == [NoWork EXCEPT !.op = "RDMA_WRITE", !.wr = wr, !.to = to, !.va = va,
                                          !.len = len]
WriteImmediate(wr, to, va, len) == [Write(wr, to, va, len) EXCEPT !.op = "RDMA_WRITE_WITH_IMM"]
Read(wr, to, va, len)   == [NoWork EXCEPT !.op = "RDMA_READ", !.wr = wr, !.to = to, !.va = va,
                                          !.len = len]
Atomic(wr, to, va)      == [NoWork EXCEPT !.op = "ATOMIC_FETCH_AND_ADD", !.wr = wr, !.to = to,
                                          !.va = va, !.len = 8]
Send(wr, len)           == [NoWork EXCEPT !.op = "SEND", !.wr = wr, !.len = len]
SendInvalidate(wr, to)  == [NoWork EXCEPT !.op = "SEND_WITH_INV", !.wr = wr, !.to = to, !.len = 1]
LocalInvalidate(wr, to) == [NoWork EXCEPT !.op = "LOCAL_INV", !.wr = wr, !.to = to]
BindWindow(wr, mw, mr, tag, va, len, rights) ==
    [NoWork EXCEPT !.op = "BIND_MW", !.wr = wr, !.window = mw, !.to = mr, !.va = va, !.len = len]
    @@ [tag |-> tag, rights |-> rights]
FastRegister(wr, mr, index, tag, pd, va, len, rights, frame) ==
    [NoWork EXCEPT !.op = "REG_MR", !.wr = wr, !.to = mr, !.va = va, !.len = len]
    @@ [index |-> index, tag |-> tag, pd |-> pd, rights |-> rights, frame |-> frame]
WithKey(work, key)      == [work EXCEPT !.key = key, !.to = 0]
ToWindow(work, mw)      == [work EXCEPT !.window = mw, !.to = 0]
WithLocal(work, mr, lva) == [work EXCEPT !.from = mr, !.lva = lva]
Unsignaled(work)        == [work EXCEPT !.signaled = FALSE]

RemoteRights == {"remote_write", "remote_read", "remote_atomic"}
AllRights    == RemoteRights \cup {"local_write"}

=============================================================================
