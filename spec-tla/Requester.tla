-------------------------------- MODULE Requester -----------------------------
(***************************************************************************)
(* The sending side of a queue pair: posts, packets, answers, time-outs,   *)
(* completions, accesses to its own memory, and the work requests that     *)
(* leave no packet: LOCAL_INV, BIND_MW, REG_MR.                            *)
(*                                                                         *)
(* MODELLED.  Packets in the order of posting, at most two under way;      *)
(* go-back on a sequence NAK and on a time-out; RNR; retries that run out; *)
(* a fatal NAK; completions in order, the first error, then only flushes   *)
(* (E12, L69); the source read before a packet leaves, the sink written    *)
(* when a response comes, each after a check of the lkey (C19, C20); local *)
(* work in order, after all before it has completed (D14).                 *)
(*                                                                         *)
(* NOT MODELLED, and which way that errs.  The reset of a queue pair and   *)
(* selective retransmission: what needs them is missed.  A time-out comes  *)
(* only when nothing is under way: one that comes too early is missed,     *)
(* except while a NAK is delayed (E15).                                    *)
(*                                                                         *)
(* Java twin: org.mrcheck.rnic.Requester.                                  *)
(***************************************************************************)
EXTENDS Responder

OnlyRequester == UNCHANGED <<settingVars, keyVars, cache, thread, responder, wire>>

Queue(q) == requester[q].queue
Job(q)   == requester[q].job

SetJob(q, job) == requester' = [requester EXCEPT ![q].job = job]

NewRequester ==
    [queue |-> << >>, next |-> 0, acked |-> 0, failure |-> "none", failedAt |-> 0,
     completed |-> 0, tries |-> Budget.retries, rnr |-> Budget.retries, job |-> Nothing]

\* It can go on.
IsSending(q) == requester[q].failure = "none" /\ responder[q].state # "ERR"

NextFree(q) == IF Queue(q) = << >> THEN 0 ELSE Queue(q)[Len(Queue(q))].last + 1

-------------------------------------------------------------------------------
(***************************************************************************)
(* Posting.                                                                *)
(***************************************************************************)

\* The key is in the poster's hands.
IsGiven(work) ==
    CASE work.op \in {"BIND_MW", "REG_MR"} -> TRUE
      [] work.window # 0 -> window[work.window].key # 0
      [] work.to # 0     -> region[work.to].stage \notin {"unused", "registering"}
      [] OTHER           -> TRUE

KeyFor(work) ==
    CASE work.op = "BIND_MW" -> KeyOf(Windows[work.window].index, work.tag)
      [] work.op = "REG_MR"  -> KeyOf(work.index, work.tag)
      [] work.window # 0     -> window[work.window].key
      [] work.to # 0         -> region[work.to].key
      [] OTHER               -> work.key

PostEvent(q, w) ==
    LET plain == [name |-> "post", host |-> HostOf(q), qp |-> q, wr |-> w.wr, op |-> w.op,
                  len |-> w.len, signaled |-> IF w.signaled THEN 1 ELSE 0]
    IN plain
       @@ (CASE w.op \in Writes \cup Reads \cup Atomics -> [key |-> w.key, va |-> w.va]
             [] w.op \in {"SEND_WITH_INV", "LOCAL_INV"} -> [inv |-> w.key]
             [] OTHER -> << >>)
       @@ (IF w.from = 0 THEN << >> ELSE [lkey |-> w.lkey])

\* ibv_post_send, trace point post.
PostWork(t, v) ==
    /\ v.verb = "post" /\ IsGiven(v.work)
    /\ LET first == NextFree(v.qp)
           w == v.work @@ [lkey  |-> IF v.work.from = 0 THEN 0 ELSE region[v.work.from].lkey,
                           first |-> first, last |-> first + Count(v.work) - 1,
                           started |-> FALSE]
           resolved == [w EXCEPT !.key = KeyFor(v.work)]
       IN /\ requester' = [requester EXCEPT ![v.qp].queue = Append(@, resolved)]
          /\ Emit(PostEvent(v.qp, resolved))
    /\ thread' = Ended(t)
    /\ UNCHANGED <<settingVars, keyVars, cache, responder, wire>>

