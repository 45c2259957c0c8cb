------------------------------- MODULE Profiles -------------------------------
(***************************************************************************)
(* Classes of devices, each as the set of values that every policy may     *)
(* have.  A set with several values means: not known, or left open; the    *)
(* model then tries all of them.  Nothing is guessed: where no source      *)
(* says what a device does, the set is the whole one (U).                  *)
(*                                                                         *)
(* A profile is a claim about a class of devices, not about a product:     *)
(* each value cites its row in FACTS.md.  `spec' is what the standard      *)
(* leaves open; `strict' is what the soft RNIC must satisfy.               *)
(***************************************************************************)
EXTENDS Policies

U(policy) == PolicyValues[policy]

(***************************************************************************)
(* strict: every policy has the value that keeps the contracts.            *)
(***************************************************************************)
Strict == [
    DeregPolicy         |-> "DrainWait",            \* D2, D8
    QueuePairsOnDereg   |-> "Untouched",            \* QPIsolation
    HoldsReference      |-> "Yes",                  \* C8
    KeyCacheInvalidation         |-> "BeforeReturn",        \* L45
    TranslationCacheInvalidation |-> "BeforeReturn",        \* D2
    CacheFillGuard      |-> "Version",              \* L46
    WriteCheck          |-> "PerPacket",            \* C6
    WriteRange          |-> "PerPacket",            \* C3
    ReadCheck           |-> "PerResponsePacket",    \* R6
    RecheckBy           |-> "Identity",             \* L31
    RecheckDepth        |-> "Full",                 \* R3's known gaps closed
    DuplicateRead       |-> "FullRecheck",          \* L60
    DuplicateAtomic     |-> "SavedResult",          \* R2
    IndexReuse          |-> "Fifo",                 \* K7: longest time until reuse
    TagPolicy           |-> "PerIndexIncrement",    \* K2
    Quarantine          |-> "UntilNoOutstandingReference",  \* L13
    KeyReleasePoint     |-> "AfterQuarantine",      \* K5
    TagChooser          |-> "Driver",               \* K4
    SplitTags           |-> "No",                   \* K16
    CheckOrder          |-> "Combined",             \* C13
    ResourceVersusKey   |-> "KeyFirst",             \* L72
    Umbrella            |-> "Yes",                  \* C14
    NakThenError        |-> "NakFirst",             \* E7
    NakDelay            |-> "None",                 \* E15
    AsyncEvent          |-> "Raised",               \* E6
    LocalCheck          |-> "PerWorkRequest",       \* C20
    InvalidateScope     |-> "KeyDomainQueuePair",   \* D17
    InvalidateWhen      |-> "BeforeCompletion",     \* L112
    RemoteInvalidateBad |-> "ErrorWithoutNak",      \* E9
    WindowDereg         |-> "Refuse",               \* D1, D5
    ReregOrder          |-> "RevokeFirst",          \* D3
    ReregKey            |-> "Same",                 \* K20
    FlushOnDisconnect   |-> "NotApplied",           \* D16
    ZeroLengthChecksKey |-> "No"]                   \* C4

(***************************************************************************)
(* What the standard and the verbs API leave open.                         *)
(***************************************************************************)
OfSpec == [p \in PolicyNames |->
    CASE p = "ReregKey"            -> {"Same"}               \* K20 (API)
      [] p = "WindowDereg"         -> {"Refuse"}             \* D1: IBA 10.6.7.2.6
      [] p = "DuplicateAtomic"     -> {"SavedResult"}        \* R2
      [] p = "Umbrella"            -> {"Yes"}                \* C14: IBA 9.7.5.2.4
      [] p = "ZeroLengthChecksKey" -> {"No"}                 \* C4: C9-88
      [] p = "InvalidateScope"     -> {"KeyDomainQueuePair"} \* D17: the intent
      [] p = "InvalidateWhen"      -> {"BeforeCompletion"}   \* InvBeforeCompletion
      [] p = "RecheckDepth"        -> {"Full", "None"}       \* C1: a check is a whole one
      [] p = "ReregOrder"          -> {"RevokeFirst", "InPlace"}   \* D3 is a defect by any reading
      [] p = "DeregPolicy"         -> {"RefcountReturn", "DrainWait", "DrainTimeoutBusy",
                                       "RefuseIfBusy"}       \* D1 says nothing of accesses in flight
      [] p = "KeyCacheInvalidation" -> {"BeforeReturn"}      \* D1: the key is dead after the call
      [] p = "TranslationCacheInvalidation" -> {"BeforeReturn"}    \* D1, D2
      [] p = "CacheFillGuard"      -> {"Version", "Blocked"} \* follows from the two above
      [] OTHER                     -> U(p)]

(***************************************************************************)
(* Linux Soft-RoCE.                                                        *)
(***************************************************************************)
OfRxe == [p \in PolicyNames |->
    CASE p = "DeregPolicy"         -> {"RefcountReturn", "DrainTimeoutBusy"}   \* D5: old; new warns
      [] p = "QueuePairsOnDereg"   -> {"Untouched"}          \* D5
      [] p = "HoldsReference"      -> {"No"}                 \* C6: looked up for each packet
      [] p = "KeyCacheInvalidation" -> {"BeforeReturn"}      \* no cache: table in memory (RXE-MR)
      [] p = "TranslationCacheInvalidation" -> {"BeforeReturn"}
      [] p = "CacheFillGuard"      -> {"Version"}            \* no cache, nothing to fill
      [] p = "WriteCheck"          -> {"PerPacket"}          \* C6
      [] p = "WriteRange"          -> {"WholeMessageUpFront"}    \* C6
      [] p = "ReadCheck"           -> {"PerResponsePacket"}  \* R6
      [] p = "RecheckBy"           -> {"KeyValue"}           \* C6: stored rkey
      [] p = "RecheckDepth"        -> {"Full", "Lite"}       \* C6 for WRITE, R3 and R6 for READ
      [] p = "DuplicateRead"       -> {"LiteRecheck"}        \* R3
      [] p = "DuplicateAtomic"     -> {"SavedResult"}        \* R2, R5
      [] p = "IndexReuse"          -> {"Cyclic"}             \* K9
      [] p = "TagPolicy"           -> {"RandomAny", "RandomNotLast"}   \* K9: first; rebind
      [] p = "Quarantine"          -> {"None"}               \* K9
      [] p = "KeyReleasePoint"     -> {"AtReturn"}           \* D5
      [] p = "TagChooser"          -> {"Driver"}             \* K9
      [] p = "SplitTags"           -> {"No"}                 \* K16
      [] p = "CheckOrder"          -> {"Combined"}           \* C13
      [] p = "ResourceVersusKey"   -> {"ResourceFirst"}      \* C12
      [] p = "Umbrella"            -> {"Yes"}                \* E1, C14
      [] p = "NakThenError"        -> {"NakFirst"}           \* E7
      [] p = "NakDelay"            -> {"None"}               \* E7: in the same task
      [] p = "AsyncEvent"          -> {"NotRaised"}          \* E6
      [] p = "LocalCheck"          -> {"PerPacket"}          \* C20
      [] p = "InvalidateScope"     -> {"KeyOnly"}            \* D17
      [] p = "RemoteInvalidateBad" -> {"ErrorWithoutNak"}    \* E9
      [] p = "WindowDereg"         -> {"Refuse"}             \* D5
      [] p = "ReregKey"            -> {"Same"}               \* K20
      [] p = "ReregOrder"          -> {"InPlace"}            \* R3: rereg in mid-READ is a known gap
      [] p = "ZeroLengthChecksKey" -> {"No"}                 \* C4
      [] OTHER                     -> U(p)]

(***************************************************************************)
(* Linux software iWARP.                                                   *)
(***************************************************************************)
OfSiw == [p \in PolicyNames |->
    CASE p = "DeregPolicy"         -> {"RefcountReturn"}     \* D6
      [] p = "QueuePairsOnDereg"   -> {"Untouched"}          \* D6
      [] p = "HoldsReference"      -> {"Yes"}                \* C8: from the first segment
      [] p = "KeyCacheInvalidation" -> {"BeforeReturn"}      \* no cache: index in memory (SIW-MEM)
      [] p = "TranslationCacheInvalidation" -> {"BeforeReturn"}
      [] p = "CacheFillGuard"      -> {"Version"}            \* no cache, nothing to fill
      [] p = "WriteCheck"          -> {"PerFragment"}        \* C8
      [] p = "WriteRange"          -> {"PerPacket"}          \* C8: bounds on each fragment
      [] p = "ReadCheck"           -> {"OnResponseStart"}    \* R6
      [] p = "RecheckBy"           -> {"Identity"}           \* C8: a reference is held
      [] p = "RecheckDepth"        -> {"Full"}               \* C8
      [] p = "DuplicateRead"       -> {"Drop"}               \* TCP below: there is none
      [] p = "DuplicateAtomic"     -> {"SavedResult"}        \* no atomics, no duplicates
      [] p = "IndexReuse"          -> {"Cyclic"}             \* K11
      [] p = "TagPolicy"           -> {"Constant0"}          \* K11
      [] p = "Quarantine"          -> {"None"}               \* K11
      [] p = "KeyReleasePoint"     -> {"BeforeDeregReturn"}  \* D6: erased from the index, then return
      [] p = "TagChooser"          -> {"Driver", "Consumer"} \* K11: 0 until the consumer changes it
      [] p = "SplitTags"           -> {"No"}                 \* K11, K16
      [] p = "CheckOrder"          -> {"DomainFirst"}        \* C13: valid, PD, permission, bounds
      [] p = "Umbrella"            -> {"No"}                 \* C15
      [] p = "AsyncEvent"          -> {"Raised"}             \* E6
      [] p = "LocalCheck"          -> {"PerWorkRequest"}     \* C20
      [] p = "InvalidateScope"     -> {"DomainOnly"}         \* D17
      [] p = "RemoteInvalidateBad" -> {"Terminate"}          \* E9, C15
      [] p = "ZeroLengthChecksKey" -> {"No"}                 \* C18, C4
      [] OTHER                     -> U(p)]

(***************************************************************************)
(* rdmavt: hfi1 and qib.                                                   *)
(***************************************************************************)
OfRdmavt == [p \in PolicyNames |->
    CASE p = "DeregPolicy"         -> {"DrainTimeoutBusy"}   \* D4
      [] p = "QueuePairsOnDereg"   -> {"PutInError"}         \* D4
      [] p = "HoldsReference"      -> {"Yes"}                \* C7, R6
      [] p = "KeyCacheInvalidation" -> {"BeforeReturn"}      \* no cache: RCU table (RVT-MR)
      [] p = "TranslationCacheInvalidation" -> {"BeforeReturn"}
      [] p = "CacheFillGuard"      -> {"Version"}            \* no cache, nothing to fill
      [] p = "WriteCheck"          -> {"PerMessageFirst"}    \* C7
      [] p = "ReadCheck"           -> {"OnRequest"}          \* R6: a reference from the request on
      [] p = "RecheckBy"           -> {"Identity"}           \* C7: saved context
      [] p = "RecheckDepth"        -> {"None"}               \* C7
      [] p = "IndexReuse"          -> {"Cyclic"}             \* K3: next free, round robin
      [] p = "TagPolicy"           -> {"WideGeneration"}     \* K3
      [] p = "Quarantine"          -> {"None"}               \* K3
      [] p = "KeyReleasePoint"     -> {"BeforeDeregReturn"}  \* D4: unpublished before the wait
      [] p = "TagChooser"          -> {"Driver"}             \* K3
      [] p = "SplitTags"           -> {"No"}                 \* K16
      [] p = "Umbrella"            -> {"Yes"}                \* C14
      [] OTHER                     -> U(p)]

(***************************************************************************)
(* ConnectX with the mlx5 driver.                                          *)
(***************************************************************************)
OfMlx5 == [p \in PolicyNames |->
    CASE p = "DeregPolicy"         -> {"DrainWait"}          \* D2
      [] p = "QueuePairsOnDereg"   -> {"Untouched"}          \* E14: the error comes with an access
      [] p = "WriteRange"          -> {"PerPacket"}          \* C9
      [] p = "KeyCacheInvalidation" -> {"BeforeReturn"}      \* D2: revoke is a fence
      [] p = "TranslationCacheInvalidation" -> {"BeforeReturn"}    \* D2
      [] p = "IndexReuse"          -> {"Lifo"}               \* K5
      [] p = "TagPolicy"           -> {"Keep", "Constant0", "GlobalSequence"}  \* K5; cache miss; K4
      [] p = "Quarantine"          -> {"None"}               \* K5
      [] p = "KeyReleasePoint"     -> {"BeforeDeregReturn"}  \* K5
      [] p = "TagChooser"          -> {"Driver"}             \* K4
      [] p = "SplitTags"           -> {"No"}                 \* K16
      [] p = "Umbrella"            -> {"Yes"}                \* C10
      [] p = "NakDelay"            -> {"Any"}                \* E15
      [] p = "LocalCheck"          -> {"LazyLength"}         \* C19
      [] p = "ReregOrder"          -> {"RevokeFirst", "UnpinFirst"}    \* D3: new; old
      [] p = "ReregKey"            -> {"Same"}               \* K20
      [] OTHER                     -> U(p)]

(***************************************************************************)
(* hns: only how it makes keys was read.                                   *)
(***************************************************************************)
OfHns == [p \in PolicyNames |->
    CASE p = "IndexReuse"          -> {"LowestFree"}         \* K6
      [] p = "TagPolicy"           -> {"Constant0"}          \* K6
      [] p = "Quarantine"          -> {"None"}               \* K6: reissued to the next
      [] p = "TagChooser"          -> {"Driver"}             \* K6
      [] p = "SplitTags"           -> {"No"}                 \* K16
      [] p = "Umbrella"            -> {"Yes"}                \* C14
      [] OTHER                     -> U(p)]

(***************************************************************************)
(* blue-rdma, an open FPGA RNIC.                                           *)
(***************************************************************************)
OfBlue == [p \in PolicyNames |->
    CASE p = "WriteCheck"          -> {"PerMessageFirst"}    \* C7
      [] p = "RecheckBy"           -> {"Identity"}           \* C7: saved context
      [] p = "RecheckDepth"        -> {"None"}               \* C7
      [] p = "DuplicateRead"       -> {"SavedRequestOnly"}   \* R4
      [] p = "DuplicateAtomic"     -> {"SavedResult"}        \* R2, R5
      [] p = "SplitTags"           -> {"Yes"}                \* K15
      [] p = "CheckOrder"          -> {"DomainFirst"}        \* C13, K15
      [] p = "ResourceVersusKey"   -> {"ResourceFirst"}      \* C12
      [] p = "Umbrella"            -> {"Yes"}                \* C14
      [] OTHER                     -> U(p)]

(***************************************************************************)
(* HPE CXI: only how it makes keys is documented.                          *)
(***************************************************************************)
OfCxi == [p \in PolicyNames |->
    CASE p = "TagPolicy"           -> {"WideGeneration"}     \* K13
      [] p = "TagChooser"          -> {"Driver"}             \* K13: the provider
      [] OTHER                     -> U(p)]

(***************************************************************************)
(* UCX on mlx5: the device above, with a quarantine in user space.         *)
(***************************************************************************)
OfUcx == [p \in PolicyNames |->
    CASE p = "Quarantine"          -> {"LastKeys"}           \* K14
      [] p = "KeyReleasePoint"     -> {"AfterQuarantine"}    \* K14
      [] p = "TagPolicy"           -> {"Keep", "GlobalSequence"}   \* K14, D20: firmware reuses indices
      [] OTHER                     -> OfMlx5[p]]

-------------------------------------------------------------------------------
Profile == [
    spec     |-> OfSpec,
    strict   |-> [p \in PolicyNames |-> {Strict[p]}],
    rxe      |-> OfRxe,
    siw      |-> OfSiw,
    rdmavt   |-> OfRdmavt,
    mlx5like |-> OfMlx5,
    hnslike  |-> OfHns,
    bluelike |-> OfBlue,
    cxilike  |-> OfCxi,
    ucxlike  |-> OfUcx]

ProfileNames == DOMAIN Profile

\* No policy is left out, no value is misspelt.
ProfilesAreValid ==
    /\ DOMAIN Strict = PolicyNames
    /\ \A name \in ProfileNames :
           /\ DOMAIN Profile[name] = PolicyNames
           /\ \A p \in PolicyNames :
                  Profile[name][p] # {} /\ Profile[name][p] \subseteq PolicyValues[p]

ASSUME ProfilesAreValid

=============================================================================
