------------------------------ MODULE Registration ----------------------------
(***************************************************************************)
(* What the owner of memory calls, and what driver and device then do, in  *)
(* which order: register, deregister, re-register, deallocate a window.    *)
(*                                                                         *)
(* MODELLED.  Each call is a plan, a sequence of steps that the policies   *)
(* choose, and each step is an action of its own, since the races live     *)
(* between them (section 6 of the facts): table, key cache, translation    *)
(* cache, queue pairs in error, drain, unpin, return.  Steps after the     *)
(* return happen at any later time.                                        *)
(*                                                                         *)
(* NOT MODELLED, and which way that errs.  The steps of one call have one  *)
(* order in a device: an order that varies is missed.  Calls that fail for *)
(* want of memory, and on-demand paging, are missed.                       *)
(*                                                                         *)
(* Java twins: org.mrcheck.rnic.KeyTable, ProtectionDomain, MemoryRegion.  *)
(***************************************************************************)
EXTENDS Keys

Offered(t) ==
    IF thread[t].doing = Idle /\ thread[t].at <= Len(Programs[t])
    THEN Programs[t][thread[t].at] ELSE {}

\* `fails' says that the call will return without having done anything.
Began(t, v, fails) == [thread EXCEPT ![t].doing = v @@ [fails |-> fails]]
Ended(t)           == [thread EXCEPT ![t] = [at |-> @.at + 1, doing |-> Idle]]

\* The thread whose call about region mr has not returned.
CallerOf(mr) ==
    CHOOSE t \in Threads :
        /\ thread[t].doing.verb \in {"register", "deregister", "reregister"}
        /\ thread[t].doing.mr = mr /\ ~thread[t].doing.fails

NextStep(mr) == IF region[mr].plan = << >> THEN "" ELSE Head(region[mr].plan)

Event(name, mr) == [name |-> name, host |-> OwnHost, mr |-> mr, key |-> region[mr].key]

PinEvent(name, mr, r, frame) ==
    [name |-> name, host |-> OwnHost, mr |-> mr, va |-> r.va, len |-> r.len, dma_addr |-> frame]

\* Fills under way that have read entry or translation of this index are stale
\* from now on: what a version number shows.
Overtaken(index) ==
    [cache EXCEPT
        !.keyFill = IF @ # NoFill /\ @.index = index THEN [@ EXCEPT !.stale = TRUE] ELSE @,
        !.translationFill = IF @ # NoFill /\ @.index = index THEN [@ EXCEPT !.stale = TRUE] ELSE @]

-------------------------------------------------------------------------------
(***************************************************************************)
(* The plans.                                                              *)
(***************************************************************************)
If(condition, steps) == IF condition THEN steps ELSE << >>

KeyCacheStep         == If(HasKeyCache /\ ~Has("SkipsKeyCache"), << "keyCache" >>)
TranslationCacheStep == If(HasTranslationCache /\ ~Has("SkipsTranslationCache"),
                           << "translationCache" >>)

\* Cache steps before the return, and after it.  OnNextMiss is no step at all.
\* A translation may be fetched again by an access under way, so it goes after
\* the drain.
KeyCacheBefore == If(Is("KeyCacheInvalidation", "BeforeReturn"), KeyCacheStep)
TranslationBefore ==
    If(Is("TranslationCacheInvalidation", "BeforeReturn"), TranslationCacheStep)

CachesAfter ==
    If(P("KeyCacheInvalidation") \in {"AfterReturn", "Batched"}, KeyCacheStep)
    \o If(P("TranslationCacheInvalidation") \in {"AfterReturn", "Batched"}, TranslationCacheStep)

RegisterPlan == << "pin", "enter", "return" >>

Fence ==
    If(~Has("KeyOutlivesDereg"), << "revoke" >>)
    \o KeyCacheBefore
    \o If(Is("QueuePairsOnDereg", "PutInError"), << "queuePairs" >>)

DeregisterPlan ==
    CASE Has("DeregDoesNotDrain") \/ Has("DeregReturnsWithReferences") ->
             Fence \o << "return", "unpin" >>
      [] Has("UnpinBeforeRevoke") -> << "unpin" >> \o Fence \o << "drain", "return" >>
      [] Has("UnpinBeforeDrain")  -> Fence \o << "unpin", "drain", "return" >>
      [] Has("DoubleUnpin")       -> Fence \o << "drain", "unpin", "unpin", "return" >>
      [] Is("DeregPolicy", "NoFence") ->
             Fence \o TranslationBefore \o << "unpin", "return" >> \o CachesAfter
      [] Is("DeregPolicy", "RefcountReturn") ->
             Fence \o << "return", "drain" >> \o TranslationBefore \o << "unpin" >> \o CachesAfter
      [] Is("DeregPolicy", "Lazy") ->
             << "return" >> \o Fence \o << "drain" >> \o TranslationBefore \o << "unpin" >>
             \o CachesAfter
      [] P("DeregPolicy") \in {"DrainWait", "DrainTimeoutBusy", "RefuseIfBusy"} ->
             Fence \o << "drain" >> \o TranslationBefore \o << "unpin", "return" >> \o CachesAfter

\* moves: to other pages.
ReregisterPlan(moves) ==
    LET pin   == If(moves, << "pin" >>)
        unpin == If(moves, << "unpin" >>)
    IN CASE Has("ReregUnpinsFirst") \/ Is("ReregOrder", "UnpinFirst") ->        \* D3: old
                unpin \o pin \o If(moves, << "translate" >>) \o << "attributes" >>
                \o KeyCacheBefore \o TranslationBefore \o << "return" >> \o CachesAfter
         [] Has("ReregMixes") \/ Is("ReregOrder", "InPlace") ->                 \* R3
                pin \o If(moves, << "translate" >>) \o << "attributes" >>
                \o KeyCacheBefore \o << "drain" >> \o TranslationBefore \o unpin
                \o << "return" >> \o CachesAfter
         [] Is("ReregOrder", "RevokeFirst") ->                                  \* D3: new
                << "revoke" >> \o KeyCacheBefore \o << "drain" >> \o TranslationBefore
                \o pin \o unpin \o << "enter", "return" >> \o CachesAfter

-------------------------------------------------------------------------------
(***************************************************************************)
(* Calls.                                                                  *)
(***************************************************************************)
OnlyKeys == UNCHANGED <<settingVars, cache, pairVars>>

\* ibv_reg_mr, trace point reg.call.
CallRegister(t, v) ==
    /\ v.verb = "register" /\ region[v.mr].stage = "unused"
    /\ \E c \in KeyCandidates :
           LET key == KeyOf(c.index, c.tag)
           IN /\ region' = [region EXCEPT ![v.mr] =
                    [NoRegion EXCEPT !.stage = "registering", !.plan = RegisterPlan, !.key = key,
                        !.lkey = LocalKeyOf(c), !.pd = v.pd, !.va = v.va, !.len = v.len,
                        !.rights = v.rights, !.frame = v.frame]]
              /\ allocator' = Taken(c)
              /\ Emit([name |-> "reg.call", host |-> OwnHost, mr |-> v.mr, key |-> key])
    /\ thread' = Began(t, v, FALSE)
    /\ UNCHANGED <<table, window>>
    /\ OnlyKeys

\* ibv_dereg_mr, trace point dereg.call.
CallDeregister(t, v) ==
    /\ v.verb = "deregister"
    /\ region[v.mr].stage \notin {"unused", "registering", "changing"}
    /\ LET fails == \/ region[v.mr].stage \notin {"live", "busy"}                    \* L26
                    \/ /\ WindowsOn(v.mr) # {} /\ Is("WindowDereg", "Refuse")        \* D1, D5
                       /\ ~Has("DeregWithWindow")
                    \/ UsersOf(v.mr) # {} /\ Is("DeregPolicy", "RefuseIfBusy")       \* D9
       IN /\ thread' = Began(t, v, fails)
          /\ region' = IF fails THEN region
                       ELSE [region EXCEPT ![v.mr].stage = "ending", ![v.mr].plan = DeregisterPlan]
    /\ UNCHANGED <<table, window, allocator>>
    /\ OnlyKeys
    /\ Emit(Event("dereg.call", v.mr))

\* The call returns without having done anything.
ReturnFailure(t) ==
    /\ thread[t].doing.verb = "deregister" /\ thread[t].doing.fails
    /\ thread' = Ended(t)
    /\ UNCHANGED keyVars
    /\ OnlyKeys
    /\ LET mr == thread[t].doing.mr
       IN Emit(Event("dereg.return", mr)
               @@ [status |-> IF region[mr].stage = "live" /\ WindowsOn(mr) = {}
                              THEN "busy" ELSE "error"])

\* ibv_rereg_mr, trace point rereg.call (K20: the key stays).
CallReregister(t, v) ==
    /\ v.verb = "reregister" /\ region[v.mr].stage = "live"
    /\ thread' = Began(t, v, FALSE)
    /\ region' = [region EXCEPT ![v.mr].stage = "changing",
                                ![v.mr].plan = ReregisterPlan(v.frame # region[v.mr].frame),
                                ![v.mr].asked = << [pd |-> v.pd, va |-> v.va, len |-> v.len,
                                                    rights |-> v.rights, frame |-> v.frame] >>]
    /\ UNCHANGED <<table, window, allocator>>
    /\ OnlyKeys
    /\ Emit(Event("rereg.call", v.mr)
            @@ [pd |-> v.pd, va |-> v.va, len |-> v.len, rights |-> v.rights])

-------------------------------------------------------------------------------
(***************************************************************************)
(* The steps of a call about region mr.                                    *)
(***************************************************************************)
Did(mr) == [region EXCEPT ![mr].plan = Tail(@)]

\* What the region has once the call has taken effect.
Wanted(mr) ==
    IF region[mr].asked = << >> \/ Has("ReregKeepsOld") THEN region[mr]
    ELSE LET a == region[mr].asked[1]
         IN [region[mr] EXCEPT !.pd = a.pd, !.va = a.va, !.len = a.len, !.rights = a.rights,
                               !.frame = a.frame]

\* ReregKey New: the next tag of the same index.
RekeyedTag(mr) ==
    IF region[mr].asked # << >> /\ Is("ReregKey", "New")
    THEN (TagOf(region[mr].key) + 1) % Tags ELSE TagOf(region[mr].key)

Rekeyed(mr, r) ==
    IF RekeyedTag(mr) = TagOf(r.key) THEN r
    ELSE [r EXCEPT !.key  = KeyOf(IndexOf(r.key), RekeyedTag(mr)),
                   !.lkey = KeyOf(IndexOf(r.key), RekeyedTag(mr))]

PinPages(mr) ==
    /\ NextStep(mr) = "pin"
    /\ LET frame == IF region[mr].asked = << >> THEN region[mr].frame ELSE region[mr].asked[1].frame
           r     == IF region[mr].asked = << >> THEN region[mr] ELSE region[mr].asked[1]
       IN /\ region' = [region EXCEPT ![mr].plan = Tail(@), ![mr].pinned = @ \cup {frame}]
          /\ Emit(PinEvent("pin", mr, r, frame))
    /\ UNCHANGED <<table, window, allocator, thread>>
    /\ OnlyKeys

\* From here on the key works.
EnterInTable(mr) ==
    /\ NextStep(mr) = "enter"
    /\ LET r == Rekeyed(mr, Wanted(mr))
       IN /\ region' = [region EXCEPT ![mr] = [r EXCEPT !.plan = Tail(@), !.pages = r.frame]]
          /\ table' = [table EXCEPT ![IndexOf(r.key)] = RegionEntry(mr, r)]
          /\ cache' = Overtaken(IndexOf(r.key))
    /\ UNCHANGED <<settingVars, window, allocator, thread, pairVars>>
    /\ EmitNothing

\* Re-registration in place: the translation, then the attributes (L48).
ChangeTranslation(mr) ==
    /\ NextStep(mr) = "translate"
    /\ region' = [region EXCEPT ![mr].plan = Tail(@), ![mr].pages = region[mr].asked[1].frame]
    /\ cache' = Overtaken(IndexOf(region[mr].key))
    /\ UNCHANGED <<settingVars, table, window, allocator, thread, pairVars>>
    /\ EmitNothing

ChangeAttributes(mr) ==
    /\ NextStep(mr) = "attributes"
    /\ LET r == Rekeyed(mr, Wanted(mr))
       IN /\ region' = [region EXCEPT ![mr] = [r EXCEPT !.plan = Tail(@)]]
          /\ table' = [table EXCEPT ![IndexOf(r.key)] = RegionEntry(mr, r)]
          /\ cache' = Overtaken(IndexOf(r.key))
    /\ UNCHANGED <<settingVars, window, allocator, thread, pairVars>>
    /\ EmitNothing

\* From here on every new check of the table refuses.  A deregistration takes
\* the entry away, and with it its windows (WindowDereg Cascade).
RevokeKey(mr) ==
    /\ NextStep(mr) = "revoke"
    /\ LET index   == IndexOf(region[mr].key)
           mine(e) == e.mr = mr /\ (e.mw = 0 \/ ~Has("DeregWithWindow"))
       IN /\ table' = [i \in AllIndices |->
                          IF ~mine(table[i]) \/ table[i].mr = 0 THEN table[i]
                          ELSE IF region[mr].stage = "changing"
                               THEN [table[i] EXCEPT !.valid = (table[i].mw # 0) /\ @]
                          ELSE NoEntry]
          /\ window' = IF region[mr].stage = "changing" \/ Has("DeregWithWindow") THEN window
                       ELSE [w \in MwNumbers |-> IF w \in WindowsOn(mr)
                                THEN [window[w] EXCEPT !.stage = "free"] ELSE window[w]]
          /\ cache' = Overtaken(index)
          /\ allocator' = IF region[mr].stage # "changing"
                             /\ \/ Is("KeyReleasePoint", "BeforeDeregReturn")             \* K5
                                \/ region[mr].stage = "returned"                          \* Lazy
                          THEN Released(region[mr].key) ELSE allocator
    /\ region' = Did(mr)
    /\ UNCHANGED <<settingVars, thread, pairVars>>
    /\ EmitNothing

\* D2, D7, L45.  With a blocking guard it waits for a fill under way (L46).
InvalidateKeyCache(mr) ==
    /\ NextStep(mr) = "keyCache"
    /\ Is("CacheFillGuard", "Blocked") => cache.keyFill = NoFill
    /\ cache' = [cache EXCEPT !.key = IF @.mr = mr THEN NoEntry ELSE @]
    /\ region' = Did(mr)
    /\ UNCHANGED <<settingVars, table, window, allocator, thread, pairVars>>
    /\ EmitNothing

InvalidateTranslationCache(mr) ==
    /\ NextStep(mr) = "translationCache"
    /\ Is("CacheFillGuard", "Blocked") => cache.translationFill = NoFill
    /\ cache' = [cache EXCEPT !.translation = IF @.index = IndexOf(region[mr].key)
                                              THEN NoTranslation ELSE @]
    /\ region' = Did(mr)
    /\ UNCHANGED <<settingVars, table, window, allocator, thread, pairVars>>
    /\ EmitNothing

\* D4: queue pairs that hold the region go to ERR, one after the other.
PutQueuePairInError(mr) ==
    /\ NextStep(mr) = "queuePairs"
    /\ LET victims == {q \in UsersOf(mr) : responder[q].state # "ERR"}
       IN IF victims = {}
          THEN /\ region' = Did(mr)
               /\ UNCHANGED responder
               /\ EmitNothing
          ELSE LET q == CHOOSE q \in victims : TRUE
               IN /\ responder' = [responder EXCEPT ![q].state = "ERR", ![q].message = NoMessage,
                        ![q].hand = IF IsUnderWay(@) THEN @ ELSE Nothing]
                  /\ UNCHANGED region
                  /\ Emit([name |-> "qp.state", host |-> OwnHost, qp |-> q, state |-> "ERR",
                           by |-> "device"])
    /\ UNCHANGED <<settingVars, table, window, allocator, cache, thread, requester, wire>>

\* D2, D4: wait until nobody uses it.
Drain(mr) ==
    /\ NextStep(mr) = "drain"
    /\ UsersOf(mr) = {}
    /\ region' = Did(mr)
    /\ UNCHANGED <<table, window, allocator, thread>>
    /\ OnlyKeys
    /\ EmitNothing

\* D4: it gives up.  The key stays dead and the pages stay pinned.
TimeOutDrain(mr) ==
    /\ NextStep(mr) = "drain" /\ region[mr].stage = "ending"
    /\ Is("DeregPolicy", "DrainTimeoutBusy")
    /\ UsersOf(mr) # {}
    /\ region' = [region EXCEPT ![mr].stage = "busy", ![mr].plan = << >>]
    /\ thread' = Ended(CallerOf(mr))
    /\ UNCHANGED <<table, window, allocator>>
    /\ OnlyKeys
    /\ Emit(Event("dereg.return", mr) @@ [status |-> "busy"])

UnpinPages(mr) ==
    /\ NextStep(mr) = "unpin"
    /\ LET r     == region[mr]
           \* the old pages: after `enter' or `attributes' the region has new ones
           old   == IF r.asked # << >> THEN r.pinned \ {r.asked[1].frame} ELSE r.pinned
           frame == IF old = {} THEN r.frame ELSE Least(old)
       IN /\ region' = [region EXCEPT ![mr].plan = Tail(@), ![mr].pinned = @ \ {frame}]
          /\ Emit(PinEvent("unpin", mr, r, frame))
    /\ UNCHANGED <<table, window, allocator, thread>>
    /\ OnlyKeys

