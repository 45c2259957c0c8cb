------------------------------- MODULE Derive --------------------------------
(***************************************************************************)
(* From raw facts to the few truth values that contracts look at.          *)
(*                                                                         *)
(* Events carry raw facts only: a key, an address, a length, a PSN.        *)
(* Whether a range was covered, a PSN expected, a NAK late is computed     *)
(* here, from what was recorded before, never taken from the emitter: a    *)
(* range check that grades itself is always right.  The ledger is the      *)
(* memory of what was recorded.                                            *)
(*                                                                         *)
(*   EmptyLedger                  nothing recorded                         *)
(*   Record(ledger, e)            the ledger after event e                 *)
(*   Derive(ledger, instance, e)  the record that Step gets: the name of e *)
(*                                and its derived values; `ledger' is the  *)
(*                                one before e                             *)
(*   NewInstance(ledger, e, i)    what is kept with an instance that e     *)
(*                                makes, i being its slice parameters      *)
(*                                                                         *)
(* A Java twin computes the same on exact 64-bit addresses and 24-bit PSNs *)
(* when traces are checked; a test holds the two together.  It must also   *)
(* cope with what was not recorded; here everything is recorded.           *)
(*                                                                         *)
(* EVENTS are records with the fields of the trace language: `name' and    *)
(* `host' always; qp a string; mr, mw, pd, wr, key, lkey, psn, va, len,    *)
(* payload, remaining, syndrome, msn integers; rights a set of strings;    *)
(* op, state, status, access, verdict, icrc strings; peer a record [host,  *)
(* qp].  An optional field that is not there is not in the record.  Key 0  *)
(* is no key (K19).                                                        *)
(*                                                                         *)
(* INSTANCES are records of slice parameters (host, key, mr, qp, psn,      *)
(* message) and, for a slice with psn or message, the facts kept from the  *)
(* request that made it (field packet or span).                            *)
(*                                                                         *)
(* Ranges are half open: [va, va + len).  PSNs are compared modulo their   *)
(* space: p is before q iff 0 < (q - p) mod PsnSpace < PsnSpace/2 (L74).   *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

\* How many addresses there are (2^64), how many PSNs (2^24), and the longest
\* message in bytes (2^31, row C4).
CONSTANTS AddressSpace, PsnSpace, LongestMessage

ASSUME /\ AddressSpace \in Nat \ {0}
       /\ PsnSpace \in Nat \ {0} /\ PsnSpace % 2 = 0
       /\ LongestMessage \in Nat

-------------------------------------------------------------------------------
(***************************************************************************)
(* Packet sequence numbers.                                                *)
(***************************************************************************)
Distance(p, q) == (q + PsnSpace - p) % PsnSpace
Plus(p, n)     == (p + n) % PsnSpace
Before(p, q)   == LET d == Distance(p, q) IN 0 < d /\ d < PsnSpace \div 2
Later(p, q)    == IF Before(p, q) THEN q ELSE p

\* p is one of first .. last
Within(p, first, last) == Distance(first, p) <= Distance(first, last)

-------------------------------------------------------------------------------
(***************************************************************************)
(* Reading an event.                                                       *)
(***************************************************************************)
Has(e, field) == field \in DOMAIN e

WriteStarts   == {"RC_RDMA_WRITE_FIRST", "RC_RDMA_WRITE_ONLY"}
WriteFollows  == {"RC_RDMA_WRITE_MIDDLE", "RC_RDMA_WRITE_LAST"}
WriteOps      == WriteStarts \cup WriteFollows
ReadOp        == "RC_RDMA_READ_REQUEST"
AtomicOps     == {"RC_COMPARE_SWAP", "RC_FETCH_ADD"}
SendOps       == {"RC_SEND_FIRST", "RC_SEND_MIDDLE", "RC_SEND_LAST", "RC_SEND_ONLY"}
RequestOps    == WriteOps \cup {ReadOp} \cup AtomicOps \cup SendOps
Unfinished    == {"RC_RDMA_WRITE_FIRST", "RC_RDMA_WRITE_MIDDLE",
                  "RC_SEND_FIRST", "RC_SEND_MIDDLE"}        \* more packets of the message follow
Following     == WriteFollows \cup {"RC_SEND_MIDDLE", "RC_SEND_LAST"}
ReadResponses == {"RC_RDMA_READ_RESPONSE_FIRST", "RC_RDMA_READ_RESPONSE_MIDDLE",
                  "RC_RDMA_READ_RESPONSE_LAST", "RC_RDMA_READ_RESPONSE_ONLY"}
LastResponses == {"RC_RDMA_READ_RESPONSE_LAST", "RC_RDMA_READ_RESPONSE_ONLY"}
AtomicAck     == "RC_ATOMIC_ACKNOWLEDGE"
Acknowledge   == "RC_ACKNOWLEDGE"

IsRequest(e)  == e.op \in RequestOps
IsResponse(e) == e.op \in ReadResponses \cup {AtomicAck}

\* The kind of an AETH syndrome (E1).
Answer(syndrome) ==
    LET kind == (syndrome \div 32) % 4
        code == syndrome % 32
    IN CASE kind = 0                -> "ack"
         [] kind = 1                -> "rnr"
         [] kind = 3 /\ code = 0    -> "sequence"
         [] kind = 3 /\ code = 1    -> "invalid"
         [] kind = 3 /\ code = 2    -> "access"
         [] kind = 3 /\ code = 3    -> "operational"
         [] OTHER                   -> "other"

\* Every NAK but a PSN sequence error ends the connection (E2).
FatalAnswers == {"invalid", "access", "operational", "other"}
IsFatal(syndrome) == (syndrome \div 32) % 4 = 3 /\ syndrome % 32 # 0

\* The kind of a completion's status, by rdma-core's names.
Status(status) ==
    CASE status = "SUCCESS"           -> "success"
      [] status = "REM_ACCESS_ERR"    -> "access"
      [] status = "REM_INV_REQ_ERR"   -> "invalid"
      [] status = "REM_OP_ERR"        -> "operational"
      [] status = "RNR_RETRY_EXC_ERR" -> "rnr"
      [] status = "RETRY_EXC_ERR"     -> "retry"
      [] status = "WR_FLUSH_ERR"      -> "flush"
      [] status \in {"LOC_LEN_ERR", "LOC_QP_OP_ERR", "LOC_PROT_ERR", "LOC_ACCESS_ERR",
                     "MW_BIND_ERR"}   -> "local"
      [] OTHER                        -> "other"

Succeeded(e) == e.status = "ok"

-------------------------------------------------------------------------------
(***************************************************************************)
(* The ledger: who holds which key, oldest holder first; the registration  *)
(* events of present holders in order, for instances that replay a key;    *)
(* the queue pairs.                                                        *)
(*                                                                         *)
(* A holder is a region (mw = 0) or a window on region mr.  `known' is     *)
(* FALSE while only the call of its registration was seen.  `asked' holds  *)
(* the attributes of a re-registration under way.                          *)
(***************************************************************************)
EmptyLedger == [holders |-> << >>, history |-> << >>, pairs |-> << >>]

Unknown(host, mr, key) ==
    [host |-> host, mr |-> mr, mw |-> 0, key |-> key, lkey |-> key, known |-> FALSE,
     pd |-> 0, va |-> 0, len |-> 0, rights |-> {}, type |-> 0, qp |-> "", asked |-> << >>]

HolderOfReg(e) ==
    [Unknown(e.host, e.mr, e.key) EXCEPT !.lkey = e.lkey, !.known = TRUE, !.pd = e.pd,
        !.va = e.va, !.len = e.len, !.rights = e.rights]

Holds(h, key) == key # 0 /\ (h.key = key \/ h.lkey = key)

\* The newest holder of a key: a sequence of at most one element.
Newest(ledger, host, key) ==
    LET all == SelectSeq(ledger.holders, LAMBDA h : h.host = host /\ Holds(h, key))
    IN IF all = << >> THEN << >> ELSE << all[Len(all)] >>

\* The region of that number: a sequence of at most one element.
Region(ledger, host, mr) ==
    LET all == SelectSeq(ledger.holders, LAMBDA h : h.host = host /\ h.mr = mr /\ h.mw = 0)
    IN IF all = << >> THEN << >> ELSE << all[Len(all)] >>

\* A window takes the protection domain of its region.
HolderOfBind(ledger, e) ==
    LET region == Region(ledger, e.host, e.mr)
    IN [Unknown(e.host, e.mr, e.key) EXCEPT !.mw = e.mw, !.lkey = 0, !.known = TRUE,
           !.pd = IF region = << >> THEN 0 ELSE region[1].pd,
           !.va = e.va, !.len = e.len, !.rights = e.rights, !.type = e.type,
           !.qp = IF Has(e, "qp") THEN e.qp ELSE ""]

\* The attributes after a re-registration.
HolderOfRereg(h, e) ==
    [h EXCEPT !.known = TRUE, !.pd = e.pd, !.va = e.va, !.len = e.len, !.rights = e.rights]

\* Which keys a registration event is about.  Deregistration and
\* re-registration concern both keys of their region.
KeysOf(ledger, e) ==
    LET region == IF e.name \in {"dereg.call", "dereg.return", "rereg.call", "rereg.return"}
                  THEN Region(ledger, e.host, e.mr) ELSE << >>
    IN ({e.key} \cup (IF e.name = "reg" THEN {e.lkey} ELSE {})
                \cup (IF region = << >> THEN {} ELSE {region[1].key, region[1].lkey})) \ {0}

-------------------------------------------------------------------------------
(***************************************************************************)
(* A queue pair, as responder:                                             *)
(*   low, high  one past the last PSN answered; one past the last request  *)
(*              PSN received without a gap                                 *)
(*   gaps       what high was when a later request arrived: the PSNs that  *)
(*              a sequence NAK may name                                    *)
(*   messages   WRITE messages not completely answered                     *)
(*   packets    requests received and not answered                         *)
(*   tail       the newest request that was answered                       *)
(*   reads      READs whose responses are awaited, also after a duplicate  *)
(*   again      WRITE and atomic requests that came again when answered    *)
(*   readAgain  READs that came again when answered                        *)
(*   originals  what atomic operations returned                            *)
(*   checks     the last key check at a PSN                                *)
(*   refusals   refused checks of remote writes                            *)
(*   fatal      the first fatal NAK sent, late the PSN of the first new    *)
(*              request that arrived after it or in ERR: sets of at most   *)
(*              one element                                                *)
(* and as requester: posts not yet on the wire, messages sent with what    *)
(* answered them, next the next PSN to send.                               *)
(***************************************************************************)
NewPair(host, qp) ==
    [host |-> host, qp |-> qp, pd |-> 0,
     rights |-> {"remote_write", "remote_read", "remote_atomic"}, mtu |-> 1,
     error |-> FALSE, low |-> 0, high |-> 0, gaps |-> {}, messages |-> {}, packets |-> {},
     tail |-> {}, reads |-> {}, again |-> {}, readAgain |-> {}, originals |-> {}, checks |-> {},
     refusals |-> {}, fatal |-> {}, late |-> {},
     posts |-> << >>, sent |-> << >>, next |-> 0, failed |-> FALSE]

Pair(ledger, host, qp) ==
    IF <<host, qp>> \in DOMAIN ledger.pairs THEN ledger.pairs[<<host, qp>>]
                                            ELSE NewPair(host, qp)

SetPair(ledger, pair) ==
    LET name == <<pair.host, pair.qp>>
    IN [ledger EXCEPT !.pairs = [n \in DOMAIN ledger.pairs \cup {name} |->
                                     IF n = name THEN pair ELSE ledger.pairs[n]]]

\* Deaf: a fatal NAK was sent, or the state is ERR (E5, E13).
IsDead(pair) == pair.fatal # {} \/ pair.error

\* How many packets of `unit' bytes a message takes.
Packets(len, unit) == IF len = 0 THEN 1 ELSE (len + unit - 1) \div unit

\* The last PSN that a request takes: a READ takes those of its responses (E3).
LastOf(pair, e) ==
    IF e.op = ReadOp THEN Plus(e.psn, Packets(e.len, pair.mtu) - 1) ELSE e.psn

\* The last PSN of the message that a First or Only packet begins.
MessageLast(e) ==
    IF e.op = "RC_RDMA_WRITE_FIRST"
    THEN Plus(e.psn, Packets(e.len, IF e.payload = 0 THEN 1 ELSE e.payload) - 1)
    ELSE e.psn

\* The WRITE message a Middle or Last packet belongs to: at most one element.
MessageAt(pair, psn) ==
    LET all == {m \in pair.messages : Within(psn, m.first, m.last)}
    IN IF all = {} THEN {}
       ELSE {CHOOSE m \in all : \A n \in all : Distance(m.first, psn) <= Distance(n.first, psn)}

Bigger(m, n) == IF m < n THEN n ELSE m

(***************************************************************************)
(* What a request packet wants of memory, a set of at most one element.    *)
(* Middle and Last packets use the address of their message (C5).  The     *)
(* last packet stands for all that its message still announces; a READ     *)
(* for its whole length (C3).                                              *)
(***************************************************************************)
Access(pair, e) ==
    LET one(access, key, va, len, remaining) ==
            {[first |-> e.psn, last |-> LastOf(pair, e), access |-> access, key |-> key,
              va |-> va, len |-> len, remaining |-> Bigger(len, remaining),
              announced |-> remaining,
              read |-> access = "remote_read"]}
    IN CASE e.op = ReadOp      -> one("remote_read", e.key, e.va, e.len, e.len)
         [] e.op \in AtomicOps -> one("remote_atomic", e.key, e.va, e.len, e.len)
         [] e.op = "RC_RDMA_WRITE_FIRST" -> one("remote_write", e.key, e.va, e.payload, e.len)
         [] e.op = "RC_RDMA_WRITE_ONLY"  ->
                one("remote_write", e.key, e.va, Bigger(e.payload, e.len), e.len)
         [] e.op \in WriteFollows ->
                UNION {LET offset == Distance(m.first, e.psn) * m.unit
                           rest   == Bigger(0, m.len - offset)
                       IN one("remote_write", m.key, m.va + offset,
                              IF e.op = "RC_RDMA_WRITE_LAST" THEN Bigger(e.payload, rest)
                                                             ELSE e.payload,
                              rest)
                       : m \in MessageAt(pair, e.psn)}
         [] OTHER -> {}

\* Zero length of the whole message: no key needed (C4).
IsEmpty(access) == access.remaining = 0

-------------------------------------------------------------------------------
(***************************************************************************)
(* Does holder h let queue pair `pair' do this?  Key, state, protection    *)
(* domain, right and range (C1); a remote access needs the rkey, a local   *)
(* one the lkey (reading it needs no right); a type 2 window is its queue  *)
(* pair's (W1).                                                            *)
(***************************************************************************)
Covers(h, va, len) ==
    /\ h.va <= va
    /\ va + len <= h.va + h.len
    /\ va + len <= AddressSpace                            \* C17: no wrap

RightOf(access) == IF access = "local_read" THEN {} ELSE {access}

IsLocal(access) == access \in {"local_read", "local_write"}

Allows(h, pair, key, access) ==
    /\ h.known
    /\ key # 0
    /\ key = IF IsLocal(access) THEN h.lkey ELSE h.key
    /\ h.pd = pair.pd
    /\ h.type = 2 => h.qp = pair.qp
    /\ RightOf(access) \subseteq h.rights

\* For an access [access, va, len, remaining] under a key, by a holder.
Permitted(h, pair, key, a) ==
    Allows(h, pair, key, a.access) /\ Covers(h, a.va, a.len)

\* This packet is inside, its message runs past the end (C6, C9).
Overruns(h, pair, key, a) ==
    Permitted(h, pair, key, a) /\ ~Covers(h, a.va, a.remaining)

\* The same two, for a sequence of at most one holder.
SomePermits(hs, pair, key, a)  == hs # << >> /\ Permitted(hs[1], pair, key, a)
SomeOverruns(hs, pair, key, a) == hs # << >> /\ Overruns(hs[1], pair, key, a)

-------------------------------------------------------------------------------
(***************************************************************************)
(* Recording registration events.                                          *)
(***************************************************************************)
RegistrationEvents == {"reg.call", "reg", "dereg.call", "dereg.return", "rereg.call",
                       "rereg.return", "bind.call", "bind.return", "inv.call", "inv.return"}

IsRegion(h, e) == h.host = e.host /\ h.mr = e.mr /\ h.mw = 0
IsWindow(h, e) == h.host = e.host /\ h.mw = e.mw /\ h.key = e.key

\* The holder an event is about: a sequence of at most one.
HolderOf(ledger, e) ==
    CASE e.name \in {"inv.call", "inv.return"} -> Newest(ledger, e.host, e.key)
      [] e.name \in {"bind.call", "bind.return"} ->
             LET all == SelectSeq(ledger.holders, LAMBDA h : IsWindow(h, e))
             IN IF all = << >> THEN << >> ELSE << all[Len(all)] >>
      [] OTHER -> Region(ledger, e.host, e.mr)

Identity(h) == [host |-> h.host, mr |-> h.mr, mw |-> h.mw, key |-> IF h.mw = 0 THEN 0 ELSE h.key]

WithoutHolder(ledger, h) ==
    [ledger EXCEPT
        !.holders = SelectSeq(@, LAMBDA k : Identity(k) # Identity(h)),
        !.history = SelectSeq(@, LAMBDA entry : entry.holder # Identity(h))]

Remember(ledger, h, e) ==
    [ledger EXCEPT !.history = Append(@, [holder |-> Identity(h), event |-> e])]

Replace(ledger, h, g) ==
    [ledger EXCEPT !.holders = [i \in DOMAIN @ |-> IF @[i] = h THEN g ELSE @[i]]]

RecordRegistration(ledger, e) ==
    LET about == HolderOf(ledger, e)
        add(h) == Remember([ledger EXCEPT !.holders = Append(@, h)], h, e)
    IN CASE e.name = "reg.call"  -> add(Unknown(e.host, e.mr, e.key))
         [] e.name = "reg" ->
                IF about # << >> /\ ~about[1].known
                THEN Remember(Replace(ledger, about[1], HolderOfReg(e)), about[1], e)
                ELSE add(HolderOfReg(e))
         [] e.name = "bind.call" ->
                LET h == HolderOfBind(ledger, e)
                IN IF about = << >> THEN add(h)
                   ELSE Remember(Replace(ledger, about[1], h), about[1], e)
         [] about = << >> -> ledger
         [] e.name = "rereg.call" ->
                Remember(Replace(ledger, about[1],
                                 [about[1] EXCEPT !.asked = << HolderOfRereg(about[1], e) >>]),
                         about[1], e)
         [] e.name = "rereg.return" ->
                LET h == about[1]
                    g == IF Succeeded(e) /\ h.asked # << >> THEN h.asked[1] ELSE h
                IN Remember(Replace(ledger, h, [g EXCEPT !.asked = << >>]), h, e)
         [] e.name = "bind.return" ->
                IF Succeeded(e)
                THEN LET old == SelectSeq(ledger.holders,
                                    LAMBDA h : h.host = e.host /\ h.mw = e.mw /\ h.key # e.key)
                         kept == IF old = << >> THEN ledger ELSE WithoutHolder(ledger, old[1])
                     IN Remember(kept, about[1], e)
                ELSE WithoutHolder(ledger, about[1])
         [] e.name \in {"dereg.return", "inv.return"} /\ Succeeded(e) ->
                WithoutHolder(ledger, about[1])
         [] OTHER -> Remember(ledger, about[1], e)

\* The registration events of a key's present holders, in order.
History(ledger, host, key) ==
    LET mine == SelectSeq(ledger.history,
                          LAMBDA x : x.event.host = host /\ key \in KeysOf(ledger, x.event))
    IN [i \in DOMAIN mine |-> mine[i].event]

-------------------------------------------------------------------------------
(***************************************************************************)
(* Recording packets at the responder.                                     *)
(***************************************************************************)

\* A request arrives.
RecordRequest(pair, e) ==
    LET last  == LastOf(pair, e)
        end   == Plus(last, 1)
        bad   == Has(e, "icrc") /\ e.icrc = "bad"
        same  == {r \in pair.reads : r.first = e.psn}      \* asked again: answers go on
        await == IF same = {} THEN {[first |-> e.psn, last |-> last, next |-> e.psn]}
                 ELSE {[r EXCEPT !.last = last] : r \in same}
        reads == IF e.op = ReadOp
                 THEN {r \in pair.reads : r.first # e.psn} \cup await ELSE pair.reads
        late  == IF IsDead(pair) /\ pair.late = {} /\ ~Before(e.psn, pair.high)
                 THEN {e.psn} ELSE pair.late
        opens == IF e.op \in WriteStarts
                 THEN {m \in pair.messages : m.first # e.psn}
                      \cup {[first |-> e.psn, last |-> MessageLast(e), va |-> e.va,
                             key |-> e.key, len |-> e.len, unit |-> e.payload]}
                 ELSE pair.messages
        packet == [first |-> e.psn, last |-> last, op |-> e.op, payload |-> e.payload,
                   access |-> Access(pair, e)]
        older(p) == ~Within(p, e.psn, last)                \* PSNs are used again and again
    IN IF Before(e.psn, pair.low)
       THEN [pair EXCEPT                                   \* a duplicate
               !.reads = reads,
               !.readAgain = IF e.op = ReadOp
                             THEN @ \cup {[first |-> e.psn, last |-> last]} ELSE @,
               !.again = IF e.op \in WriteOps \cup AtomicOps
                         THEN @ \cup {[psn |-> e.psn,
                                       key |-> IF Has(e, "key") THEN e.key ELSE 0]}
                         ELSE @]
       ELSE [pair EXCEPT
               !.late     = late,
               !.again     = {a \in @ : older(a.psn)},
               !.readAgain = {a \in @ : older(a.first)},
               !.originals = {o \in @ : older(o.psn)},
               !.reads    = reads,
               !.messages = opens,
               !.packets  = {p \in @ : p.first # e.psn} \cup {packet},
               !.high     = IF e.psn = pair.high THEN end
                            ELSE IF Before(e.psn, pair.high) THEN Later(pair.high, end)
                            ELSE pair.high,
               !.gaps     = @ \cup (IF Before(pair.high, e.psn) THEN {pair.high} ELSE {})
                              \cup (IF bad THEN {e.psn} ELSE {})]

\* Everything before `to' has been answered, hence has arrived.
Advance(pair, to) ==
    LET low  == Later(pair.low, to)
        done == {p \in pair.packets : Before(p.last, low)}
    IN [pair EXCEPT
          !.low      = low,
          !.high     = Later(@, to),
          !.gaps     = {g \in @ : ~Before(g, low)},
          !.messages = {m \in @ : ~Before(m.last, low)},
          !.packets  = @ \ done,
          !.tail     = IF done = {} THEN @
                       ELSE {CHOOSE p \in done : \A q \in done : ~Before(p.last, q.last)}]

RecordAnswer(pair, e) ==
    LET to == IF Answer(e.syndrome) = "ack" THEN Plus(e.psn, 1) ELSE e.psn
    IN [Advance(pair, to) EXCEPT
          !.fatal = IF @ = {} /\ IsFatal(e.syndrome)
                    THEN {[psn |-> e.psn, syndrome |-> e.syndrome]} ELSE @]

RecordResponse(pair, e) ==
    LET isLast(r) == e.psn = r.last \/ (e.op \in LastResponses /\ Within(e.psn, r.first, r.last))
        kept == {r \in pair.reads : ~isLast(r)}
    IN [Advance(pair, Plus(e.psn, 1)) EXCEPT
          !.reads = {IF r.next = e.psn THEN [r EXCEPT !.next = Plus(e.psn, 1)] ELSE r : r \in kept},
          !.originals = IF e.op = AtomicAck /\ Has(e, "original")
                           /\ ~\E o \in @ : o.psn = e.psn
                        THEN @ \cup {[psn |-> e.psn, original |-> e.original]} ELSE @]

-------------------------------------------------------------------------------
(***************************************************************************)
(* Recording packets at the requester: each new message belongs to the     *)
(* oldest post that is not on the wire yet.                                *)
(***************************************************************************)
StartsMessage(op) == op \notin Following

RecordSend(pair, e) ==
    IF Before(e.psn, pair.next) \/ (pair.posts = << >> /\ StartsMessage(e.op))
    THEN pair                                              \* sent again, or nobody's
    ELSE IF StartsMessage(e.op)
    THEN LET last == IF e.op = "RC_RDMA_WRITE_FIRST" THEN MessageLast(e) ELSE LastOf(pair, e)
         IN [pair EXCEPT                                   \* a SEND grows until its last packet
               !.posts = Tail(@),
               !.sent  = Append(@, [wr |-> Head(pair.posts).wr, first |-> e.psn, last |-> last,
                                    whole |-> e.op # "RC_SEND_FIRST", fate |-> "none"]),
               !.next  = Plus(LastOf(pair, e), 1)]
    ELSE [pair EXCEPT
            !.sent = IF e.op \in {"RC_SEND_MIDDLE", "RC_SEND_LAST"} /\ @ # << >>
                     THEN [@ EXCEPT ![Len(@)].last = e.psn, ![Len(@)].whole = e.op = "RC_SEND_LAST"]
                     ELSE @,
            !.next = Plus(e.psn, 1)]

\* An ACK, a NAK, a READ response or an atomic acknowledgement arrives.
RecordArrival(pair, e) ==
    LET answer == IF Has(e, "syndrome") THEN Answer(e.syndrome) ELSE "ack"
        fate(m) ==
            CASE m.fate \notin {"none", "rnr"} -> m.fate
              [] answer = "ack" /\ m.whole /\ ~Before(e.psn, m.last) -> "acked"
              [] answer # "ack" /\ m.whole /\ Before(m.last, e.psn)  -> "acked"   \* L69
              [] answer # "ack" /\ Within(e.psn, m.first, m.last)
                     /\ answer \in FatalAnswers \cup {"rnr"} -> answer
              [] OTHER -> m.fate
    IN [pair EXCEPT !.sent = [i \in DOMAIN @ |-> [@[i] EXCEPT !.fate = fate(pair.sent[i])]]]

\* Completions whose request leaves no packet.
LocalOperations == {"RECV", "BIND_MW", "LOCAL_INV", "REG_MR"}

-------------------------------------------------------------------------------
(***************************************************************************)
(* Record: the ledger after an event.                                      *)
(***************************************************************************)
Record(ledger, e) ==
    LET pair == Pair(ledger, e.host, e.qp)
        put(p) == SetPair(ledger, p)
    IN CASE e.name \in RegistrationEvents -> RecordRegistration(ledger, e)
         [] e.name = "qp.create"  -> put([NewPair(e.host, e.qp) EXCEPT !.pd = e.pd,
                                                                      !.rights = e.rights])
         [] e.name = "qp.connect" ->
                put([pair EXCEPT
                       !.mtu  = IF Has(e, "mtu") THEN e.mtu ELSE @,
                       !.low  = IF Has(e, "receive_psn") THEN e.receive_psn ELSE @,
                       !.high = IF Has(e, "receive_psn") THEN e.receive_psn ELSE @,
                       !.next = IF Has(e, "send_psn") THEN e.send_psn ELSE @])
         [] e.name = "qp.state" ->
                CASE e.state = "RESET" ->
                         put([NewPair(e.host, e.qp) EXCEPT !.pd = pair.pd,
                                                           !.rights = pair.rights])
                  [] e.state = "ERR"   -> put([pair EXCEPT !.error = TRUE])
                  [] OTHER             -> ledger
         [] e.name = "rx" -> put(IF IsRequest(e) THEN RecordRequest(pair, e)
                                                 ELSE RecordArrival(pair, e))
         [] e.name = "tx" -> put(IF IsRequest(e) THEN RecordSend(pair, e)
                                 ELSE IF IsResponse(e) THEN RecordResponse(pair, e)
                                 ELSE pair)
         [] e.name \in {"ack", "nak"} -> put(RecordAnswer(pair, e))
         [] e.name = "check" ->
                put([pair EXCEPT
                       !.checks = {c \in @ : c.psn # e.psn}
                                  \cup {[psn |-> e.psn, local |-> IsLocal(e.access)]},
                       !.refusals = IF e.verdict = "refuse"
                                       /\ e.access \in {"remote_write", "remote_atomic"}
                                    THEN @ \cup {[psn |-> e.psn, key |-> e.key]} ELSE @])
         [] e.name = "post" ->
                IF e.op \in LocalOperations THEN ledger
                ELSE put([pair EXCEPT !.posts = Append(@, [wr |-> e.wr])])
         [] e.name = "wc" ->
                put([pair EXCEPT
                       !.failed = @ \/ e.status # "SUCCESS",
                       !.posts  = SelectSeq(@, LAMBDA p : p.wr # e.wr),
                       !.sent   = SelectSeq(@, LAMBDA m : m.wr # e.wr)])
         [] OTHER -> ledger

-------------------------------------------------------------------------------
(***************************************************************************)
(* The derived values.                                                     *)
(***************************************************************************)

\* The event concerns the newest holder of the instance's key (K5).
Current(ledger, key, e) ==
    LET newest == Newest(ledger, e.host, key)
    IN newest = << >> \/ (newest[1].mr = e.mr /\ newest[1].mw = 0)

\* What a registration event that brings attributes means for an instance's packet.
ForPacket(ledger, instance, h) ==
    LET pair == Pair(ledger, instance.host, instance.qp)
    IN [permitted |-> Permitted(h, pair, instance.key, instance.packet),
        overruns  |-> Overruns(h, pair, instance.key, instance.packet)]

NoPacket == [permitted |-> FALSE, overruns |-> FALSE]

\* Was the memory access at this PSN made for the queue pair's own request?
LocalAt(pair, psn) == \E c \in pair.checks : c.psn = psn /\ c.local

IsLate(pair, psn) == \E l \in pair.late : ~Before(psn, l)

\* A DMA names its registration; it is judged by that one, whoever holds the
\* key by now.
BearersOf(ledger, e) ==
    SelectSeq(ledger.holders, LAMBDA h : h.host = e.host /\ h.mr = e.mr /\ Holds(h, e.key))

DmaPermitted(ledger, e) ==
    LET pair    == Pair(ledger, e.host, e.qp)
        bearers == BearersOf(ledger, e)
    IN \/ Region(ledger, e.host, e.mr) = << >>            \* left to NoAccessAfterReturn
       \/ bearers = << >>                                 \* left to ownKey
       \/ \E i \in DOMAIN bearers :
              LET h == bearers[i]
              IN \/ ~h.known
                 \/ /\ h.pd = pair.pd
                    /\ h.type = 2 => h.qp = pair.qp
                    /\ Covers(h, e.va, e.len)
                    /\ e.name = "dma.write" =>
                           h.rights \cap {"local_write", "remote_write", "remote_atomic"} # {}

\* Answer events against the PSN span first..last of an instance's packet or message.
CoversUpTo(last, e) ==                                    \* acknowledged by e
    IF e.name = "ack" THEN ~Before(e.psn, last) ELSE Before(last, e.psn)

Reach(instance, e) ==
    IF ~Has(instance, "span") THEN "none"
    ELSE LET s == instance.span
         IN CASE CoversUpTo(s.last, e)  -> "all"
              [] CoversUpTo(s.first, e) -> "some"
              [] OTHER                  -> "none"

PacketCovered(instance, e) ==
    Has(instance, "packet") /\ CoversUpTo(instance.packet.last, e)

InPacket(instance, e) ==
    Has(instance, "packet") /\ Within(e.psn, instance.packet.first, instance.packet.last)

(***************************************************************************)
(* A visible cause for NAK code 1 on the request at that PSN (C2, C4,      *)
(* C11).  TRUE where no such request was received: NakOnlyAtExpectedPsn    *)
(* judges that.                                                            *)
(***************************************************************************)
InvalidRequestPossible(pair, psn) ==
    LET here    == {p \in pair.packets : Within(psn, p.first, p.last)}
        before(p) == {q \in pair.packets \cup pair.tail : Plus(q.last, 1) = p.first}
        slow(p) == p.op = ReadOp \/ p.op \in AtomicOps
        ends(p) == p.op \in {"RC_RDMA_WRITE_ONLY", "RC_RDMA_WRITE_LAST"}
        cause(p) ==
            \/ \E a \in p.access :
                   \/ a.access = "remote_atomic" /\ a.va % 8 # 0
                   \/ a.announced > LongestMessage
                   \/ a.access \notin pair.rights
                   \/ ends(p) /\ a.announced # p.payload
                   \/ p.op \in WriteOps /\ ~ends(p) /\ a.announced <= p.payload
            \/ p.op \in Following /\ p.access = {}
            \/ \E q \in before(p) : (q.op \in Unfinished) # (p.op \in Following)
            \/ p.op \in Unfinished /\ p.payload # pair.mtu
            \/ p.payload > pair.mtu
            \/ p.op \in {"RC_RDMA_WRITE_LAST", "RC_SEND_LAST"} /\ p.payload = 0
            \/ slow(p) /\ Cardinality({q \in pair.packets : slow(q)}) > 1
    IN here = {} \/ \E p \in here : cause(p)

(***************************************************************************)
(* A request that names no memory cannot be refused with a remote access   *)
(* error: SENDs without invalidate carry no key (C5), a receive buffer     *)
(* that is too short or badly keyed is NAK code 1 or 3 (C2, E10).          *)
(***************************************************************************)
AccessErrorPossible(pair, psn) ==
    LET here == {p \in pair.packets : Within(psn, p.first, p.last)}
    IN here = {} \/ \E p \in here : p.op \notin SendOps

Derive(ledger, instance, e) ==
    LET pair == Pair(ledger, e.host, e.qp)
        name == e.name
    IN CASE name = "reg.call" -> [name |-> name]
         [] name \in {"reg", "bind.call"} ->
                LET h == IF name = "reg" THEN HolderOfReg(e) ELSE HolderOfBind(ledger, e)
                    v == IF Has(instance, "packet") THEN ForPacket(ledger, instance, h) ELSE NoPacket
                IN [name |-> name, permitted |-> v.permitted, overruns |-> v.overruns]
         [] name = "rereg.call" -> [name |-> name]
         [] name = "rereg.return" ->
                LET region == Region(ledger, e.host, e.mr)
                    asked == IF region # << >> /\ Succeeded(e) /\ region[1].asked # << >>
                             THEN region[1].asked ELSE region    \* in a replay: over already
                    v == IF Has(instance, "packet") /\ asked # << >>
                         THEN ForPacket(ledger, instance, asked[1]) ELSE NoPacket
                IN [name |-> name, succeeded |-> Succeeded(e),
                    permitted |-> v.permitted, overruns |-> v.overruns]
         [] name = "bind.return" -> [name |-> name, succeeded |-> Succeeded(e)]
         [] name = "dereg.call" ->
                [name |-> name,
                 current |-> Has(instance, "key") /\ Current(ledger, instance.key, e)]
         [] name = "dereg.return" ->
                [name |-> name, succeeded |-> Succeeded(e),
                 current |-> Has(instance, "key") /\ Current(ledger, instance.key, e)]
         [] name = "inv.call"   -> [name |-> name, current |-> TRUE]
         [] name = "inv.return" -> [name |-> name, current |-> TRUE, succeeded |-> Succeeded(e)]
         [] name = "check" ->
                LET hs == Newest(ledger, e.host, e.key)
                IN [name |-> name, accepted |-> e.verdict = "accept",
                    permitted |-> SomePermits(hs, pair, e.key, e),
                    overruns  |-> SomeOverruns(hs, pair, e.key, e),
                    empty     |-> e.remaining = 0,
                    late      |-> ~IsLocal(e.access) /\ IsLate(pair, e.psn)]
         [] name \in {"dma.read", "dma.write"} ->
                LET remote == ~LocalAt(pair, e.psn)
                IN [name |-> name,
                    ownKey    |-> \/ Region(ledger, e.host, e.mr) = << >>
                                  \/ BearersOf(ledger, e) # << >>,
                    permitted |-> DmaPermitted(ledger, e),
                    late      |-> remote /\ IsLate(pair, e.psn),
                    duplicate |-> /\ remote /\ name = "dma.write"
                                  /\ \E d \in pair.again : d.psn = e.psn /\ d.key \in {0, e.key},
                    afterRefusal |-> /\ remote /\ name = "dma.write"
                                     /\ \E r \in pair.refusals :
                                            r.key = e.key /\ ~Before(e.psn, r.psn)]
         [] name = "rx" ->
                LET accesses == IF IsRequest(e) THEN Access(pair, e) ELSE {}
                IN [name |-> name, isRequest |-> IsRequest(e),
                    fresh   |-> ~IsRequest(e) \/ ~Before(e.psn, pair.low),
                    damaged |-> Has(e, "icrc") /\ e.icrc = "bad",
                    late    |-> IsRequest(e) /\ IsDead(pair),
                    empty   |-> \E a \in accesses : IsEmpty(a),
                    read    |-> e.op = ReadOp,
                    fatalNakArrived |-> e.op = Acknowledge /\ IsFatal(e.syndrome)]
         [] name = "tx" ->
                LET response == IsResponse(e)
                    last == \/ e.op \in LastResponses \cup {AtomicAck}
                            \/ Has(instance, "packet") /\ e.psn = instance.packet.last
                IN [name |-> name, isRequest |-> IsRequest(e),
                    beyondFatal |-> response /\ \E f \in pair.fatal : ~Before(e.psn, f.psn),
                    late        |-> response /\ IsLate(pair, e.psn),
                    inOrder     |-> e.op \in ReadResponses =>
                                        \/ Before(e.psn, pair.low)      \* a repetition
                                        \/ \E r \in pair.reads : Within(e.psn, r.first, r.next),
                    sameOriginal |-> e.op = AtomicAck /\ Has(e, "original") =>
                                        \A o \in pair.originals :
                                            o.psn = e.psn => o.original = e.original,
                    covers      |-> response /\ PacketCovered(instance, e),
                    answers     |-> response /\ InPacket(instance, e),
                    completes   |-> response /\ InPacket(instance, e) /\ last,
                    reach       |-> IF response THEN Reach(instance, e) ELSE "none"]
         [] name \in {"ack", "nak"} ->
                LET answer == Answer(e.syndrome)
                    unanswered == Distance(pair.low, e.psn) < Distance(pair.low, pair.high)
                IN [name |-> name, answer |-> answer,
                    covers      |-> PacketCovered(instance, e),
                    exact       |-> name = "nak" /\ InPacket(instance, e),
                    received    |-> Before(e.psn, pair.high),
                    atExpected  |-> IF answer = "sequence"
                                    THEN e.psn \in pair.gaps /\ ~Before(e.psn, pair.low)
                                    ELSE unanswered,
                    insideRead  |-> \E r \in pair.reads :
                                        /\ Within(e.psn, r.first, r.last)
                                        /\ ~Before(e.psn, pair.low),
                    atReplay    |-> \E r \in pair.readAgain : Within(e.psn, r.first, r.last),
                    invalidRequestPossible |-> InvalidRequestPossible(pair, e.psn),
                    accessErrorPossible    |-> AccessErrorPossible(pair, e.psn),
                    repeated    |-> \E f \in pair.fatal :
                                        f.psn = e.psn /\ f.syndrome = e.syndrome,
                    beyondFatal |-> \E f \in pair.fatal : ~Before(e.psn, f.psn),
                    late        |-> IsLate(pair, e.psn),
                    reach       |-> Reach(instance, e),
                    inside      |-> /\ name = "nak" /\ Has(instance, "span")
                                    /\ Within(e.psn, instance.span.first, instance.span.last)]
         [] name = "qp.state" ->
                [name |-> name, toErr |-> e.state = "ERR", toReset |-> e.state = "RESET",
                 toReady |-> e.state \in {"RTR", "RTS", "SQD"}]
         [] name = "wc" ->
                LET mine == SelectSeq(pair.sent, LAMBDA m : m.wr = e.wr)
                IN [name |-> name, status |-> Status(e.status),
                    answered |-> CASE Has(e, "op") /\ e.op \in LocalOperations -> "local"
                                   [] mine # << >> -> mine[1].fate
                                   [] OTHER -> "none",
                    afterError |-> pair.failed \/ IsDead(pair)]
         [] OTHER -> [name |-> name]

(***************************************************************************)
(* What is kept with an instance: its slice parameters, and the packet or  *)
(* the message of the request that made it.                                *)
(***************************************************************************)
NewInstance(ledger, e, slice) ==
    LET pair == Pair(ledger, e.host, e.qp)
    IN CASE "psn" \in DOMAIN slice ->
                [packet |-> CHOOSE a \in Access(pair, e) : TRUE, host |-> slice.host,
                 qp |-> slice.qp, psn |-> slice.psn, key |-> slice.key]
         [] "message" \in DOMAIN slice ->
                LET known == {m \in pair.messages : m.first = slice.message}
                    last  == IF e.op \in WriteStarts THEN MessageLast(e)
                             ELSE (CHOOSE m \in known : TRUE).last
                IN [span |-> [first |-> slice.message, last |-> last], host |-> slice.host,
                    qp |-> slice.qp, message |-> slice.message]
         [] OTHER -> slice

-------------------------------------------------------------------------------
(***************************************************************************)
(* For tests: a whole recording at once.                                   *)
(***************************************************************************)
RECURSIVE RecordAll(_)
RecordAll(events) ==
    IF events = << >> THEN EmptyLedger
    ELSE Record(RecordAll(SubSeq(events, 1, Len(events) - 1)), events[Len(events)])

DeriveAfter(events, instance, e) == Derive(RecordAll(events), instance, e)

InstanceAfter(events, e, slice) == NewInstance(RecordAll(events), e, slice)

HistoryAfter(events, host, key) == History(RecordAll(events), host, key)

=============================================================================
