--------------------------------- MODULE Access -------------------------------
(***************************************************************************)
(* Packets, what they want of memory, the caches on the way there, and the *)
(* steps check, translate, DMA that responder and requester share.         *)
(*                                                                         *)
(* MODELLED.  A check compares the key cache's copy or the table's entry;  *)
(* a translation comes from the translation cache or from the table; both  *)
(* caches hold one entry; a fill reads the table in one step and installs  *)
(* what it has read in another (L46).                                      *)
(*                                                                         *)
(* NOT MODELLED, and which way that errs.  One packet of a queue pair at a *)
(* time is in hand, so accesses of one queue pair do not overlap each      *)
(* other: what needs that is missed.  Ordering inside the host is not      *)
(* modelled.                                                               *)
(*                                                                         *)
(* Java twins: org.mrcheck.rnic.KeyTable#check, DmaStage.                  *)
(***************************************************************************)
EXTENDS Registration, Wire

-------------------------------------------------------------------------------
(***************************************************************************)
(* Packets.                                                                *)
(***************************************************************************)
Writes  == {"RDMA_WRITE", "RDMA_WRITE_WITH_IMM"}
Reads   == {"RDMA_READ"}
Atomics == {"ATOMIC_FETCH_AND_ADD"}
Sends   == {"SEND", "SEND_WITH_INV"}
LocalWorks == {"LOCAL_INV", "BIND_MW", "REG_MR"}

\* How many PSNs a message takes: a READ takes those of its responses (E3).
Count(work) ==
    CASE work.op \in LocalWorks -> 0
      [] work.op \in Atomics    -> 1
      [] OTHER                  -> Max(1, (work.len + Mtu - 1) \div Mtu)

\* The posted work whose packet has this PSN.
WorkAt(p, psn) ==
    LET queue == requester[p].queue
    IN queue[CHOOSE i \in DOMAIN queue : queue[i].first <= psn /\ psn <= queue[i].last]

PlaceOf(p, psn) ==
    LET queue == requester[p].queue
    IN CHOOSE i \in DOMAIN queue : queue[i].first <= psn /\ psn <= queue[i].last

IsPosted(p, psn) ==
    \E i \in DOMAIN requester[p].queue :
        requester[p].queue[i].first <= psn /\ psn <= requester[p].queue[i].last

OffsetOf(work, psn) == (psn - work.first) * Mtu

\* The bytes of a message that belong to a PSN.
ShareOf(work, psn) ==
    IF work.op \in Atomics THEN work.len ELSE Min(Mtu, work.len - OffsetOf(work, psn))

\* What the packet itself carries.
PayloadOf(work, psn) == IF work.op \in Reads \cup Atomics THEN 0 ELSE ShareOf(work, psn)

AfterPacket(work, psn) == IF work.op \in Reads THEN work.last + 1 ELSE psn + 1

Position(work, psn) ==
    CASE work.first = work.last -> "ONLY"
      [] psn = work.first       -> "FIRST"
      [] psn = work.last        -> "LAST"
      [] OTHER                  -> "MIDDLE"

Prefix == Transport \o "_"

Suffix(work, psn) ==
    IF work.op = "RDMA_WRITE_WITH_IMM" /\ psn = work.last THEN "_WITH_IMMEDIATE" ELSE ""

Opcode(work, psn) ==
    CASE work.op \in Writes  -> Prefix \o "RDMA_WRITE_" \o Position(work, psn) \o Suffix(work, psn)
      [] work.op \in Reads   -> "RC_RDMA_READ_REQUEST"
      [] work.op \in Atomics -> "RC_FETCH_ADD"
      [] work.op = "SEND_WITH_INV" /\ psn = work.last ->
             Prefix \o "SEND_" \o Position(work, psn) \o "_WITH_INVALIDATE"
      [] work.op \in Sends   -> Prefix \o "SEND_" \o Position(work, psn)

\* C5: only the first packet of a message carries an address and a key.
PacketEvent(name, q, work, psn) ==
    LET plain == [name |-> name, host |-> HostOf(q), qp |-> q, op |-> Opcode(work, psn),
                  psn |-> psn, payload |-> PayloadOf(work, psn)]
        address == [key |-> work.key, va |-> work.va, len |-> work.len]
    IN CASE work.op \in Reads \cup Atomics -> plain @@ address
         [] work.op \in Writes /\ psn = work.first -> plain @@ address
         [] work.op = "SEND_WITH_INV" /\ psn = work.last -> plain @@ [inv |-> work.key]
         [] OTHER -> plain

RightFor(work) ==
    CASE work.op \in Writes -> "remote_write"
      [] work.op \in Reads  -> "remote_read"
      [] work.op \in Atomics -> "remote_atomic"

-------------------------------------------------------------------------------
(***************************************************************************)
(* Checks.                                                                 *)
(***************************************************************************)
CheckEvent(q, psn, access, key, va, len, remaining, faults) ==
    LET e == [name |-> "check", host |-> OwnHost, qp |-> q, psn |-> psn, access |-> access,
              key |-> key, va |-> va, len |-> len, remaining |-> remaining,
              verdict |-> IF faults = {} THEN "accept" ELSE "refuse"]
    IN IF faults = {} THEN e ELSE e @@ [cause |-> CauseOf(faults)]

\* A message whose later packets are not checked (C7).
ChecksOnce ==
    Is("WriteCheck", "PerMessageFirst") \/ Is("RecheckDepth", "None") \/ Has("SkipsRecheck")
    \/ Has("DeregReturnsWithReferences")

ChecksEachResponse ==
    Is("ReadCheck", "PerResponsePacket") /\ ~Is("RecheckDepth", "None")
    /\ ~Has("SkipsRecheck") /\ ~Has("DeregReturnsWithReferences")

\* What a later check of a message finds wrong, given what the first one found.
RecheckFaults(entry, q, key, access, va, len, mr, mw) ==
    (IF Is("RecheckDepth", "Lite") \/ Has("LiteRecheck") THEN LiteFaults(entry, key)
     ELSE Faults(entry, q, key, access, va, len))
    \cup (IF Is("RecheckBy", "Identity") /\ ~Has("RechecksByKeyValue")
             /\ (entry.mr # mr \/ entry.mw # mw)
          THEN {"key"} ELSE {})

-------------------------------------------------------------------------------
(***************************************************************************)
(* Translation.                                                            *)
(***************************************************************************)

\* Whether a check that accepts also translates.
TranslatesAtOnce == ~SplitTranslation /\ ~HasTranslationCache

IndexOfRegion(mr) == IndexOf(region[mr].key)

IsTranslated(mr) == HasTranslationCache => cache.translation.index = IndexOfRegion(mr)

FrameOf(mr) == IF HasTranslationCache THEN cache.translation.frame ELSE region[mr].pages

\* A hand or a job that has passed its check.
Passed(h, mr, mw) ==
    [h EXCEPT !.stage = IF TranslatesAtOnce THEN "translated" ELSE "accepted",
              !.mr = mr, !.mw = mw,
              !.frame = IF TranslatesAtOnce THEN FrameOf(mr) ELSE 0]

TranslateForResponder(q) ==
    /\ responder[q].hand.stage = "accepted" /\ IsTranslated(responder[q].hand.mr)
    /\ responder' = [responder EXCEPT ![q].hand.stage = "translated",
                                      ![q].hand.frame = FrameOf(responder[q].hand.mr)]
    /\ UNCHANGED <<settingVars, keyVars, cache, thread, requester, wire>>
    /\ EmitNothing

TranslateForRequester(q) ==
    /\ requester[q].job.stage = "accepted" /\ IsTranslated(requester[q].job.mr)
    /\ requester' = [requester EXCEPT ![q].job.stage = "translated",
                                      ![q].job.frame = FrameOf(requester[q].job.mr)]
    /\ UNCHANGED <<settingVars, keyVars, cache, thread, responder, wire>>
    /\ EmitNothing