\* The call returns: trace points reg, rereg.return, dereg.return.
ReturnFromCall(mr) ==
    /\ NextStep(mr) = "return"
    /\ LET r == region[mr]
       IN /\ region' = [region EXCEPT
                 ![mr].plan  = Tail(@),
                 ![mr].asked = << >>,
                 ![mr].stage = IF @ = "ending" THEN "returned" ELSE "live"]
          /\ allocator' = IF r.stage = "ending" /\ ~Is("KeyReleasePoint", "BeforeDeregReturn")
                             /\ "revoke" \notin Elements(r.plan)
                          THEN Released(r.key) ELSE allocator
          /\ Emit(CASE r.stage = "registering" ->
                           Event("reg", mr) @@ [pd |-> r.pd, lkey |-> r.lkey, va |-> r.va,
                                                len |-> r.len, rights |-> r.rights]
                    [] r.stage = "changing" -> Event("rereg.return", mr) @@ [status |-> "ok"]
                    [] r.stage = "ending"   -> Event("dereg.return", mr) @@ [status |-> "ok"])
    /\ thread' = Ended(CallerOf(mr))
    /\ UNCHANGED <<table, window>>
    /\ OnlyKeys

-------------------------------------------------------------------------------
(***************************************************************************)
(* Windows and protection domains.                                         *)
(***************************************************************************)

