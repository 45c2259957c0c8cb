---------------------------------- MODULE Keys --------------------------------
(***************************************************************************)
(* Keys: how the driver makes them, how the device finds what they stand   *)
(* for, and what it compares.  No actions here.                            *)
(*                                                                         *)
(* NOT MODELLED, and which way that errs.  A driver whose key is in        *)
(* quarantine takes any other one at once, and waits if there is none: a   *)
(* registration that fails for want of keys is not shown.  Random is any:  *)
(* probabilities are not.                                                  *)
(*                                                                         *)
(* Java twin: org.mrcheck.rnic.KeyTable.                                   *)
(***************************************************************************)
EXTENDS State

Elements(s) == {s[i] : i \in DOMAIN s}
Min(m, n)   == IF m < n THEN m ELSE n
Max(m, n)   == IF m < n THEN n ELSE m
Least(s)    == CHOOSE m \in s : \A n \in s : m <= n

-------------------------------------------------------------------------------
(***************************************************************************)
(* What anybody may still use.                                             *)
(***************************************************************************)

\* A posted work request that has not completed names the key, a thread will
\* post one, or a responder is in the midst of a message under it.
IsOutstanding(key) ==
    \/ \E t \in Threads : \E i \in thread[t].at .. Len(Programs[t]) : \E v \in Programs[t][i] :
           v.verb = "post" /\ v.work.to # 0 /\ region[v.work.to].key = key
    \/ \E q \in DOMAIN QueuePairs :
           \E i \in requester[q].completed + 1 .. Len(requester[q].queue) :
               requester[q].queue[i].key = key
    \/ \E q \in Devices : responder[q].message # NoMessage /\ responder[q].message.key = key
    \/ \E q \in Devices :                              \* or has a packet of it in hand
           /\ responder[q].hand # Nothing
           /\ \E i \in DOMAIN requester[PeerOf(q)].queue :
                  LET w == requester[PeerOf(q)].queue[i]
                  IN w.key = key /\ w.first <= responder[q].hand.psn
                     /\ responder[q].hand.psn <= w.last

\* The last keys that died: how many are in quarantine (K14: sixteen).
QuarantineLength == 1

IsQuarantined(key) ==
    /\ key \in Elements(allocator.dead)
    /\ ~Has("ConstantTag") /\ ~Has("SequenceResetOnUnmap")
    /\ CASE Is("Quarantine", "None")       -> FALSE
         [] Is("Quarantine", "LastKeys")   -> TRUE      \* dead holds no more than that
         [] Is("Quarantine", "UntilEpoch") -> TRUE      \* PassEpoch empties dead
         [] Is("Quarantine", "UntilNoOutstandingReference") -> IsOutstanding(key)

-------------------------------------------------------------------------------
(***************************************************************************)
(* A new key.                                                              *)
(***************************************************************************)
Free == Elements(allocator.free)

IndexCandidates ==
    IF Has("IndexOverflow") THEN WindowIndices                          \* K18
    ELSE IF Free = {} THEN {}
    ELSE CASE Is("IndexReuse", "LowestFree") -> {Least(Free)}           \* K6
           [] Is("IndexReuse", "Lifo")   -> {allocator.free[Len(allocator.free)]}   \* K5
           [] Is("IndexReuse", "Fifo")   -> {Head(allocator.free)}      \* K7
           [] Is("IndexReuse", "Cyclic") ->                             \* K3, K9
                  LET later == {i \in Free : i > allocator.cursor}
                  IN {Least(IF later = {} THEN Free ELSE later)}
           [] Is("IndexReuse", "Random") -> Free                        \* K12

AllTags == 0 .. Tags - 1

