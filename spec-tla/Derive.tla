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
(* `host' always; qp a string; mr, mw, pd, wr, srq, key, lkey, inv, psn,   *)
(* va, len, dma_addr, payload, remaining, syndrome, msn, signaled          *)
(* integers; rights a set of strings; op, state, by, status, access,       *)
(* verdict, icrc strings; peer a record [host, qp].  An optional field that is not there is not in the record.  Key 0  *)
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

\* Derived values that nobody looks at.  Those that cost something are left out
\* then: they are FALSE or "unknown".  The checker and its tests skip none.
CONSTANT Skipped

Want(value) == value \notin Skipped

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

WriteFirsts   == {"RC_RDMA_WRITE_FIRST", "UC_RDMA_WRITE_FIRST"}
WriteMiddles  == {"RC_RDMA_WRITE_MIDDLE", "UC_RDMA_WRITE_MIDDLE"}
WriteLasts    == {"RC_RDMA_WRITE_LAST", "RC_RDMA_WRITE_LAST_WITH_IMMEDIATE",
                  "UC_RDMA_WRITE_LAST", "UC_RDMA_WRITE_LAST_WITH_IMMEDIATE"}
WriteOnlys    == {"RC_RDMA_WRITE_ONLY", "RC_RDMA_WRITE_ONLY_WITH_IMMEDIATE",
                  "UC_RDMA_WRITE_ONLY", "UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE"}
WriteStarts   == WriteFirsts \cup WriteOnlys
WriteFollows  == WriteMiddles \cup WriteLasts
WriteOps      == WriteStarts \cup WriteFollows
ReadOp        == "RC_RDMA_READ_REQUEST"
AtomicOps     == {"RC_COMPARE_SWAP", "RC_FETCH_ADD"}
SendFirsts    == {"RC_SEND_FIRST", "UC_SEND_FIRST"}
SendMiddles   == {"RC_SEND_MIDDLE", "UC_SEND_MIDDLE"}
SendLasts     == {"RC_SEND_LAST", "RC_SEND_LAST_WITH_IMMEDIATE", "RC_SEND_LAST_WITH_INVALIDATE",
                  "UC_SEND_LAST", "UC_SEND_LAST_WITH_IMMEDIATE"}
SendOnlys     == {"RC_SEND_ONLY", "RC_SEND_ONLY_WITH_IMMEDIATE", "RC_SEND_ONLY_WITH_INVALIDATE",
                  "UC_SEND_ONLY", "UC_SEND_ONLY_WITH_IMMEDIATE"}
Invalidating  == {"RC_SEND_LAST_WITH_INVALIDATE", "RC_SEND_ONLY_WITH_INVALIDATE"}
SendOps       == SendFirsts \cup SendMiddles \cup SendLasts \cup SendOnlys
RequestOps    == WriteOps \cup {ReadOp} \cup AtomicOps \cup SendOps
UnreliableOps == {"UC_RDMA_WRITE_FIRST", "UC_RDMA_WRITE_MIDDLE", "UC_RDMA_WRITE_LAST",
                  "UC_RDMA_WRITE_LAST_WITH_IMMEDIATE", "UC_RDMA_WRITE_ONLY",
                  "UC_RDMA_WRITE_ONLY_WITH_IMMEDIATE", "UC_SEND_FIRST", "UC_SEND_MIDDLE",
                  "UC_SEND_LAST", "UC_SEND_LAST_WITH_IMMEDIATE", "UC_SEND_ONLY",
                  "UC_SEND_ONLY_WITH_IMMEDIATE"}
Unfinished    == WriteFirsts \cup WriteMiddles
                 \cup SendFirsts \cup SendMiddles         \* more packets of the message follow
Following     == WriteFollows \cup SendMiddles \cup SendLasts
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
      [] status \in {"LOC_LEN_ERR", "LOC_QP_OP_ERR", "LOC_EEC_OP_ERR", "LOC_PROT_ERR",
                     "LOC_ACCESS_ERR", "LOC_RDD_VIOL_ERR", "MW_BIND_ERR"} -> "local"
      [] OTHER                        -> "other"

Succeeded(e) == e.status = "ok"

-------------------------------------------------------------------------------
(***************************************************************************)
(* The ledger:                                                             *)
(*   holders   who holds which key, oldest holder first                    *)
(*   history   the registration events of present holders in order, for    *)
(*             instances that replay a key                                 *)
(*   pairs     the queue pairs                                             *)
(*   shared    the receives posted to shared receive queues                *)
(*   pins      which memory is pinned, oldest first; pinners are the hosts *)
(*             that ever said so                                           *)
(*   windows   the windows that were allocated and not deallocated         *)
(*   dead      protection domains, windows and queue pairs that are gone   *)
(*                                                                         *)
(* A holder is a region (mw = 0) or a window on region mr.  `known' is     *)
(* FALSE while only the call of its registration was seen, `fast' TRUE for *)
(* a fast registration.  `asked' holds the attributes of a                 *)
(* re-registration under way, `calls' counts the deregistrations and       *)
(* invalidations under way, `unbinding' a bind of length 0.                *)
(*                                                                         *)
(* A pin is of the present memory of its region (now), of the memory that  *)
(* a re-registration under way leads to (next), or left from before (old). *)
(***************************************************************************)
EmptyLedger == [holders |-> << >>, history |-> << >>, pairs |-> << >>, shared |-> << >>,
                pins |-> << >>, pinners |-> {}, windows |-> {}, dead |-> {}]

Unknown(host, mr, key) ==
    [host |-> host, mr |-> mr, mw |-> 0, key |-> key, lkey |-> key, known |-> FALSE,
     pd |-> 0, va |-> 0, len |-> 0, rights |-> {}, type |-> 0, qp |-> "", fast |-> FALSE,
     asked |-> << >>, calls |-> 0, unbinding |-> FALSE]

HolderOfReg(e) ==
    [Unknown(e.host, e.mr, e.key) EXCEPT !.lkey = e.lkey, !.known = TRUE, !.pd = e.pd,
        !.va = e.va, !.len = e.len, !.rights = e.rights, !.fast = Has(e, "qp")]

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

\* The windows bound on a region; the holders that a window is: more than one
\* while it is bound anew.
WindowsOn(ledger, host, mr) ==
    SelectSeq(ledger.holders, LAMBDA h : h.host = host /\ h.mr = mr /\ h.mw # 0)
WindowsOf(ledger, host, mw) ==
    SelectSeq(ledger.holders, LAMBDA h : h.host = host /\ h.mw # 0 /\ h.mw = mw)

KeysHeld(hs) == UNION {{hs[i].key, hs[i].lkey} : i \in DOMAIN hs}

\* Which keys a registration event is about.  Deregistration and
\* re-registration concern both keys of their region, deregistration those of
\* its windows too; a bind and a deallocation the present key of the window.
KeysOf(ledger, e) ==
    ({e.key} \cup
     CASE e.name = "reg" -> {e.lkey}
       [] e.name \in {"rereg.call", "rereg.return"} -> KeysHeld(Region(ledger, e.host, e.mr))
       [] e.name \in {"dereg.call", "dereg.return"} ->
              KeysHeld(Region(ledger, e.host, e.mr)) \cup KeysHeld(WindowsOn(ledger, e.host, e.mr))
       [] e.name \in {"bind.call", "bind.return", "mw.dealloc.call", "mw.dealloc.return"} ->
              KeysHeld(WindowsOf(ledger, e.host, e.mw))
       [] OTHER -> {}) \ {0}

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
(*   grants     the last accepted check of a remote access at a PSN        *)
(*   acts       for a message that is not answered: the registration that  *)
(*              its first access to memory was made under                  *)
(*   touched    accesses to memory made for the peer's requests and        *)
(*              allowed, until the peer's completion                       *)
(*   invs       keys that its peer, or a work request of its own, named    *)
(*              for invalidation, and whether it was executed and reported *)
(*   refusals   refused checks of remote writes                            *)
(*   fatal      the first fatal NAK sent, late the PSN of the first new    *)
(*              request that arrived after it or in ERR: sets of at most   *)
(*              one element                                                *)
(* as requester: posts not yet on the wire, messages sent with what        *)
(* answered them, next the next PSN to send; `meant' is the registration   *)
(* that had the key when the request was posted, NoOne if it was nobody's, *)
(* Gone once that window was unbound: a sequence of at most one element;   *)
(* asked whether a request of its own has left, posted whether posts are   *)
(* recorded; and in both roles:                                            *)
(*   sends, receives    work requests posted and not completed, in order   *)
(*   discarded          those that a reset took away: at most one          *)
(*                      completion each may still come                     *)
(*   failed             a completion was an error                          *)
(*   outside            moved to ERR by somebody other than the device     *)
(*   fault              a check of a local key was refused                 *)
(***************************************************************************)
NoOne == [host |-> "", mr |-> 0, mw |-> 0, key |-> 0]
Gone  == [host |-> "", mr |-> 0, mw |-> 1, key |-> 0]

NewPair(host, qp) ==
    [host |-> host, qp |-> qp, pd |-> 0,
     rights |-> {"remote_write", "remote_read", "remote_atomic"}, mtu |-> 1,
     error |-> FALSE, low |-> 0, high |-> 0, gaps |-> {}, messages |-> {}, packets |-> {},
     tail |-> {}, reads |-> {}, again |-> {}, readAgain |-> {}, originals |-> {}, checks |-> {},
     refusals |-> {}, fatal |-> {}, late |-> {}, grants |-> {}, acts |-> {}, touched |-> {},
     invs |-> {}, peer |-> << >>, srq |-> << >>,
     posts |-> << >>, sent |-> << >>, next |-> 0, asked |-> FALSE, posted |-> FALSE, failed |-> FALSE,
     sends |-> << >>, receives |-> << >>, discarded |-> << >>, outside |-> FALSE,
     fault |-> FALSE]

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
    IF e.op \in WriteFirsts
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
         [] e.op \in WriteFirsts -> one("remote_write", e.key, e.va, e.payload, e.len)
         [] e.op \in WriteOnlys  ->
                one("remote_write", e.key, e.va, Bigger(e.payload, e.len), e.len)
         [] e.op \in WriteFollows ->
                UNION {LET offset == Distance(m.first, e.psn) * m.unit
                           rest   == Bigger(0, m.len - offset)
                       IN one("remote_write", m.key, m.va + offset,
                              IF e.op \in WriteLasts THEN Bigger(e.payload, rest)
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
                       "rereg.return", "bind.call", "bind.return", "inv.call", "inv.return",
                       "mw.dealloc.call", "mw.dealloc.return"}

IsRegion(h, e) == h.host = e.host /\ h.mr = e.mr /\ h.mw = 0
IsWindow(h, e) == h.host = e.host /\ h.mw = e.mw /\ h.key = e.key

\* The holder an event is about: a sequence of at most one.
HolderOf(ledger, e) ==
    CASE e.name \in {"inv.call", "inv.return"} -> Newest(ledger, e.host, e.key)
      [] e.name \in {"bind.call", "bind.return", "mw.dealloc.call", "mw.dealloc.return"} ->
             LET all == SelectSeq(ledger.holders, LAMBDA h : IsWindow(h, e))
             IN IF all = << >> THEN << >> ELSE << all[Len(all)] >>
      [] OTHER -> Region(ledger, e.host, e.mr)

Identity(h) == [host |-> h.host, mr |-> h.mr, mw |-> h.mw, key |-> IF h.mw = 0 THEN 0 ELSE h.key]

\* Who was meant, or acted on, by that name is gone: a window's key may come
\* back for a later binding of the same window.
Forget(pair, h) ==
    LET gone == << Identity(h) >>
        note(m) == IF m.meant = gone THEN [m EXCEPT !.meant = << Gone >>] ELSE m
    IN [pair EXCEPT
          !.posts = [i \in DOMAIN @ |-> note(@[i])],
          !.sent  = [i \in DOMAIN @ |-> note(@[i])],
          !.acts  = {IF a.who = Identity(h) THEN [a EXCEPT !.who = Gone] ELSE a : a \in @}]

WithoutHolder(ledger, h) ==
    [ledger EXCEPT
        !.holders = SelectSeq(@, LAMBDA k : Identity(k) # Identity(h)),
        !.history = SelectSeq(@, LAMBDA entry : entry.holder # Identity(h)),
        !.pairs   = IF h.mw = 0 THEN @ ELSE [n \in DOMAIN @ |-> Forget(@[n], h)]]

RECURSIVE WithoutHolders(_, _)
WithoutHolders(ledger, hs) ==
    IF hs = << >> THEN ledger ELSE WithoutHolders(WithoutHolder(ledger, Head(hs)), Tail(hs))

\* `keys' are those that the event is about at that time.
RememberAs(ledger, h, e, keys) ==
    [ledger EXCEPT !.history = Append(@, [holder |-> Identity(h), event |-> e, keys |-> keys])]

\* That holder has another key now.
WithoutKeys(history, h, keys) ==
    [i \in DOMAIN history |->
        IF history[i].holder = Identity(h) THEN [history[i] EXCEPT !.keys = @ \ keys] ELSE history[i]]

Replace(ledger, h, g) ==
    [ledger EXCEPT !.holders = [i \in DOMAIN @ |-> IF @[i] = h THEN g ELSE @[i]]]

\* The pins of a region after its re-registration returned.
Moved(pins, e) ==
    LET mine(p) == p.host = e.host /\ p.mr = e.mr
        moves   == Succeeded(e) /\ \E i \in DOMAIN pins : mine(pins[i]) /\ pins[i].of = "next"
        of(p)   == CASE ~mine(p)                  -> p.of
                     [] p.of = "next"             -> IF moves THEN "now" ELSE "old"
                     [] p.of = "now" /\ moves     -> "old"
                     [] OTHER                     -> p.of
    IN [i \in DOMAIN pins |-> [pins[i] EXCEPT !.of = of(pins[i])]]

RecordRegistration(ledger, e) ==
    LET about == HolderOf(ledger, e)
        keys  == KeysOf(ledger, e)
        Remember(l, h, x) == RememberAs(l, h, x, keys)
        calls(n) == [about[1] EXCEPT !.calls = Bigger(0, @ + n)]
        add(h) == Remember([ledger EXCEPT !.holders = Append(@, h)], h, e)
    IN CASE e.name = "reg.call"  -> add(Unknown(e.host, e.mr, e.key))
         [] e.name = "reg" ->
                IF about # << >> /\ ~about[1].known
                THEN Remember(Replace(ledger, about[1], HolderOfReg(e)), about[1], e)
                ELSE add(HolderOfReg(e))
         [] e.name = "bind.call" ->
                LET h == HolderOfBind(ledger, e)
                IN IF e.len = 0
                   THEN IF about = << >> THEN ledger
                        ELSE Remember(Replace(ledger, about[1],
                                              [about[1] EXCEPT !.unbinding = TRUE]), about[1], e)
                   ELSE IF about = << >> THEN add(h)
                   ELSE Remember(Replace(ledger, about[1], h), about[1], e)
         [] about = << >> -> ledger
         [] e.name = "rereg.call" ->
                Remember(Replace(ledger, about[1],
                                 [about[1] EXCEPT !.asked = << HolderOfRereg(about[1], e) >>]),
                         about[1], e)
         [] e.name = "rereg.return" ->
                LET h == about[1]
                    moved == Succeeded(e) /\ h.asked # << >>
                    g == IF moved THEN h.asked[1] ELSE h
                    k == IF moved /\ e.key # h.key                 \* a new key for the region
                         THEN [g EXCEPT !.key = e.key, !.lkey = IF h.lkey = h.key THEN e.key ELSE @]
                         ELSE g
                    after == Remember([Replace(ledger, h, [k EXCEPT !.asked = << >>])
                                           EXCEPT !.pins = Moved(@, e)], h, e)
                IN [after EXCEPT !.history = WithoutKeys(@, h, {h.key, h.lkey} \ {k.key, k.lkey})]
         [] e.name = "bind.return" /\ about[1].unbinding ->
                IF Succeeded(e) THEN WithoutHolder(ledger, about[1])
                ELSE Remember(Replace(ledger, about[1], [about[1] EXCEPT !.unbinding = FALSE]),
                              about[1], e)
         [] e.name = "bind.return" ->
                IF Succeeded(e)
                THEN LET old == SelectSeq(ledger.holders,
                                    LAMBDA h : h.host = e.host /\ h.mw = e.mw /\ h.key # e.key)
                         kept == IF old = << >> THEN ledger ELSE WithoutHolder(ledger, old[1])
                     IN Remember(kept, about[1], e)
                ELSE WithoutHolder(ledger, about[1])
         [] e.name = "dereg.return" /\ Succeeded(e) ->
                WithoutHolders(ledger, about \o WindowsOn(ledger, e.host, e.mr))
         [] e.name = "mw.dealloc.return" /\ Succeeded(e) ->
                WithoutHolders(ledger, WindowsOf(ledger, e.host, e.mw))
         [] e.name = "inv.return" /\ Succeeded(e) ->
                WithoutHolder(ledger, about[1])
         [] e.name \in {"dereg.call", "inv.call"} ->
                Remember(Replace(ledger, about[1], calls(1)), about[1], e)
         [] e.name \in {"dereg.return", "inv.return"} ->
                Remember(Replace(ledger, about[1], calls(-1)), about[1], e)
         [] OTHER -> Remember(ledger, about[1], e)

\* The registration events of a key's present holders, in order.
History(ledger, host, key) ==
    LET mine == SelectSeq(ledger.history,
                          LAMBDA x : x.event.host = host /\ key \in x.keys)
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
               !.invs     = IF e.op \in Invalidating /\ Has(e, "inv")
                            THEN @ \cup {[key |-> e.inv, peer |-> TRUE, executed |-> FALSE,
                                          reported |-> FALSE]}
                            ELSE @,
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

\* The WRITE message, or the READ or atomic request, that a PSN belongs to: a
\* set of at most one span of PSNs.
Span(m) == [first |-> m.first, last |-> m.last]

SpanAt(pair, psn) ==
    LET write == MessageAt(pair, psn)
        other == {p \in pair.packets : p.op \notin WriteOps /\ Within(psn, p.first, p.last)}
    IN IF write # {} THEN {Span(m) : m \in write}
       ELSE IF other = {} THEN {} ELSE {Span(CHOOSE p \in other : TRUE)}

\* Everything before `to' has been answered, hence has arrived.
Advance(pair, to) ==
    LET low  == Later(pair.low, to)
        done == {p \in pair.packets : Before(p.last, low)}
        open == {Span(m) : m \in pair.messages \cup pair.packets}
        needed(g) == \/ ~Before(g.psn, low)
                     \/ \E s \in open : ~Before(s.last, low) /\ Within(g.psn, s.first, s.last)
    IN [pair EXCEPT
          !.checks   = {c \in @ : c.local \/ needed(c)},
          !.grants   = {g \in @ : needed(g)},
          !.acts     = {a \in @ : ~Before(a.last, low)},
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
    THEN LET last == IF e.op \in WriteFirsts THEN MessageLast(e) ELSE LastOf(pair, e)
             post == Head(pair.posts)
         IN [pair EXCEPT                                   \* a SEND grows until its last packet
               !.posts = Tail(@),
               !.sent  = Append(@, [wr |-> post.wr, first |-> e.psn, last |-> last,
                                    whole |-> e.op \notin SendFirsts, fate |-> "none",
                                    meant |-> post.meant, op |-> e.op, va |-> post.va,
                                    len |-> post.len]),
               !.next  = Plus(LastOf(pair, e), 1)]
    ELSE [pair EXCEPT
            !.sent = IF e.op \in SendMiddles \cup SendLasts /\ @ # << >>
                     THEN [@ EXCEPT ![Len(@)].last = e.psn, ![Len(@)].whole = e.op \in SendLasts]
                     ELSE @,
            !.next = Plus(e.psn, 1)]

\* An answer to nothing that is outstanding, as an old connection of the same
\* number leaves it on the network: the requester drops it (L90).  Where posts are
\* not recorded what is outstanding is not known.
AnswersNothing(pair, e) ==
    \/ ~pair.asked
    \/ pair.posted /\ ~\E i \in DOMAIN pair.sent :
                          Within(e.psn, pair.sent[i].first, pair.sent[i].last)

\* An ACK, a NAK, a READ response or an atomic acknowledgement arrives.  In ERR
\* nothing is refused any more: what is open is flushed (E12).
RecordArrival(pair, e) ==
    LET answer == IF Has(e, "syndrome") THEN Answer(e.syndrome) ELSE "ack"
        fate(m) ==
            CASE m.fate \notin {"none", "rnr"} -> m.fate
              [] answer = "ack" /\ m.whole /\ ~Before(e.psn, m.last) -> "acked"
              [] answer # "ack" /\ m.whole /\ Before(m.last, e.psn)  -> "acked"   \* L69
              [] answer # "ack" /\ ~pair.error /\ Within(e.psn, m.first, m.last)
                     /\ answer \in FatalAnswers \cup {"rnr"} -> answer
              [] OTHER -> m.fate
    IN [pair EXCEPT !.sent = [i \in DOMAIN @ |-> [@[i] EXCEPT !.fate = fate(pair.sent[i])]]]

\* Completions whose request leaves no packet.
LocalOperations == {"RECV", "BIND_MW", "LOCAL_INV", "REG_MR"}

\* The registration that a DMA is made under.
ActedOn(ledger, e) ==
    LET windows == SelectSeq(ledger.holders, LAMBDA h : h.host = e.host /\ h.mr = e.mr
                                                       /\ h.mw # 0 /\ h.key = e.key)
    IN IF windows # << >> THEN Identity(windows[Len(windows)])
       ELSE [host |-> e.host, mr |-> e.mr, mw |-> 0, key |-> 0]

\* Who has the key at the other end: a sequence of at most one element.
MeantBy(ledger, pair, e) ==
    IF pair.peer = << >> \/ ~Has(e, "key") THEN << >>
    ELSE LET hs == Newest(ledger, pair.peer[1].host, e.key)
         IN << IF hs = << >> THEN NoOne ELSE Identity(hs[1]) >>

-------------------------------------------------------------------------------
(***************************************************************************)
(* Work requests posted and not completed.                                 *)
(***************************************************************************)
IsSignaled(e) == Has(e, "signaled") => e.signaled = 1

\* Where a work request stands in a queue, 0 if it does not.
Place(queue, wr) ==
    LET places == {i \in DOMAIN queue : queue[i].wr = wr}
    IN IF places = {} THEN 0 ELSE CHOOSE i \in places : \A j \in places : i <= j

\* The receives posted to the shared receive queue of a queue pair.
Shared(ledger, pair) ==
    LET name == <<pair.host, pair.srq[1]>>
    IN IF name \in DOMAIN ledger.shared THEN ledger.shared[name] ELSE << >>

SetShared(ledger, name, queue) ==
    [ledger EXCEPT !.shared = [n \in DOMAIN ledger.shared \cup {name} |->
                                   IF n = name THEN queue ELSE ledger.shared[n]]]

\* Which queue a completion is of.  Where it does not say: the one that the
\* work request stands in.
QueueOf(ledger, pair, e) ==
    LET receives == IF pair.srq = << >> THEN "receive" ELSE "shared"
        isReceive == IF Has(e, "op") THEN e.op = "RECV"
                     ELSE /\ Place(pair.sends, e.wr) = 0
                          /\ \/ Place(pair.receives, e.wr) # 0
                             \/ pair.srq # << >> /\ Place(Shared(ledger, pair), e.wr) # 0
    IN IF isReceive THEN receives ELSE "send"

Queue(ledger, pair, e) ==
    LET queue == QueueOf(ledger, pair, e)
    IN CASE queue = "send"    -> pair.sends
         [] queue = "receive" -> pair.receives
         [] OTHER             -> Shared(ledger, pair)

From(queue, place) == SubSeq(queue, place + 1, Len(queue))
Without(queue, place) == SubSeq(queue, 1, place - 1) \o From(queue, place)

\* A completion retires what was posted before it in the same queue, but not
\* in a shared receive queue.
RecordCompletion(ledger, pair, e) ==
    LET queue == QueueOf(ledger, pair, e)
        place == Place(Queue(ledger, pair, e), e.wr)
        over  == IF queue = "send" THEN {e.wr} \cup {pair.sends[i].wr : i \in 1 .. place} ELSE {}
        kept  == [pair EXCEPT
                    !.failed    = @ \/ e.status # "SUCCESS",
                    !.posts     = SelectSeq(@, LAMBDA p : p.wr \notin over),
                    !.sent      = SelectSeq(@, LAMBDA m : m.wr \notin over),
                    !.sends     = IF queue = "send" THEN From(@, place) ELSE @,
                    !.receives  = IF queue = "receive" THEN From(@, place) ELSE @,
                    !.discarded = IF place # 0 \/ Place(@, e.wr) = 0 THEN @
                                  ELSE Without(@, Place(@, e.wr)),
                    !.invs      = IF e.status = "SUCCESS" /\ Has(e, "inv")
                                  THEN {i \in {IF i.peer /\ i.key = e.inv
                                                THEN [i EXCEPT !.reported = TRUE] ELSE i : i \in @} :
                                        ~(i.executed /\ i.reported)}
                                  ELSE @]
        spans == {<<pair.sent[i].first, pair.sent[i].last>> :
                      i \in {k \in DOMAIN pair.sent : pair.sent[k].wr \in over}}
        own   == SetPair(IF queue = "shared" /\ place # 0
                         THEN SetShared(ledger, <<pair.host, pair.srq[1]>>,
                                        Without(Shared(ledger, pair), place))
                         ELSE ledger, kept)
    IN IF pair.peer = << >> \/ spans = {} THEN own
       ELSE LET peer == Pair(own, pair.peer[1].host, pair.peer[1].qp)
                past == {t \in peer.touched : \E sp \in spans : Within(t.psn, sp[1], sp[2])}
            IN IF past = {} THEN own
               ELSE SetPair(own, [peer EXCEPT !.touched = @ \ past])

-------------------------------------------------------------------------------
\* Was the memory access at this PSN made for the queue pair's own request?
LocalAt(pair, psn) == \E c \in pair.checks : c.psn = psn /\ c.local

\* A DMA names its registration; it is judged by that one, whoever holds the
\* key by now.
BearersOf(ledger, e) ==
    SelectSeq(ledger.holders, LAMBDA h : h.host = e.host /\ h.mr = e.mr /\ Holds(h, e.key))

\* What a DMA does is inside what the holder allows.
Fits(h, pair, e) ==
    /\ h.pd = pair.pd
    /\ h.type = 2 => h.qp = pair.qp
    /\ Covers(h, e.va, e.len)
    /\ e.name = "dma.write" =>
           h.rights \cap {"local_write", "remote_write", "remote_atomic"} # {}

DmaPermitted(ledger, e) ==
    LET pair    == Pair(ledger, e.host, e.qp)
        bearers == BearersOf(ledger, e)
    IN \/ Region(ledger, e.host, e.mr) = << >>            \* left to NoAccessAfterReturn
       \/ bearers = << >>                                 \* left to ownKey
       \/ \E i \in DOMAIN bearers :
              LET h == bearers[i]
              IN \/ ~h.known
                 \/ Fits(h, pair, e)

\* An access to memory.
RecordDma(ledger, pair, e) ==
    LET spans   == SpanAt(pair, e.psn)
        bearers == BearersOf(ledger, e)
        allowed == bearers # << >> /\ DmaPermitted(ledger, e)
        first(a) == \E sp \in spans : a.first = sp.first
    IN IF LocalAt(pair, e.psn) \/ ~(Want("sameRegistration") \/ Want("done")) THEN ledger
       ELSE SetPair(ledger,
              [pair EXCEPT
                 !.acts    = IF \E a \in @ : first(a) THEN @
                             ELSE @ \cup {[first |-> sp.first, last |-> sp.last,
                                           who |-> ActedOn(ledger, e)] : sp \in spans},
                 !.touched = IF Want("done") /\ allowed
                             THEN @ \cup {[psn |-> e.psn, va |-> e.va, len |-> e.len,
                                           writes |-> e.name = "dma.write"]}
                             ELSE @])

-------------------------------------------------------------------------------
(***************************************************************************)
(* Pinned memory, windows, protection domains.                             *)
(***************************************************************************)
DmaAddress(e) == IF Has(e, "dma_addr") THEN e.dma_addr ELSE -1

PinOf(ledger, e) ==
    LET region == Region(ledger, e.host, e.mr)
    IN [host |-> e.host, mr |-> e.mr, va |-> e.va, len |-> e.len, at |-> DmaAddress(e),
        of |-> IF region # << >> /\ region[1].asked # << >> THEN "next" ELSE "now"]

\* The oldest pin that an unpin undoes, 0 if there is none.
PinUndone(ledger, e) ==
    LET same(p) == /\ p.host = e.host /\ p.mr = e.mr /\ p.va = e.va /\ p.len = e.len
                   /\ p.at = DmaAddress(e)
        places == {i \in DOMAIN ledger.pins : same(ledger.pins[i])}
    IN IF places = {} THEN 0 ELSE CHOOSE i \in places : \A j \in places : i <= j

\* Every byte is pinned: by whom it may, where the bus address is known.
IsPinned(ledger, e) ==
    LET at  == IF \E i \in DOMAIN ledger.pins : ledger.pins[i].host = e.host /\ ledger.pins[i].at >= 0
               THEN DmaAddress(e) ELSE -1
        by(p) == p.host = e.host /\ IF at >= 0 THEN p.at >= 0 ELSE p.mr = e.mr
        from(p) == IF at >= 0 THEN p.at ELSE p.va
        start == IF at >= 0 THEN at ELSE e.va
    IN \/ e.host \notin ledger.pinners
       \/ \A byte \in start .. start + e.len - 1 :
              \E i \in DOMAIN ledger.pins :
                  LET p == ledger.pins[i]
                  IN by(p) /\ from(p) <= byte /\ byte < from(p) + p.len

\* Does a DMA go where that generation of pins has put its address?  Yes where
\* it is not known.
Mapped(ledger, e, of) ==
    LET at   == DmaAddress(e)
        mine == {i \in DOMAIN ledger.pins :
                     LET p == ledger.pins[i]
                     IN p.host = e.host /\ p.mr = e.mr /\ p.of = of /\ p.at >= 0
                        /\ p.va <= e.va /\ e.va < p.va + p.len}
    IN at >= 0 /\ mine # {} =>
           \E i \in mine : at = ledger.pins[i].at + (e.va - ledger.pins[i].va)

Moves(ledger, e) ==
    \E i \in DOMAIN ledger.pins :
        LET p == ledger.pins[i] IN p.host = e.host /\ p.mr = e.mr /\ p.of = "next"

RecordInvalidation(ledger, e) ==
    LET pair == Pair(ledger, e.host, e.qp)
        next == {IF i.key # e.key THEN i
                 ELSE [i EXCEPT !.executed = TRUE, !.reported = @ \/ ~i.peer] : i \in pair.invs}
    IN IF e.name = "inv.call" \/ ~Has(e, "qp") THEN ledger
       ELSE SetPair(ledger,
              [pair EXCEPT !.invs = IF Succeeded(e)
                                    THEN {i \in next : ~(i.executed /\ i.reported)}
                                    ELSE {i \in @ : i.key # e.key}])

-------------------------------------------------------------------------------
(***************************************************************************)
(* Record: the ledger after an event.                                      *)
(***************************************************************************)
Record(ledger, e) ==
    LET pair == Pair(ledger, e.host, e.qp)
        put(p) == SetPair(ledger, p)
    IN CASE e.name \in {"inv.call", "inv.return"} ->
                RecordInvalidation(RecordRegistration(ledger, e), e)
         [] e.name = "mw.dealloc.return" /\ Succeeded(e) ->
                LET after == RecordRegistration(ledger, e)
                IN [after EXCEPT !.windows = {w \in @ : w.host # e.host \/ w.mw # e.mw},
                                 !.dead    = @ \cup {<<"mw", e.host, e.mw>>}]
         [] e.name \in RegistrationEvents -> RecordRegistration(ledger, e)
         [] e.name = "mw.alloc" ->
                [ledger EXCEPT !.windows = @ \cup {[host |-> e.host, mw |-> e.mw, pd |-> e.pd,
                                                    type |-> e.type]}]
         [] e.name = "pd.dealloc" /\ Succeeded(e) ->
                [ledger EXCEPT !.dead = @ \cup {<<"pd", e.host, e.pd>>}]
         [] e.name = "pin" ->
                [ledger EXCEPT !.pins = Append(@, PinOf(ledger, e)), !.pinners = @ \cup {e.host}]
         [] e.name = "unpin" ->
                LET place == PinUndone(ledger, e)
                IN IF place = 0 THEN ledger ELSE [ledger EXCEPT !.pins = Without(@, place)]
         [] e.name = "qp.create"  ->
                put([NewPair(e.host, e.qp) EXCEPT
                       !.pd = e.pd, !.rights = e.rights,
                       !.srq = IF Has(e, "srq") THEN << e.srq >> ELSE << >>])
         [] e.name = "qp.destroy" /\ Succeeded(e) ->
                [ledger EXCEPT !.pairs = [n \in DOMAIN @ \ {<<e.host, e.qp>>} |-> @[n]],
                               !.dead  = @ \cup {<<"qp", e.host, e.qp>>}]
         [] e.name = "srq.post" ->
                LET name == <<e.host, e.srq>>
                    old  == IF name \in DOMAIN ledger.shared THEN ledger.shared[name] ELSE << >>
                IN SetShared(ledger, name, Append(old, [wr |-> e.wr, signaled |-> TRUE, inv |-> 0]))
         [] e.name = "qp.connect" ->
                put([pair EXCEPT
                       !.peer = IF Has(e, "peer") THEN << e.peer >> ELSE @,
                       !.mtu  = IF Has(e, "mtu") THEN e.mtu ELSE @,
                       !.low  = IF Has(e, "receive_psn") THEN e.receive_psn ELSE @,
                       !.high = IF Has(e, "receive_psn") THEN e.receive_psn ELSE @,
                       !.next = IF Has(e, "send_psn") THEN e.send_psn ELSE @])
         [] e.name = "qp.state" ->
                CASE e.state = "RESET" ->
                         put([NewPair(e.host, e.qp) EXCEPT
                                !.pd = pair.pd, !.rights = pair.rights, !.srq = pair.srq,
                                !.discarded = pair.discarded \o pair.sends \o pair.receives])
                  [] e.state = "ERR"   ->
                         put([pair EXCEPT
                                !.error   = TRUE,
                                !.outside = @ \/ ~(Has(e, "by") /\ e.by = "device")])
                  [] OTHER             -> ledger
         [] e.name = "rx" ->
                IF ~IsRequest(e)
                THEN IF AnswersNothing(pair, e) THEN ledger ELSE put(RecordArrival(pair, e))
                ELSE LET after == put(RecordRequest(pair, e))
                         peer  == Pair(after, pair.peer[1].host, pair.peer[1].qp)
                     IN IF pair.peer = << >> \/ peer.posts = << >> THEN after
                        ELSE SetPair(after, RecordSend(peer, e))     \* what arrives was sent
         [] e.name = "tx" -> put(IF IsRequest(e) THEN [RecordSend(pair, e) EXCEPT !.asked = TRUE]
                                 ELSE IF IsResponse(e) THEN RecordResponse(pair, e)
                                 ELSE pair)
         [] e.name \in {"ack", "nak"} -> put(RecordAnswer(pair, e))
         [] e.name = "check" ->
                LET here == [psn |-> e.psn, key |-> e.key, va |-> e.va, len |-> e.len]
                    accepted == e.verdict = "accept"
                IN put([pair EXCEPT
                       !.checks = {c \in @ : c.psn # e.psn}
                                  \cup {[psn |-> e.psn, local |-> IsLocal(e.access),
                                         accepted |-> accepted]},
                       !.fault  = @ \/ (IsLocal(e.access) /\ ~accepted),
                       \* refused when it came again: the first may be under way (L60)
                       !.grants = IF IsLocal(e.access) \/ ~accepted THEN @
                                  ELSE {g \in @ : g.psn # e.psn} \cup
                                       (IF Before(e.psn, pair.low) THEN {} ELSE {here}),
                       !.refusals = IF ~accepted /\ e.access \in {"remote_write", "remote_atomic"}
                                    THEN @ \cup {[psn |-> e.psn, key |-> e.key]} ELSE @])
         [] e.name \in {"dma.read", "dma.write"} -> RecordDma(ledger, pair, e)
         [] e.name = "post" ->
                LET named == IF Has(e, "inv") THEN e.inv ELSE 0
                    entry == [wr |-> e.wr, signaled |-> IsSignaled(e),
                              inv |-> IF e.op = "LOCAL_INV" THEN named ELSE 0]
                IN put([pair EXCEPT
                       !.posted = @ \/ e.op \notin LocalOperations,
                       !.posts = IF e.op \in LocalOperations THEN @
                                 ELSE Append(@, [wr |-> e.wr, meant |-> MeantBy(ledger, pair, e),
                                                 va |-> IF Has(e, "va") THEN e.va ELSE 0,
                                                 len |-> e.len]),
                       !.sends    = IF e.op = "RECV" THEN @ ELSE Append(@, entry),
                       !.receives = IF e.op # "RECV" THEN @
                                    ELSE Append(@, [entry EXCEPT !.signaled = TRUE]),
                       !.invs     = IF e.op = "LOCAL_INV" /\ named # 0
                                    THEN @ \cup {[key |-> named, peer |-> FALSE,
                                                  executed |-> FALSE, reported |-> FALSE]}
                                    ELSE @])
         [] e.name = "wc" -> RecordCompletion(ledger, pair, e)
         [] OTHER -> ledger

-------------------------------------------------------------------------------
(***************************************************************************)
(* The derived values.                                                     *)
(***************************************************************************)

(***************************************************************************)
(* A visible cause for NAK code 1 on the request at that PSN (C2, C4,      *)
(* C11).  TRUE where no such request was received: NakOnlyAtExpectedPsn    *)
(* judges that.                                                            *)
(***************************************************************************)
InvalidRequestPossible(pair, psn) ==
    LET here    == {p \in pair.packets : Within(psn, p.first, p.last)}
        before(p) == {q \in pair.packets \cup pair.tail : Plus(q.last, 1) = p.first}
        slow(p) == p.op = ReadOp \/ p.op \in AtomicOps
        ends(p) == p.op \in WriteOnlys \cup WriteLasts
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
            \/ p.op \in WriteLasts \cup SendLasts /\ p.payload = 0
            \/ slow(p) /\ Cardinality({q \in pair.packets : slow(q)}) > 1
    IN here = {} \/ \E p \in here : cause(p)

(***************************************************************************)
(* A request that names no memory cannot be refused with a remote access   *)
(* error: SENDs without invalidate carry no key (C5), a receive buffer     *)
(* that is too short or badly keyed is NAK code 1 or 3 (C2, E10).          *)
(***************************************************************************)
AccessErrorPossible(pair, psn) ==
    LET here == {p \in pair.packets : Within(psn, p.first, p.last)}
    IN here = {} \/ \E p \in here : p.op \notin (SendOps \ Invalidating)

\* The event concerns the newest holder of the instance's key (K5): the region,
\* a window on it, or the window.
Current(ledger, key, e) ==
    LET newest == Newest(ledger, e.host, key)
    IN newest = << >> \/ (IF Has(e, "mw") THEN newest[1].mw = e.mw ELSE newest[1].mr = e.mr)

\* A bind that takes the instance's key away: by length 0, or by another key.
EndsKey(ledger, instance, e) ==
    /\ Has(instance, "key")
    /\ \/ instance.key # e.key
       \/ IF e.name = "bind.call" THEN e.len = 0
          ELSE LET about == HolderOf(ledger, e) IN about # << >> /\ about[1].unbinding

(***************************************************************************)
(* May this bind succeed (W1, W2)?                                         *)
(***************************************************************************)
BindFits(ledger, pair, e) ==
    LET region == Region(ledger, e.host, e.mr)
        window == {w \in ledger.windows : w.host = e.host /\ w.mw = e.mw}
        bound  == SelectSeq(WindowsOf(ledger, e.host, e.mw), LAMBDA h : ~h.unbinding)
    IN /\ <<"mw", e.host, e.mw>> \notin ledger.dead
       /\ IF e.len = 0 THEN e.type = 1                           \* o10-37.2.40
          ELSE /\ region # << >>
               /\ LET r == region[1]
                  IN r.known =>
                       /\ r.calls = 0 => "mw_bind" \in r.rights
                       /\ Covers(r, e.va, e.len)
                       /\ e.rights \cap {"remote_write", "remote_atomic"} # {} =>
                              "local_write" \in r.rights          \* C10-72 .. 75
                       /\ \A w \in window : w.pd = r.pd
                       /\ Has(e, "qp") => pair.pd = r.pd
               /\ (e.type = 2 => (Has(e, "qp") /\ bound = << >>))  \* o10-37.2.30

(***************************************************************************)
(* Did the sender mean the registration that this access acts on?          *)
(***************************************************************************)
MeantHere(ledger, pair, e) ==
    LET sent  == IF pair.peer = << >> THEN << >>
                 ELSE SelectSeq(Pair(ledger, pair.peer[1].host, pair.peer[1].qp).sent,
                                LAMBDA m : Within(e.psn, m.first, m.last) /\ m.meant # << >>)
    IN CASE LocalAt(pair, e.psn) \/ sent = << >>              -> "unknown"
         [] sent[Len(sent)].meant[1] = ActedOn(ledger, e)    -> "same"
         [] OTHER                                            -> "other"

\* Every DMA of a message under the registration of its first one.
SameRegistration(ledger, pair, e) ==
    \/ LocalAt(pair, e.psn)
    \/ \A sp \in SpanAt(pair, e.psn) : \A a \in pair.acts :
           a.first = sp.first => a.who = ActedOn(ledger, e)

\* A check let it in.  Not judged for what was answered before.
Checked(pair, e) ==
    LET spans == SpanAt(pair, e.psn)
    IN \/ LocalAt(pair, e.psn)
       \/ Before(e.psn, pair.low)
       \/ \E g \in pair.grants :
              /\ g.key = e.key
              /\ g.va <= e.va /\ e.va + e.len <= g.va + g.len
              /\ \/ g.psn = e.psn
                 \/ \E sp \in spans : Within(g.psn, sp.first, e.psn)

\* All bytes of an acknowledged WRITE or READ, or the word of an atomic
\* operation, were accessed (yes, no, unknown).
Done(ledger, pair, e) ==
    LET mine == SelectSeq(pair.sent, LAMBDA m : m.wr = e.wr)
    IN IF mine = << >> \/ pair.peer = << >> THEN "unknown"
       ELSE LET m    == mine[1]
                peer == Pair(ledger, pair.peer[1].host, pair.peer[1].qp)
                writes == m.op \in WriteOps \cup AtomicOps
                accessed(byte) == \E t \in peer.touched :
                    /\ Within(t.psn, m.first, m.last)
                    /\ t.writes = writes \/ m.op \in AtomicOps     \* an unequal compare only reads
                    /\ t.va <= byte /\ byte < t.va + t.len
            IN CASE m.op \in UnreliableOps \cup SendOps -> "unknown"
                 [] \A byte \in m.va .. m.va + m.len - 1 : accessed(byte) -> "yes"
                 [] OTHER -> "no"

\* May this queue pair invalidate that key (D17)?
MayInvalidate(ledger, pair, e) ==
    LET hs == Newest(ledger, e.host, e.key)
    IN hs # << >> => LET h == hs[1]
                     IN h.known => /\ h.pd = pair.pd
                                   /\ h.mw = 0 => h.fast
                                   /\ h.mw # 0 => (h.type = 2 /\ h.qp = pair.qp)

\* Something of its own that may send a queue pair to ERR.
OwnCause(ledger, pair) ==
    \/ pair.fatal # {} \/ pair.failed \/ pair.fault \/ pair.outside
    \/ pair.posts # << >> \/ pair.sent # << >> \/ pair.sends # << >>
    \/ pair.invs # {}
    \/ \E p \in pair.packets :
           \/ \E c \in pair.checks : Within(c.psn, p.first, p.last) /\ ~c.accepted
           \/ InvalidRequestPossible(pair, p.first)
    \/ \E i \in DOMAIN ledger.holders :
           ledger.holders[i].host = pair.host /\ ledger.holders[i].calls > 0

\* For a re-registration: a read for the peer also needs the right to be read.
FitsWhole(h, pair, e) ==
    /\ Fits(h, pair, e)
    /\ e.name = "dma.read" /\ ~LocalAt(pair, e.psn) =>
           h.rights \cap {"remote_read", "remote_atomic"} # {}

InUse(ledger, e) ==
    \/ \E i \in DOMAIN ledger.holders :
           LET h == ledger.holders[i] IN h.host = e.host /\ h.mw = 0 /\ h.known /\ h.pd = e.pd
    \/ \E w \in ledger.windows : w.host = e.host /\ w.pd = e.pd
    \/ \E n \in DOMAIN ledger.pairs : n[1] = e.host /\ ledger.pairs[n].pd = e.pd

\* Memory released while its registration lives and nobody is ending it.
ReleasedEarly(ledger, e) ==
    LET region == Region(ledger, e.host, e.mr)
    IN region # << >> /\ LET r == region[1]
                         IN /\ r.known /\ r.calls = 0 /\ r.asked = << >>
                            /\ "on_demand" \notin r.rights
                            /\ PinUndone(ledger, e) # 0
                            /\ ledger.pins[PinUndone(ledger, e)].of = "now"

\* What a registration event that brings attributes means for an instance's packet.
ForPacket(ledger, instance, h) ==
    LET pair == Pair(ledger, instance.host, instance.qp)
    IN [permitted |-> Permitted(h, pair, instance.key, instance.packet),
        overruns  |-> Overruns(h, pair, instance.key, instance.packet)]

NoPacket == [permitted |-> FALSE, overruns |-> FALSE]

IsLate(pair, psn) == \E l \in pair.late : ~Before(psn, l)

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

Derive(ledger, instance, e) ==
    LET pair == Pair(ledger, e.host, e.qp)
        name == e.name
    IN CASE name = "reg.call" -> [name |-> name]
         [] name = "reg" ->
                LET v == IF Has(instance, "packet")
                         THEN ForPacket(ledger, instance, HolderOfReg(e)) ELSE NoPacket
                IN [name |-> name, permitted |-> v.permitted, overruns |-> v.overruns,
                    pdGone |-> <<"pd", e.host, e.pd>> \in ledger.dead]
         [] name = "bind.call" ->
                LET v == IF Has(instance, "packet") /\ e.len # 0
                         THEN ForPacket(ledger, instance, HolderOfBind(ledger, e)) ELSE NoPacket
                IN [name |-> name, permitted |-> v.permitted, overruns |-> v.overruns,
                    ends |-> EndsKey(ledger, instance, e),
                    fits |-> Want("fits") /\ BindFits(ledger, IF Has(e, "qp") THEN pair ELSE NewPair(e.host, ""), e)]
         [] name = "rereg.call" -> [name |-> name]
         [] name = "rereg.return" ->
                LET region == Region(ledger, e.host, e.mr)
                    asked == IF region # << >> /\ Succeeded(e) /\ region[1].asked # << >>
                             THEN region[1].asked ELSE region    \* in a replay: over already
                    v == IF Has(instance, "packet") /\ asked # << >>
                         THEN ForPacket(ledger, instance, asked[1]) ELSE NoPacket
                IN [name |-> name, succeeded |-> Succeeded(e),
                    permitted |-> v.permitted, overruns |-> v.overruns,
                    ends |-> /\ Has(instance, "key") /\ region # << >> /\ Succeeded(e)
                             /\ e.key # region[1].key
                             /\ instance.key = region[1].key]
         [] name = "bind.return" -> [name |-> name, succeeded |-> Succeeded(e),
                                     ends |-> EndsKey(ledger, instance, e)]
         [] name \in {"dereg.call", "mw.dealloc.call"} ->
                [name |-> name,
                 current |-> Has(instance, "key") /\ Current(ledger, instance.key, e)]
         [] name = "dereg.return" ->
                [name |-> name, succeeded |-> Succeeded(e), busy |-> e.status = "busy",
                 current |-> Has(instance, "key") /\ Current(ledger, instance.key, e),
                 bound |-> Want("bound") /\ \E i \in DOMAIN WindowsOn(ledger, e.host, e.mr) :
                               LET w == WindowsOn(ledger, e.host, e.mr)[i]
                               IN /\ Has(instance, "key") => w.key = instance.key
                                  /\ w.calls = 0 /\ ~w.unbinding]
         [] name = "mw.dealloc.return" ->
                [name |-> name, succeeded |-> Succeeded(e),
                 current |-> Has(instance, "key") /\ Current(ledger, instance.key, e),
                 again   |-> <<"mw", e.host, e.mw>> \in ledger.dead]
         [] name = "inv.call"   -> [name |-> name, current |-> TRUE]
         [] name = "inv.return" ->
                LET hs == Newest(ledger, e.host, e.key)
                IN [name |-> name, current |-> TRUE, succeeded |-> Succeeded(e),
                    typeOne |-> hs # << >> /\ hs[1].mw # 0 /\ hs[1].type = 1,
                    named   |-> ~Has(e, "qp") \/ \E i \in pair.invs : i.key = e.key /\ ~i.executed,
                    authorised |-> Want("authorised") /\ (~Has(e, "qp") \/ MayInvalidate(ledger, pair, e))]
         [] name = "pd.dealloc" ->
                [name |-> name, succeeded |-> Succeeded(e), inUse |-> Want("inUse") /\ InUse(ledger, e),
                 again |-> <<"pd", e.host, e.pd>> \in ledger.dead]
         [] name \in {"mw.alloc", "qp.create"} ->
                [name |-> name, pdGone |-> <<"pd", e.host, e.pd>> \in ledger.dead]
         [] name = "qp.destroy" ->
                [name |-> name, succeeded |-> Succeeded(e),
                 again |-> <<"qp", e.host, e.qp>> \in ledger.dead]
         [] name = "unpin" ->
                [name |-> name, early |-> Want("early") /\ ReleasedEarly(ledger, e),
                 pinned |-> PinUndone(ledger, e) # 0,
                 last |-> \A i \in DOMAIN ledger.pins :
                              \/ ledger.pins[i].host # e.host \/ ledger.pins[i].mr # e.mr
                              \/ i = PinUndone(ledger, e)]
         [] name = "post" ->
                [name |-> name, owes |-> e.op # "RECV" /\ IsSignaled(e)]
         [] name = "check" ->
                LET hs == Newest(ledger, e.host, e.key)
                IN [name |-> name, accepted |-> e.verdict = "accept",
                    permitted |-> Want("permitted") /\ SomePermits(hs, pair, e.key, e),
                    overruns  |-> Want("overruns") /\ SomeOverruns(hs, pair, e.key, e),
                    empty     |-> e.remaining = 0,
                    permittedNew |-> /\ Want("permittedNew") /\ hs # << >> /\ hs[1].asked # << >>
                                     /\ Permitted(hs[1].asked[1], pair, e.key, e),
                    orphan    |-> /\ hs # << >> /\ hs[1].mw # 0
                                  /\ Region(ledger, e.host, hs[1].mr) = << >>,
                    late      |-> ~IsLocal(e.access) /\ IsLate(pair, e.psn)]
         [] name \in {"dma.read", "dma.write"} ->
                LET remote  == ~LocalAt(pair, e.psn)
                    bearers == BearersOf(ledger, e)
                    h       == bearers[Len(bearers)]
                    region  == Region(ledger, e.host, e.mr)
                    changes == region # << >> /\ region[1].asked # << >>
                IN [name |-> name,
                    checked   |-> Want("checked") /\ Checked(pair, e),
                    pinned    |-> Want("pinned") /\ IsPinned(ledger, e),
                    meant     |-> IF Want("meant") THEN MeantHere(ledger, pair, e) ELSE "unknown",
                    sameRegistration |-> Want("sameRegistration") /\ SameRegistration(ledger, pair, e),
                    mapped    |-> Want("mapped") /\ (changes \/ Mapped(ledger, e, "now")),
                    wholeOld  |-> /\ Want("wholeOld")
                                  /\ \/ bearers = << >>
                                     \/ FitsWhole(h, pair, e) /\ Mapped(ledger, e, "now"),
                    wholeNew  |-> /\ Want("wholeNew")
                                  /\ \/ bearers = << >>
                                     \/ /\ h.asked # << >>
                                        /\ FitsWhole(h.asked[1], pair, e)
                                        /\ Mapped(ledger, e,
                                                  IF Moves(ledger, e) THEN "next" ELSE "now"),
                    ownKey    |-> /\ Want("ownKey")
                                  /\ \/ Region(ledger, e.host, e.mr) = << >>
                                     \/ bearers # << >>,
                    permitted |-> Want("permitted") /\ DmaPermitted(ledger, e),
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
                    fatalNakArrived |-> /\ e.op = Acknowledge /\ IsFatal(e.syndrome)
                                        /\ ~AnswersNothing(pair, e)]
         [] name = "tx" ->
                LET response == IsResponse(e)
                    last == \/ e.op \in LastResponses \cup {AtomicAck}
                            \/ Has(instance, "packet") /\ e.psn = instance.packet.last
                IN [name |-> name, isRequest |-> IsRequest(e),
                    beyondFatal |-> response /\ \E f \in pair.fatal : ~Before(e.psn, f.psn),
                    late        |-> response /\ IsLate(pair, e.psn),
                    inOrder     |-> Want("inOrder") /\ (e.op \in ReadResponses =>
                                        \/ Before(e.psn, pair.low)      \* a repetition
                                        \/ \E r \in pair.reads : Within(e.psn, r.first, r.next)),
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
                    invalidRequestPossible |->
                        Want("invalidRequestPossible") /\ InvalidRequestPossible(pair, e.psn),
                    accessErrorPossible |->
                        Want("accessErrorPossible") /\ AccessErrorPossible(pair, e.psn),
                    repeated    |-> /\ Has(e, "frame")      \* a capture may hold a frame twice
                                    /\ \E f \in pair.fatal :
                                           f.psn = e.psn /\ f.syndrome = e.syndrome,
                    localFault  |-> \E c \in pair.checks :
                                        c.psn = e.psn /\ c.local /\ ~c.accepted,
                    beyondFatal |-> \E f \in pair.fatal : ~Before(e.psn, f.psn),
                    late        |-> IsLate(pair, e.psn),
                    reach       |-> Reach(instance, e),
                    inside      |-> /\ name = "nak" /\ Has(instance, "span")
                                    /\ Within(e.psn, instance.span.first, instance.span.last)]
         [] name = "qp.state" ->
                [name |-> name, toErr |-> e.state = "ERR", toReset |-> e.state = "RESET",
                 toReady |-> e.state \in {"RTR", "RTS", "SQD"},
                 byDevice  |-> Has(e, "by") /\ e.by = "device",
                 peerFault |-> /\ pair.peer # << >>
                               /\ Pair(ledger, pair.peer[1].host, pair.peer[1].qp).fault,
                 ownCause  |-> Want("ownCause") /\ OwnCause(ledger, pair)]
         [] name = "wc" ->
                LET mine  == SelectSeq(pair.sent, LAMBDA m : m.wr = e.wr)
                    queue == Queue(ledger, pair, e)
                    place == Place(queue, e.wr)
                    local == QueueOf(ledger, pair, e) = "send" /\ place # 0 /\ queue[place].inv # 0
                    success == e.status = "SUCCESS"
                IN [name |-> name, status |-> Status(e.status),
                    queue |-> QueueOf(ledger, pair, e),
                    outstanding  |-> place # 0 \/ Place(pair.discarded, e.wr) # 0,
                    unsignaled   |-> place # 0 /\ ~queue[place].signaled,
                    settled      |-> LET left == IF QueueOf(ledger, pair, e) = "send"
                                                 THEN From(pair.sends, place) ELSE pair.sends
                                     IN \A i \in DOMAIN left : ~left[i].signaled,
                    first        |-> place <= 1,
                    silentBefore |-> \A i \in 1 .. place - 1 : ~queue[i].signaled,
                    owed         |-> /\ ~pair.outside
                                     /\ \E i \in DOMAIN pair.sent : pair.sent[i].fate \in FatalAnswers,
                    done         |-> IF success /\ Want("done") THEN Done(ledger, pair, e) ELSE "unknown",
                    reports      |-> success /\ (local \/ Has(e, "inv")),
                    named        |-> (success /\ Has(e, "inv")) =>
                                         \E i \in pair.invs : i.peer /\ i.key = e.inv /\ ~i.reported,
                    executed     |-> CASE success /\ Has(e, "inv") ->
                                              \E i \in pair.invs : /\ i.peer /\ i.key = e.inv
                                                                   /\ i.executed /\ ~i.reported
                                       [] local -> ~\E i \in pair.invs : /\ ~i.peer
                                                                         /\ i.key = queue[place].inv
                                       [] OTHER -> TRUE,
                    answered |-> CASE Has(e, "op") /\ e.op \in LocalOperations -> "local"
                                   [] mine # << >> -> mine[1].fate
                                   [] place # 0 /\ Place(pair.posts, e.wr) = 0 -> "local"
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