\* ibv_dealloc_mw.
CallDeallocWindow(t, v) ==
    /\ v.verb = "deallocWindow" /\ window[v.mw].stage \in {"free", "bound"}
    /\ window' = [window EXCEPT ![v.mw].stage = "ending"]
    /\ thread' = Began(t, v, FALSE)
    /\ UNCHANGED <<table, region, allocator>>
    /\ OnlyKeys
    /\ Emit([name |-> "mw.dealloc.call", host |-> OwnHost, mw |-> v.mw, key |-> window[v.mw].key])

RevokeWindow(mw) ==
    /\ window[mw].stage = "ending"
    /\ window' = [window EXCEPT ![mw].stage = "revoked"]
    /\ table' = [table EXCEPT ![Windows[mw].index] = NoEntry]
    /\ UNCHANGED <<region, allocator, thread>>
    /\ OnlyKeys
    /\ EmitNothing

ReturnDeallocWindow(t) ==
    /\ thread[t].doing.verb = "deallocWindow"
    /\ LET mw == thread[t].doing.mw
       IN /\ window[mw].stage = "revoked"
          /\ P("DeregPolicy") \in {"NoFence", "RefcountReturn", "Lazy"} \/ UsersOfWindow(mw) = {}
          /\ window' = [window EXCEPT ![mw].stage = "gone"]
          /\ Emit([name |-> "mw.dealloc.return", host |-> OwnHost, mw |-> mw,
                   key |-> window[mw].key, status |-> "ok"])
    /\ thread' = Ended(t)
    /\ UNCHANGED <<table, region, allocator>>
    /\ OnlyKeys