TagCandidates(index) ==
    LET last == allocator.last[index]
    IN CASE Has("ConstantTag")                      -> {last}
         [] Is("TagChooser", "Consumer")            -> AllTags          \* K1
         [] Is("TagPolicy", "Constant0")            -> {0}              \* K6, K11
         [] Is("TagPolicy", "Keep")                 -> {last}           \* K5
         [] Is("TagPolicy", "GlobalSequence")       -> {allocator.counter % Tags}   \* K4
         [] Is("TagPolicy", "PerIndexIncrement")    -> {(last + 1) % Tags}          \* K2
         [] Is("TagPolicy", "RandomAny")            -> AllTags          \* K9, K12
         [] Is("TagPolicy", "RandomNotLast")        -> AllTags \ {last} \* K9
         [] Is("TagPolicy", "WideGeneration")       -> {allocator.counter}          \* K3, K13

\* Driver and Device differ in who does it, not in what can be seen.
ASSUME PolicyValues["TagChooser"] = {"Driver", "Device", "Consumer"}

Pairs(indices, tags(_)) == UNION {{[index |-> i, tag |-> g] : g \in tags(i)} : i \in indices}

\* A key in quarantine is passed over for the next tag that is not.
KeyCandidates ==
    LET fresh(all) == {c \in all : ~IsQuarantined(KeyOf(c.index, c.tag))}
        preferred  == fresh(Pairs(IndexCandidates, TagCandidates))
        any(i)     == AllTags
    IN IF preferred # {} THEN preferred ELSE fresh(Pairs(IndexCandidates, any))

\* The lkey has a tag of its own, or not (K15, K16).
LocalKeyOf(c) ==
    KeyOf(c.index, IF Is("SplitTags", "Yes") THEN (c.tag + 1) % Max(Tags, 2) ELSE c.tag)