-------------------------------------------------------------------------------
(***************************************************************************)
(* Sending.                                                                *)
(***************************************************************************)

\* Work without packets goes first if it was posted first.
NoLocalWorkBefore(q, place) ==
    \A i \in requester[q].completed + 1 .. place - 1 : Queue(q)[i].op \notin LocalWorks

Place(q) == PlaceOf(q, requester[q].next)
Sent(q)  == WorkAt(q, requester[q].next)

CanSend(q) ==
    /\ IsPosted(q, requester[q].next)
    /\ IsSending(q) \/ (Has("RetriesAfterFatalNak") /\ responder[q].state # "ERR")
    /\ NoLocalWorkBefore(q, Place(q))
    /\ HasRoom(PeerOf(q))

\* The lkey was looked at for this packet already.
NeedsSource(q) ==
    Sent(q).from # 0 /\ Sent(q).op \in Writes \cup Sends /\ Sent(q).len > 0
    /\ ~(Job(q).stage = "gathered" /\ Job(q).psn = requester[q].next)

\* C19: what is wrong is found before the first packet: the whole work request;
\* for LazyLength the key alone.
ChecksSinkAtStart(q) ==
    /\ Sent(q).from # 0 /\ Sent(q).op \in Reads /\ ~Sent(q).started
    /\ P("LocalCheck") \in {"PerWorkRequest", "LazyLength"}

LocalVa(w, psn) == w.lva + OffsetOf(w, psn)

NewJob(psn, purpose) ==
    [stage |-> "due", psn |-> psn, at |-> psn, mr |-> 0, mw |-> 0, frame |-> 0,
     purpose |-> purpose]

FailsAt(q, kind, place) ==
    [requester[q] EXCEPT !.failure = kind, !.failedAt = place, !.job = Nothing]

\* The check of the lkey for the packet that is to leave, or for a READ's sink
\* before its request does.  Trace point check.
CheckSource(q) ==
    /\ Job(q) = Nothing \/ Job(q).stage = "gathered"
    /\ CanSend(q) /\ (NeedsSource(q) \/ ChecksSinkAtStart(q))
    /\ LET w      == Sent(q)
           psn    == requester[q].next
           sink   == w.op \in Reads
           access == IF sink THEN "local_write" ELSE "local_read"
           entry  == TableEntry(w.lkey)
           whole  == Is("LocalCheck", "PerWorkRequest")
           once   == whole /\ psn # w.first      \* it was checked, and is held (C20)
           mr     == IF entry.mr = 0 THEN w.from ELSE entry.mr
           va     == IF whole THEN w.lva ELSE LocalVa(w, psn)
           len    == IF whole THEN w.len ELSE ShareOf(w, psn)
           all    == Faults(entry, q, w.lkey, access, va, len)
           faults == IF Has("SkipsLocalCheck") THEN {}
                     ELSE IF sink /\ Is("LocalCheck", "LazyLength") THEN all \cap {"key", "domain"}
                     ELSE all
       IN IF once
          THEN /\ SetJob(q, Passed(NewJob(psn, "source"), mr, 0))
               /\ EmitNothing
          ELSE /\ requester' = [requester EXCEPT ![q] =
                     IF faults # {} THEN FailsAt(q, "local", Place(q))
                     ELSE [@ EXCEPT !.queue[Place(q)].started = TRUE,
                                    !.job = IF sink THEN Nothing
                                            ELSE Passed(NewJob(psn, "source"), mr, 0)]]
               /\ IF sink /\ Is("LocalCheck", "LazyLength") /\ faults = {} THEN EmitNothing
                  ELSE Emit(CheckEvent(q, psn, access, w.lkey, va, len, len, faults))
    /\ OnlyRequester

