--------------------------------- MODULE Machine ------------------------------
(***************************************************************************)
(* A device that does remote memory access, its driver, the owners of      *)
(* memory, their peers and the wire: all the parts together.               *)
(*                                                                         *)
(*   Policies, Profiles   what devices differ in, and which does what      *)
(*   Setting              which device, which defect, which scenario       *)
(*   State                the variables                                    *)
(*   Keys                 how keys are made, found and compared            *)
(*   Registration         what owners call, step by step                   *)
(*   Wire                 what lies between queue pairs                    *)
(*   Access               check, translate, DMA; the caches                *)
(*   Responder, Requester the two sides of a queue pair                    *)
(*                                                                         *)
(* A SCENARIO is data: regions that exist, queue pairs, what each thread   *)
(* may call, what the wire may do.  See module Setting for its words.      *)
(***************************************************************************)
EXTENDS Requester

-------------------------------------------------------------------------------
(***************************************************************************)
(* Before the story: regions are registered, windows allocated, queue      *)
(* pairs connected, receives posted.                                       *)
(***************************************************************************)
ExistingRegion(r) ==
    LET key  == KeyOf(r.index, r.tag)
        lkey == LocalKeyOf([index |-> r.index, tag |-> r.tag])
    IN [NoRegion EXCEPT !.stage = "live", !.key = key, !.lkey = lkey, !.pd = r.pd, !.va = r.va,
           !.len = r.len, !.rights = r.rights, !.frame = r.frame, !.pages = r.frame,
           !.pinned = {r.frame}, !.fast = r.fast]

Existent(mr) == \E i \in DOMAIN Existing : Existing[i].mr = mr
InExistence(mr) == Existing[CHOOSE i \in DOMAIN Existing : Existing[i].mr = mr]

\* Work that is posted before the story begins, with the keys of existing regions.
RECURSIVE PostedQueue(_, _)
PostedQueue(works, first) ==
    IF works = << >> THEN << >>
    ELSE LET work == Head(works)
             key  == CASE work.op = "REG_MR"  -> KeyOf(work.index, work.tag)
                       [] work.op = "BIND_MW" -> KeyOf(Windows[work.window].index, work.tag)
                       [] work.to # 0 -> ExistingRegion(InExistence(work.to)).key
                       [] OTHER       -> work.key
             lkey == IF work.from = 0 THEN 0 ELSE ExistingRegion(InExistence(work.from)).lkey
         IN << [work EXCEPT !.key = key]
               @@ [lkey |-> lkey, first |-> first, last |-> first + Count(work) - 1,
                   started |-> FALSE] >>
            \o PostedQueue(Tail(works), first + Count(work))

RECURSIVE InOrder(_)
InOrder(s) == IF s = {} THEN << >> ELSE << Least(s) >> \o InOrder(s \ {Least(s)})

MachineInit ==
    /\ SettingInit
    /\ region = [mr \in Numbers |-> IF Existent(mr) THEN ExistingRegion(InExistence(mr))
                                    ELSE NoRegion]
    /\ table = [i \in AllIndices |->
                   IF \E mr \in Numbers : Existent(mr) /\ InExistence(mr).index = i
                   THEN LET mr == CHOOSE mr \in Numbers : Existent(mr) /\ InExistence(mr).index = i
                        IN RegionEntry(mr, ExistingRegion(InExistence(mr)))
                   ELSE NoEntry]
    /\ window = [w \in MwNumbers |-> [stage |-> "free", key |-> 0, mr |-> 0]]
    /\ allocator = [free |-> InOrder({i \in Indices : ~\E mr \in Numbers :
                                          Existent(mr) /\ InExistence(mr).index = i}),
                    last |-> [i \in AllIndices |->
                                 IF \E mr \in Numbers : Existent(mr) /\ InExistence(mr).index = i
                                 THEN InExistence(CHOOSE mr \in Numbers :
                                          Existent(mr) /\ InExistence(mr).index = i).tag
                                 ELSE 0],
                    counter |-> Len(Existing),
                    cursor |-> 0,
                    dead |-> << >>]
    /\ cache = [key |-> NoEntry, keyFill |-> NoFill, translation |-> NoTranslation,
                translationFill |-> NoFill]
    /\ thread = [t \in Threads |-> [at |-> 1, doing |-> Idle]]
    /\ responder = [q \in Devices |->
           [state |-> "RTS", expected |-> 0, gap |-> FALSE, hand |-> Nothing,
            message |-> NoMessage, saved |-> {}, receives |-> Receives[q], received |-> 0,
            reported |-> 0, counter |-> 0, owed |-> {}]]
    /\ requester = [q \in DOMAIN QueuePairs |->
           [NewRequester EXCEPT !.queue = PostedQueue(Posted[q], 0)]]
    /\ wire = NewWire