\* The access: `h' is a hand or a job that is translated.
DmaEvent(name, q, h, key, va, len) ==
    LET holder == TableEntry(key)
        mr     == IF Has("DmaElsewhere") /\ holder.mr # 0 THEN holder.mr ELSE h.mr
        frame  == IF mr = h.mr THEN h.frame ELSE region[mr].pages
    IN [name |-> name, host |-> OwnHost, qp |-> q, psn |-> h.at, mr |-> mr, key |-> key,
        va |-> va, len |-> IF Has("DmaTooLong") THEN len + 1 ELSE len,
        dma_addr |-> frame + va - region[mr].va]

-------------------------------------------------------------------------------
(***************************************************************************)
(* Fills of the caches.                                                    *)
(***************************************************************************)
OnlyCache == UNCHANGED <<settingVars, keyVars, thread, pairVars>>

\* A packet waits for this key.
IsWanted(key) ==
    \E q \in Devices :
        /\ responder[q].hand.stage \in {"arrived", "asked", "queued"}
        /\ responder[q].state = "RTS"
        /\ WorkAt(PeerOf(q), responder[q].hand.psn).key = key

\* The key cache misses and reads the table.
FetchEntry(key) ==
    /\ MustFill(key) /\ cache.keyFill = NoFill /\ IsWanted(key)
    /\ cache' = [cache EXCEPT !.keyFill = [index |-> IndexOf(key), entry |-> TableEntry(key),
                                           stale |-> FALSE]]
    /\ OnlyCache /\ EmitNothing

\* What a guard lets in (L46).
MayInstall(fill) ==
    ~fill.stale \/ Is("CacheFillGuard", "None") \/ Has("FillAfterInvalidate")

InstallEntry ==
    /\ cache.keyFill # NoFill
    /\ cache' = [cache EXCEPT !.key = IF MayInstall(cache.keyFill) THEN cache.keyFill.entry ELSE @,
                              !.keyFill = NoFill]
    /\ OnlyCache /\ EmitNothing

\* The translation cache misses and reads the translation of region mr.
FetchTranslation(mr) ==
    /\ HasTranslationCache /\ ~IsTranslated(mr) /\ cache.translationFill = NoFill
    /\ \E q \in Devices : \/ responder[q].hand.stage = "accepted" /\ responder[q].hand.mr = mr
                          \/ requester[q].job.stage = "accepted" /\ requester[q].job.mr = mr
    /\ cache' = [cache EXCEPT !.translationFill = [index |-> IndexOfRegion(mr),
                                                   frame |-> region[mr].pages, stale |-> FALSE]]
    /\ OnlyCache /\ EmitNothing

InstallTranslation ==
    /\ cache.translationFill # NoFill
    /\ cache' = [cache EXCEPT
                    !.translation = IF MayInstall(cache.translationFill)
                                    THEN [index |-> cache.translationFill.index,
                                          frame |-> cache.translationFill.frame] ELSE @,
                    !.translationFill = NoFill]
    /\ OnlyCache /\ EmitNothing

\* A fill that was dropped leaves its packet waiting; its key is looked up again.
CacheNext ==
    \/ \E index \in AllIndices : FetchEntry(table[index].key)
    \/ InstallEntry
    \/ \E mr \in Numbers : FetchTranslation(mr)
    \/ InstallTranslation

=============================================================================