\* Trace point dma.read.
GatherSource(q) ==
    /\ Job(q).stage = "translated" /\ Job(q).purpose = "source"
    /\ SetJob(q, [Job(q) EXCEPT !.stage = "gathered"])
    /\ OnlyRequester
    /\ LET w == WorkAt(q, Job(q).psn)
       IN Emit(DmaEvent("dma.read", q, Job(q), w.lkey, LocalVa(w, Job(q).psn),
                        ShareOf(w, Job(q).psn)))

\* Trace point tx.
SendPacket(q) ==
    /\ CanSend(q) /\ ~NeedsSource(q) /\ ~ChecksSinkAtStart(q)
    /\ Job(q) = Nothing \/ Job(q).stage = "gathered"
    /\ LET psn == requester[q].next
           w   == Sent(q)
       IN /\ requester' = [requester EXCEPT ![q].next = AfterPacket(w, psn), ![q].job = Nothing,
                                            ![q].queue[Place(q)].started = TRUE]
          /\ wire' = WithRequest(PeerOf(q), psn)
          /\ Emit(PacketEvent("tx", q, w, psn))
    /\ UNCHANGED <<settingVars, keyVars, cache, thread, responder>>

\* A local fault ends the queue pair once all before it has completed.
AwaitsEarlier(q) ==
    /\ requester[q].failure = "local" /\ responder[q].state # "ERR"
    /\ requester[q].completed < requester[q].failedAt - 1

\* Nothing more will come: go back to what is not acknowledged.  E15: a NAK that
\* is late looks the same.
TimeOut(q) ==
    /\ requester[q].acked < requester[q].next
    /\ IsRC /\ Job(q) = Nothing
    /\ IsSending(q) \/ AwaitsEarlier(q)
    /\ Quiet(PeerOf(q), q)
    /\ \/ Hand(PeerOf(q)) = Nothing
       \/ /\ Is("NakDelay", "Any") /\ Hand(PeerOf(q)).stage = "refused"
          /\ ~Hand(PeerOf(q)).naked
    /\ requester' = [requester EXCEPT ![q] =
           IF @.tries > 0 /\ @.failure = "none"
           THEN [@ EXCEPT !.tries = Spent(@), !.next = WorkAt(q, requester[q].acked).first]
           ELSE FailsAt(q, "retry", PlaceOf(q, requester[q].acked))]
    /\ OnlyRequester /\ EmitNothing

-------------------------------------------------------------------------------
(***************************************************************************)
(* Answers.                                                                *)
(***************************************************************************)
KindOf(syndrome) ==
    CASE syndrome < 32          -> "ack"
      [] syndrome < 64          -> "rnr"
      [] syndrome = SequenceNak -> "sequence"
      [] syndrome = InvalidNak  -> "invalid"
      [] syndrome = AccessNak   -> "access"
      [] syndrome = OperationalNak -> "operational"
      [] OTHER                  -> "other"

IsReadResponse(a) == a.op \notin {"RC_ACKNOWLEDGE", "RC_ATOMIC_ACKNOWLEDGE"}

\* A response that is to be written to memory of its own.
NeedsSink(q, a) ==
    IsReadResponse(a) /\ a.psn >= requester[q].acked /\ WorkAt(q, a.psn).from # 0
    /\ requester[q].failure = "none"

\* Progress: time-outs are counted anew.
Progress(q, to) ==
    IF to <= requester[q].acked THEN requester[q]
    ELSE [requester[q] EXCEPT !.acked = to, !.next = Max(@, to), !.tries = Budget.retries]