\* ibv_dealloc_pd: refused while anything is in it.
DeallocateDomain(t, v) ==
    /\ v.verb = "deallocDomain"
    /\ LET inUse == \/ \E mr \in Numbers : /\ region[mr].pd = v.pd
                                           /\ region[mr].stage \notin {"unused", "returned"}
                    \/ \E mw \in MwNumbers : Windows[mw].pd = v.pd /\ window[mw].stage # "gone"
                    \/ \E q \in Devices : QueuePairs[q].pd = v.pd
       IN Emit([name |-> "pd.dealloc", host |-> OwnHost, pd |-> v.pd,
                status |-> IF inUse /\ ~Has("DestroysDomainInUse") THEN "busy" ELSE "ok"])
    /\ thread' = Ended(t)
    /\ UNCHANGED keyVars
    /\ OnlyKeys

\* Release the pages of a fast registration.
UnmapPages(t, v) ==
    /\ v.verb = "unmap" /\ region[v.mr].pinned # {}
    /\ region' = [region EXCEPT ![v.mr].pinned = {}]
    /\ thread' = Ended(t)
    /\ UNCHANGED <<table, window, allocator>>
    /\ OnlyKeys
    /\ Emit(PinEvent("unpin", v.mr, region[v.mr], region[v.mr].frame))