Taken(c) ==
    [allocator EXCEPT
        !.free    = SelectSeq(@, LAMBDA i : i # c.index),
        !.last[c.index] = c.tag,
        !.counter = Min(@ + 1, Room - 1),
        !.cursor  = c.index]

Last(s, n) == IF Len(s) <= n THEN s ELSE SubSeq(s, Len(s) - n + 1, Len(s))

\* The key may be issued again, subject to quarantine.
Released(key) ==
    [allocator EXCEPT
        !.free = IF IndexOf(key) \in Indices /\ IndexOf(key) \notin Free
                 THEN Append(@, IndexOf(key)) ELSE @,
        !.last[IndexOf(key)] = IF Has("SequenceResetOnUnmap") THEN 0 ELSE @,
        !.dead = CASE Is("Quarantine", "None")     -> << >>
                   [] Is("Quarantine", "LastKeys") -> Last(Append(@, key), QuarantineLength)
                   [] OTHER                        -> Append(@, key)]

-------------------------------------------------------------------------------
(***************************************************************************)
(* Looking a key up.                                                       *)
(***************************************************************************)
RegionEntry(mr, r) ==
    [mr |-> mr, mw |-> 0, key |-> r.key, lkey |-> r.lkey, pd |-> r.pd, va |-> r.va,
     len |-> r.len, rights |-> r.rights, type |-> 0, qp |-> "", fast |-> r.fast,
     valid |-> TRUE]

\* An index of the windows' range is looked up among the windows (K18).
TableEntry(key) ==
    LET index == IndexOf(key)
    IN IF index \notin AllIndices THEN NoEntry
       ELSE IF index \in WindowIndices /\ table[index].mw = 0 THEN NoEntry
       ELSE table[index]

\* The entry that a dead key used to have: only with the defect.
DeadEntry(key) ==
    LET holders == {mr \in Numbers : region[mr].key = key /\ region[mr].stage = "returned"}
    IN IF holders = {} THEN NoEntry
       ELSE RegionEntry(CHOOSE mr \in holders : TRUE, region[CHOOSE mr \in holders : TRUE])

HasKeyCache         == "key" \in Caches
HasTranslationCache == "translation" \in Caches

Hits(key) == HasKeyCache /\ cache.key # NoEntry /\ IndexOf(cache.key.key) = IndexOf(key)

\* A valid entry goes through the cache.
MustFill(key) == HasKeyCache /\ ~Hits(key) /\ TableEntry(key).valid

Found(key) ==
    CASE Hits(key) -> cache.key
      [] Has("AcceptsDeadKey") /\ ~TableEntry(key).valid -> DeadEntry(key)
      [] OTHER -> TableEntry(key)

-------------------------------------------------------------------------------
(***************************************************************************)
(* Comparing.                                                              *)
(***************************************************************************)
IsLocal(access) == access \in {"local_read", "local_write"}

\* No sum that could wrap (C17).
IsInside(entry, va, len) ==
    LET reach == IF Has("RangeOffByOne") THEN entry.len + 1 ELSE entry.len
    IN IF Has("RangeWraps")
       THEN entry.va <= va /\ (va + len) % Width <= entry.va + reach
       ELSE entry.va <= va /\ len <= reach /\ va - entry.va <= reach - len

\* What is wrong with an access [access, va, len] of queue pair q under a key.
Faults(entry, q, key, access, va, len) ==
    IF ~entry.valid THEN {"key"}
    ELSE (IF (IF IsLocal(access) THEN entry.lkey ELSE entry.key) # key THEN {"key"} ELSE {})
         \cup (IF entry.pd # QueuePairs[q].pd /\ ~Has("SkipsPd") THEN {"domain"} ELSE {})
         \cup (IF entry.type = 2 /\ entry.qp # q /\ ~Has("SkipsQueuePair")             \* W1
               THEN {"domain"} ELSE {})
         \cup (IF access # "local_read" /\ access \notin entry.rights /\ ~Has("SkipsRight")
               THEN {"right"} ELSE {})
         \cup (IF IsInside(entry, va, len) THEN {} ELSE {"range"})

\* Key and state only (R3).
LiteFaults(entry, key) == IF entry.valid /\ entry.key = key THEN {} ELSE {"key"}

\* Which fault is found first (C13).
CauseOf(faults) ==
    LET order == CASE Is("CheckOrder", "RangeFirst") -> << "key", "range", "domain", "right" >>
                   [] Is("CheckOrder", "RightFirst") -> << "key", "right", "domain", "range" >>
                   [] OTHER                          -> << "key", "domain", "right", "range" >>
    IN order[Least({i \in 1 .. 4 : order[i] \in faults})]

-------------------------------------------------------------------------------
(***************************************************************************)
(* Who uses a region, or a window: what a drain waits for.                 *)
(***************************************************************************)

\* Stages of a hand or a job in which a memory access is under way.
IsUnderWay(h) == h.stage \in {"accepted", "translated"}

\* A work request that has started and not ended holds its local region (C20).
HoldsLocally(q, mr) ==
    /\ Is("LocalCheck", "PerWorkRequest")
    /\ requester[q].failure = "none"
    /\ \E i \in requester[q].completed + 1 .. Len(requester[q].queue) :
           /\ requester[q].queue[i].from = mr
           /\ requester[q].queue[i].started

HoldsMessage(q) ==
    Is("HoldsReference", "Yes") /\ ~Has("DeregReturnsWithReferences")

Uses(q, mr) ==
    \/ IsUnderWay(responder[q].hand) /\ responder[q].hand.mr = mr
    \/ HoldsMessage(q) /\ responder[q].message.mr = mr
    \/ HoldsMessage(q) /\ responder[q].hand.stage \in {"asked", "fetched"}
                       /\ responder[q].hand.mr = mr
    \/ IsUnderWay(requester[q].job) /\ requester[q].job.mr = mr
    \/ HoldsLocally(q, mr)

UsersOf(mr) == {q \in Devices : Uses(q, mr)}

UsersOfWindow(mw) ==
    {q \in Devices :
        \/ IsUnderWay(responder[q].hand) /\ responder[q].hand.mw = mw
        \/ HoldsMessage(q) /\ responder[q].message.mw = mw
        \/ HoldsMessage(q) /\ responder[q].hand.stage \in {"asked", "fetched"}
                           /\ responder[q].hand.mw = mw}

WindowsOn(mr) == {mw \in MwNumbers : window[mw].stage = "bound" /\ window[mw].mr = mr}

=============================================================================