AfterAnswer(q, a) ==
    LET kind == KindOf(a.syndrome)
        r    == Progress(q, IF kind = "ack" THEN a.psn + 1 ELSE a.psn)
        psn  == Max(r.acked, a.psn)
        begin == IF IsPosted(q, psn) THEN WorkAt(q, psn).first ELSE psn
        back == IF begin < r.acked /\ WorkAt(q, psn).op \notin Reads THEN psn ELSE begin
    IN CASE r.failure \notin {"none", "local"} -> requester[q]
         [] NeedsSink(q, a) -> [requester[q] EXCEPT !.job = NewJob(a.psn, "sink")]
         [] kind = "ack"    -> r
         [] kind = "sequence" -> [r EXCEPT !.next = back, !.job = Nothing]
         [] kind = "rnr"    ->
                IF r.rnr > 0 THEN [r EXCEPT !.rnr = Spent(@), !.next = back, !.job = Nothing]
                ELSE [r EXCEPT !.failure = "rnr", !.failedAt = PlaceOf(q, psn), !.job = Nothing]
         [] r.failure = "none" /\ IsPosted(q, psn) ->
                [r EXCEPT !.failure = kind, !.failedAt = PlaceOf(q, psn), !.job = Nothing]
         [] OTHER -> r

\* Trace point rx.
ReceiveAnswer(q) ==
    /\ wire.answers[q] # << >>
    /\ Job(q).purpose # "sink"
    /\ LET a == Head(wire.answers[q])
       IN /\ NeedsSink(q, a) => Job(q) = Nothing
          /\ requester' = [requester EXCEPT ![q] = AfterAnswer(q, a)]
          /\ Emit([name |-> "rx", host |-> OwnHost, qp |-> q, op |-> a.op, psn |-> a.psn,
                   payload |-> IF IsReadResponse(a) THEN ShareOf(WorkAt(q, a.psn), a.psn) ELSE 0,
                   syndrome |-> a.syndrome, msn |-> 0])
    /\ wire' = [wire EXCEPT !.answers[q] = Tail(@)]
    /\ UNCHANGED <<settingVars, keyVars, cache, thread, responder>>

\* L100: the sink of a READ, when a response has come.
CheckSink(q) ==
    /\ Job(q).stage = "due" /\ Job(q).purpose = "sink"
    /\ LET w      == WorkAt(q, Job(q).psn)
           entry  == TableEntry(w.lkey)
           va     == LocalVa(w, Job(q).psn)
           len    == ShareOf(w, Job(q).psn)
           faults == IF Has("SkipsLocalCheck") THEN {}
                     ELSE Faults(entry, q, w.lkey, "local_write", va, len)
       IN IF Is("LocalCheck", "PerWorkRequest") \/ (entry.mr = 0 /\ faults = {})
          THEN SetJob(q, Passed(Job(q), w.from, 0)) /\ EmitNothing
          ELSE /\ requester' = [requester EXCEPT ![q] =
                      IF faults # {} THEN FailsAt(q, "local", PlaceOf(q, Job(q).psn))
                      ELSE [@ EXCEPT !.job = Passed(Job(q), entry.mr, 0)]]
               /\ Emit(CheckEvent(q, Job(q).psn, "local_write", w.lkey, va, len, len, faults))
    /\ OnlyRequester

\* Trace point dma.write.
WriteSink(q) ==
    /\ Job(q).stage = "translated" /\ Job(q).purpose = "sink"
    /\ requester' = [requester EXCEPT ![q] = [Progress(q, Job(q).psn + 1) EXCEPT !.job = Nothing]]
    /\ OnlyRequester
    /\ LET w == WorkAt(q, Job(q).psn)
       IN Emit(DmaEvent("dma.write", q, Job(q), w.lkey, LocalVa(w, Job(q).psn),
                        ShareOf(w, Job(q).psn)))