-------------------------------------------------------------------------------
(***************************************************************************)
(* Threads that wait or do nothing; time that passes.                      *)
(***************************************************************************)
AwaitWork(t, v) ==
    /\ v.verb = "await"
    /\ \E i \in 1 .. requester[v.qp].completed : requester[v.qp].queue[i].wr = v.wr
    /\ requester[v.qp].failure = "none"            \* after an error nothing is known (D16)
    /\ thread' = Ended(t)
    /\ UNCHANGED keyVars
    /\ OnlyKeys
    /\ EmitNothing

SkipVerb(t, v) ==
    /\ v.verb = "skip"
    /\ thread' = Ended(t)
    /\ UNCHANGED keyVars
    /\ OnlyKeys
    /\ EmitNothing

\* Quarantine until an epoch is over: it may be over at any time.
PassEpoch ==
    /\ Is("Quarantine", "UntilEpoch") /\ allocator.dead # << >>
    /\ allocator' = [allocator EXCEPT !.dead = << >>]
    /\ UNCHANGED <<table, region, window, thread>>
    /\ OnlyKeys
    /\ EmitNothing

-------------------------------------------------------------------------------
(***************************************************************************)
(* Only with a defect.                                                     *)
(***************************************************************************)
ReturnTwice(mr) ==
    /\ Has("DoubleReturn") /\ region[mr].stage = "returned"
    /\ UNCHANGED <<keyVars, thread>>
    /\ OnlyKeys
    /\ Emit(Event("dereg.return", mr) @@ [status |-> "ok"])