\* What was observed before the story begins: the same for every device but for
\* the lkeys.
RECURSIVE Concatenated(_, _)
Concatenated(s, f) ==
    IF s = {} THEN << >>
    ELSE LET x == CHOOSE x \in s : TRUE IN f[x] \o Concatenated(s \ {x}, f)

RegionPrelude(mr) ==
    LET r == ExistingRegion(InExistence(mr))
    IN << [name |-> "reg.call", host |-> OwnHost, mr |-> mr, key |-> r.key],
          [name |-> "pin", host |-> OwnHost, mr |-> mr, va |-> r.va, len |-> r.len,
           dma_addr |-> r.frame],
          [name |-> "reg", host |-> OwnHost, mr |-> mr, pd |-> r.pd, key |-> r.key,
           lkey |-> r.lkey, va |-> r.va, len |-> r.len, rights |-> r.rights]
          @@ IF r.fast THEN [qp |-> CHOOSE q \in Devices : TRUE] ELSE << >> >>

WindowPrelude(mw) ==
    << [name |-> "mw.alloc", host |-> OwnHost, mw |-> mw, pd |-> Windows[mw].pd,
        type |-> Windows[mw].type] >>

QueuePairPrelude(q) ==
    << [name |-> "qp.create", host |-> HostOf(q), qp |-> q, pd |-> QueuePairs[q].pd,
        rights |-> QueuePairs[q].rights] >>

ConnectionPrelude(q) ==
    IF PeerOf(q) = "" THEN << >>
    ELSE << [name |-> "qp.connect", host |-> HostOf(q), qp |-> q,
             peer |-> [host |-> HostOf(PeerOf(q)), qp |-> PeerOf(q)], receive_psn |-> 0,
             send_psn |-> 0, mtu |-> Mtu] >>

ReceivePrelude(q) ==
    [i \in DOMAIN Receives[q] |->
        LET mr    == Receives[q][i].mr
            plain == [name |-> "post", host |-> OwnHost, qp |-> q, wr |-> Receives[q][i].wr,
                      op |-> "RECV", len |-> IF mr = 0 THEN 0 ELSE InExistence(mr).len]
        IN IF mr = 0 THEN plain ELSE plain @@ [lkey |-> ExistingRegion(InExistence(mr)).lkey]]

PostPrelude(q) ==
    LET queue == PostedQueue(Posted[q], 0)
    IN [i \in DOMAIN queue |-> PostEvent(q, queue[i])]

Prelude ==
    LET existing == {mr \in Numbers : Existent(mr)}
        pairs    == DOMAIN QueuePairs
    IN Concatenated(existing, [mr \in existing |-> RegionPrelude(mr)])
       \o Concatenated(MwNumbers, [mw \in MwNumbers |-> WindowPrelude(mw)])
       \o Concatenated(pairs, [q \in pairs |-> QueuePairPrelude(q)])
       \o Concatenated(pairs, [q \in pairs |-> ConnectionPrelude(q)])
       \o Concatenated(Devices, [q \in Devices |-> ReceivePrelude(q)])
       \o Concatenated(pairs, [q \in pairs |-> PostPrelude(q)])

-------------------------------------------------------------------------------
MachineNext == RegistrationNext \/ WireNext \/ CacheNext \/ ResponderNext \/ RequesterNext

=============================================================================