\* The queue pair whose request failed is in error (E12).  With the defect its
\* peer goes first.
MoveToError(q) ==
    /\ requester[q].failure # "none" /\ responder[q].state # "ERR" /\ ~AwaitsEarlier(q)
    /\ LET p == IF Has("PeerErrorOnLocalFault") /\ requester[q].failure = "local"
                   /\ responder[PeerOf(q)].state # "ERR"
                THEN PeerOf(q) ELSE q
       IN /\ responder' = [responder EXCEPT ![p].state = "ERR", ![p].message = NoMessage,
                               ![p].hand = IF IsUnderWay(@) THEN @ ELSE Nothing]
          /\ Emit(ErrorEvent(p, "device"))
    /\ UNCHANGED <<settingVars, keyVars, cache, thread, requester, wire>>

-------------------------------------------------------------------------------
(***************************************************************************)
(* Completions.                                                            *)
(***************************************************************************)
StatusOf(kind) ==
    CASE Has("ReportsWrongStatus") /\ kind = "access" -> "REM_OP_ERR"
      [] kind = "access"      -> "REM_ACCESS_ERR"
      [] kind = "invalid"     -> "REM_INV_REQ_ERR"
      [] kind = "operational" -> "REM_OP_ERR"
      [] kind = "retry"       -> "RETRY_EXC_ERR"
      [] kind = "rnr"         -> "RNR_RETRY_EXC_ERR"
      [] kind = "local"       -> "LOC_PROT_ERR"
      [] OTHER                -> "GENERAL_ERR"

\* The work request at that place is over, and how.
IsAnswered(q, i) ==
    LET w == Queue(q)[i]
    IN IF IsRC THEN w.last < requester[q].acked \/ (Has("CompletesUnanswered") /\ w.started)
       ELSE w.last < requester[q].next

WorkEvent(q, i, status) ==
    [name |-> "wc", host |-> OwnHost, qp |-> q, wr |-> Queue(q)[i].wr, status |-> status,
     op |-> Queue(q)[i].op]

\* Trace point wc.  Unsignalled successes are silent.
Completes(q, i, status) ==
    /\ requester' = [requester EXCEPT ![q].completed = i,
                        ![q].failure = IF /\ status # "SUCCESS"
                                          /\ @ = "none" \/ i < requester[q].failedAt
                                       THEN "flush" ELSE @,
                        ![q].failedAt = IF status # "SUCCESS" THEN Min(@, i) ELSE @,
                        ![q].job = IF status # "SUCCESS" THEN Nothing ELSE @]
    /\ OnlyRequester
    /\ IF (status = "SUCCESS" /\ ~Queue(q)[i].signaled /\ ~Has("CompletesUnsignaled"))
          \/ (status # "SUCCESS" /\ status # "WR_FLUSH_ERR" /\ Has("LosesCompletion"))
       THEN EmitNothing
       ELSE Emit(WorkEvent(q, i, status))

CompleteWork(q) ==
    LET i == requester[q].completed + 1
        r == requester[q]
    IN /\ i <= Len(Queue(q)) /\ Queue(q)[i].op \notin LocalWorks
       /\ \/ /\ IsAnswered(q, i) /\ (r.failure = "none" \/ i < r.failedAt)
             /\ Completes(q, i, IF Has("FlushesEarly") THEN "WR_FLUSH_ERR" ELSE "SUCCESS")
          \/ /\ r.failure # "none" /\ i = r.failedAt
             /\ Completes(q, i, IF Has("CompletesRefused") THEN "SUCCESS" ELSE StatusOf(r.failure))
          \/ /\ r.failure # "none" /\ i > r.failedAt
             /\ Completes(q, i, IF Has("SuccessAfterError") THEN "SUCCESS" ELSE "WR_FLUSH_ERR")
          \/ /\ r.failure = "none" /\ responder[q].state = "ERR" /\ ~IsAnswered(q, i)
             /\ Completes(q, i, "WR_FLUSH_ERR")
          \/ /\ r.failure = "local" /\ i < r.failedAt /\ ~IsAnswered(q, i)
             /\ responder[q].state = "ERR"
             /\ Completes(q, i, "WR_FLUSH_ERR")

\* Only with a defect.
CompleteAgain(q) ==
    /\ Has("CompletesTwice") /\ requester[q].completed > 0
    /\ UNCHANGED vars
    /\ Emit(WorkEvent(q, requester[q].completed, "SUCCESS"))

\* Only with a defect: the second of two goes first, and then never again.
CompleteLater(q) ==
    LET i == requester[q].completed + 1
    IN /\ Has("CompletesOutOfOrder") /\ i < Len(Queue(q))
       /\ Queue(q)[i].op \notin LocalWorks /\ Queue(q)[i + 1].op \notin LocalWorks
       /\ IsAnswered(q, i + 1) /\ requester[q].failure = "none"
       /\ requester' = [requester EXCEPT ![q].queue[i] = Queue(q)[i + 1],
                                         ![q].queue[i + 1] = Queue(q)[i], ![q].completed = i]
       /\ OnlyRequester
       /\ Emit(WorkEvent(q, i + 1, "SUCCESS"))