ReuseNumber(mr) ==
    /\ Has("ReuseOfNumber") /\ region[mr].stage = "live" /\ ~region[mr].fast      \* once
    /\ region' = [region EXCEPT ![mr].fast = TRUE]
    /\ UNCHANGED <<table, window, allocator, thread>>
    /\ OnlyKeys
    /\ Emit(Event("reg", mr) @@ [pd |-> region[mr].pd, lkey |-> region[mr].lkey,
            va |-> region[mr].va, len |-> region[mr].len, rights |-> region[mr].rights])

ForgetKey(mr) ==
    /\ Has("ForgetsKey") /\ region[mr].stage = "live"
    /\ TableEntry(region[mr].key).mr = mr
    /\ table' = [table EXCEPT ![IndexOf(region[mr].key)] = NoEntry]
    /\ UNCHANGED <<region, window, allocator, thread>>
    /\ OnlyKeys
    /\ EmitNothing

-------------------------------------------------------------------------------
CallVerb(t, v) ==
    \/ CallRegister(t, v) \/ CallDeregister(t, v) \/ CallReregister(t, v)
    \/ CallDeallocWindow(t, v) \/ DeallocateDomain(t, v) \/ UnmapPages(t, v)
    \/ AwaitWork(t, v) \/ SkipVerb(t, v)

PerformStep(mr) ==
    \/ /\ region[mr].plan # << >>
       /\ \/ PinPages(mr) \/ EnterInTable(mr) \/ ChangeTranslation(mr) \/ ChangeAttributes(mr)
          \/ RevokeKey(mr) \/ InvalidateKeyCache(mr) \/ InvalidateTranslationCache(mr)
          \/ PutQueuePairInError(mr) \/ Drain(mr) \/ TimeOutDrain(mr) \/ UnpinPages(mr)
          \/ ReturnFromCall(mr)
    \/ ReturnTwice(mr) \/ ReuseNumber(mr) \/ ForgetKey(mr)

RegistrationNext ==
    \/ \E t \in Threads : \E v \in Offered(t) : CallVerb(t, v)
    \/ \E t \in Threads : ReturnFailure(t) \/ ReturnDeallocWindow(t)
    \/ \E mr \in Numbers : PerformStep(mr)
    \/ \E mw \in MwNumbers : RevokeWindow(mw)
    \/ PassEpoch

=============================================================================