-------------------------------------------------------------------------------
(***************************************************************************)
(* Work without packets.                                                   *)
(***************************************************************************)

\* Its turn: all before it has completed (D14).
LocalTurn(q, op) ==
    LET i == requester[q].completed + 1
    IN i <= Len(Queue(q)) /\ Queue(q)[i].op = op

Current(q) == Queue(q)[requester[q].completed + 1]

LocalJob(stage) == [stage |-> stage, psn |-> -1, at |-> -1, mr |-> 0, mw |-> 0, frame |-> 0,
                    purpose |-> "local"]

FailLocalWork(q, status) ==
    Completes(q, requester[q].completed + 1, status)

\* LOCAL_INV, trace points inv.call and inv.return.
MayInvalidateLocally(q, key) ==
    LET entry == TableEntry(key)
    IN entry.valid /\ entry.key = key /\ entry.pd = QueuePairs[q].pd /\ (entry.fast \/ entry.type = 2)

CallLocalInvalidate(q) ==
    /\ LocalTurn(q, "LOCAL_INV") /\ IsSending(q) /\ Job(q) = Nothing
    /\ MayInvalidateLocally(q, Current(q).key)
    /\ SetJob(q, LocalJob("invCalled"))
    /\ OnlyRequester
    /\ Emit(InvalidateEvent("inv.call", q, Victim(Current(q).key)))

InvalidateLocally(q) ==
    /\ Job(q).stage = "invCalled"
    /\ SetJob(q, LocalJob("invDone"))
    /\ IF Has("InvalidateDoesNothing") THEN UNCHANGED <<table, window, cache>>
       ELSE Invalidated(Victim(Current(q).key))
    /\ UNCHANGED <<settingVars, region, allocator, thread, responder, wire>>
    /\ EmitNothing

ReturnLocalInvalidate(q) ==
    /\ Job(q).stage = "invDone"
    /\ IsDrained(IndexOf(Current(q).key), "")
    /\ SetJob(q, LocalJob("over"))
    /\ OnlyRequester
    /\ Emit(ReturnInvalidateEvent(q, Current(q).key))

\* BIND_MW of both types, trace points bind.call and bind.return.  A type 1
\* window gets a new key with each bind, a type 2 window the one its consumer
\* chose (W1); length zero unbinds type 1.
BindFits(q, w) ==
    LET r == region[w.to]
        win == Windows[w.window]
    IN /\ r.stage = "live" /\ TableEntry(r.key).mr = w.to /\ TableEntry(r.key).valid
       /\ r.pd = win.pd /\ r.pd = QueuePairs[q].pd
       /\ "mw_bind" \in r.rights                                                    \* W2
       /\ (r.va <= w.va /\ w.va + w.len <= r.va + r.len) \/ Has("WindowOutsideRegion")
       /\ (w.rights \cap {"remote_write", "remote_atomic"} # {} => "local_write" \in r.rights)
          \/ Has("WindowMoreRights")
       /\ win.type = 2 => window[w.window].stage = "free" \/ Has("RebindsBoundWindow")
       /\ win.type = 1 => window[w.window].stage \in {"free", "bound"}

CallBind(q) ==
    /\ LocalTurn(q, "BIND_MW") /\ IsSending(q) /\ Job(q) = Nothing
    /\ SetJob(q, LocalJob("bindCalled"))
    /\ OnlyRequester
    /\ LET w == Current(q)
       IN Emit([name |-> "bind.call", host |-> OwnHost, mw |-> w.window, mr |-> w.to,
                key |-> w.key, pd |-> Windows[w.window].pd, va |-> w.va, len |-> w.len,
                rights |-> w.rights, type |-> Windows[w.window].type, qp |-> q])

\* The effect and the return are one step: the return stands where the key
\* begins to work.
ReturnBind(q) ==
    /\ Job(q).stage = "bindCalled"
    /\ LET w     == Current(q)
           fits  == BindFits(q, w) \/ (w.len = 0 /\ Windows[w.window].type = 1)
           index == Windows[w.window].index
           entry == [mr |-> w.to, mw |-> w.window, key |-> w.key, lkey |-> 0,
                     pd |-> Windows[w.window].pd, va |-> w.va, len |-> w.len, rights |-> w.rights,
                     type |-> Windows[w.window].type, qp |-> q, fast |-> FALSE, valid |-> TRUE]
       IN /\ table' = IF ~fits THEN table
                      ELSE [table EXCEPT ![index] = IF w.len = 0 THEN NoEntry ELSE entry]
          /\ window' = IF ~fits THEN window
                       ELSE [window EXCEPT ![w.window] =
                                [stage |-> IF w.len = 0 THEN "free" ELSE "bound", key |-> w.key,
                                 mr |-> w.to]]
          /\ cache' = Overtaken(index)
          /\ SetJob(q, LocalJob(IF fits THEN "over" ELSE "refused"))
          /\ Emit([name |-> "bind.return", host |-> OwnHost, mw |-> w.window, key |-> w.key,
                   status |-> IF fits THEN "ok" ELSE "error"])
    /\ UNCHANGED <<settingVars, region, allocator, thread, responder, wire>>

\* REG_MR, trace points reg.call, pin, reg.  The index is reserved for it and
\* must be free (L121); the consumer chose the tag (K1).
RegFits(w) == ~table[w.index].valid /\ region[w.to].stage = "unused"

CallFastRegister(q) ==
    /\ LocalTurn(q, "REG_MR") /\ Job(q) = Nothing
    /\ IsSending(q) \/ Is("FlushOnDisconnect", "Applied")                           \* D16
    /\ RegFits(Current(q))
    /\ LET w == Current(q)
       IN /\ region' = [region EXCEPT ![w.to] =
                [NoRegion EXCEPT !.stage = "registering", !.key = w.key, !.lkey = w.key,
                    !.pd = w.pd, !.va = w.va, !.len = w.len, !.rights = w.rights,
                    !.frame = w.frame, !.fast = TRUE]]
          /\ SetJob(q, LocalJob("regCalled"))
          /\ Emit([name |-> "reg.call", host |-> OwnHost, mr |-> w.to, key |-> w.key, qp |-> q])
    /\ UNCHANGED <<settingVars, table, window, allocator, cache, thread, responder, wire>>

PinFastRegistration(q) ==
    /\ Job(q).stage = "regCalled"
    /\ LET w == Current(q)
       IN /\ region' = [region EXCEPT ![w.to].pinned = {w.frame}]
          /\ SetJob(q, LocalJob("regPinned"))
          /\ Emit(PinEvent("pin", w.to, region[w.to], w.frame))
    /\ UNCHANGED <<settingVars, table, window, allocator, cache, thread, responder, wire>>

ReturnFastRegister(q) ==
    /\ Job(q).stage = "regPinned"
    /\ LET w == Current(q)
           r == [region[w.to] EXCEPT !.stage = IF IsSending(q) THEN "live" ELSE @,
                                     !.pages = w.frame]
       IN /\ region' = [region EXCEPT ![w.to] = r]
          /\ table' = [table EXCEPT ![w.index] = RegionEntry(w.to, r)]
          /\ cache' = Overtaken(w.index)
          /\ SetJob(q, LocalJob(IF IsSending(q) THEN "over" ELSE "flushed"))
          /\ IF ~IsSending(q) THEN EmitNothing              \* nobody learns that it was done
             ELSE Emit([name |-> "reg", host |-> OwnHost, mr |-> w.to, key |-> w.key, pd |-> w.pd,
                      lkey |-> w.key, va |-> w.va, len |-> w.len, rights |-> w.rights,
                      qp |-> q])
    /\ UNCHANGED <<settingVars, window, allocator, thread, responder, wire>>

\* Its completion, or its refusal, or its flush.
CompleteLocalWork(q) ==
    LET i == requester[q].completed + 1
    IN /\ i <= Len(Queue(q)) /\ Queue(q)[i].op \in LocalWorks
       /\ CASE Job(q).stage = "over" ->
                   requester' = [requester EXCEPT ![q].completed = i, ![q].job = Nothing]
                   /\ Emit(WorkEvent(q, i, "SUCCESS")) /\ OnlyRequester
            [] Job(q).stage = "refused" -> FailLocalWork(q, "MW_BIND_ERR")
            [] Job(q).stage = "flushed" -> FailLocalWork(q, "WR_FLUSH_ERR")
            [] Job(q) = Nothing /\ ~IsSending(q) ->
                   /\ ~(/\ Queue(q)[i].op = "REG_MR" /\ RegFits(Queue(q)[i])
                        /\ Is("FlushOnDisconnect", "Applied"))
                   /\ FailLocalWork(q, "WR_FLUSH_ERR")
            [] Job(q) = Nothing /\ IsSending(q) ->
                   /\ \/ Queue(q)[i].op = "LOCAL_INV" /\ ~MayInvalidateLocally(q, Queue(q)[i].key)
                      \/ Queue(q)[i].op = "REG_MR" /\ ~RegFits(Queue(q)[i])
                   /\ FailLocalWork(q, "LOC_QP_OP_ERR")
            [] Has("CompletesBeforeInvalidate") /\ Job(q).stage = "invCalled" ->
                   requester' = [requester EXCEPT ![q].completed = i, ![q].job = Nothing]
                   /\ Emit(WorkEvent(q, i, "SUCCESS")) /\ OnlyRequester
            [] OTHER -> FALSE

-------------------------------------------------------------------------------
SendingNext(q) ==
    \/ CheckSource(q) \/ TranslateForRequester(q) \/ GatherSource(q) \/ SendPacket(q) \/ TimeOut(q)
    \/ ReceiveAnswer(q) \/ CheckSink(q) \/ WriteSink(q) \/ MoveToError(q)
    \/ CompleteWork(q) \/ CompleteAgain(q) \/ CompleteLater(q)

LocalNext(q) ==
    \/ CallLocalInvalidate(q) \/ InvalidateLocally(q) \/ ReturnLocalInvalidate(q)
    \/ CallBind(q) \/ ReturnBind(q)
    \/ CallFastRegister(q) \/ PinFastRegistration(q) \/ ReturnFastRegister(q)
    \/ CompleteLocalWork(q)

RequesterNext ==
    \/ \E q \in Devices : (Queue(q) # << >> \/ wire.answers[q] # << >>)
                          /\ (SendingNext(q) \/ LocalNext(q))
    \/ \E t \in Threads : \E v \in Offered(t) : PostWork(t, v)

=============================================================================
