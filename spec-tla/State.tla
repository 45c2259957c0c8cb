--------------------------------- MODULE State --------------------------------
(***************************************************************************)
(* The machine's variables, one after the other, with what they mean.      *)
(***************************************************************************)
EXTENDS Setting

Numbers   == 1 .. LastNumber
MwNumbers == DOMAIN Windows
Threads   == DOMAIN Programs
Devices   == {q \in DOMAIN QueuePairs : ~QueuePairs[q].raw}    \* queue pairs of our device
RawPeers  == DOMAIN QueuePairs \ Devices
PeerOf(q) == QueuePairs[q].peer
HostOf(q) == IF QueuePairs[q].raw THEN PeerHost ELSE OwnHost

\* A key is an index and a tag (K1).  There is room for sixteen tags, so that a
\* wide generation (K3, K13) does not come round within any model.
Room == 16
KeyOf(index, tag) == index * Room + tag
IndexOf(key)      == key \div Room
TagOf(key)        == key % Room
WindowIndices     == {Windows[w].index : w \in MwNumbers}
AllIndices        == Indices \cup WindowIndices

-------------------------------------------------------------------------------
(***************************************************************************)
(* table[index] is what the device finds under that index: the region or   *)
(* the window, the attributes that checks compare, and whether the entry   *)
(* is valid; NoEntry if there is none.                                     *)
(*                                                                         *)
(* mw is 0 for a region; fast says that it may be invalidated (L117); type *)
(* and qp are a window's (W1).                                             *)
(***************************************************************************)
VARIABLE table

NoEntry == [mr |-> 0, mw |-> 0, key |-> 0, valid |-> FALSE]

TableTypeInv ==
    \A index \in AllIndices :
        table[index] # NoEntry =>
            /\ table[index].mr \in Numbers
            /\ IndexOf(table[index].key) = index

(***************************************************************************)
(* region[mr] is a registration as its owner and the driver know it:       *)
(*   stage    unused, registering, live, changing (ibv_rereg_mr), ending   *)
(*            (ibv_dereg_mr was called), busy (it failed), returned        *)
(*   plan     what is still to be done for the call under way, in order:   *)
(*            of Steps                                                     *)
(*   key, lkey, pd, va, len, rights     its attributes                     *)
(*   frame    the bus address of its pages; asked the attributes that a    *)
(*            re-registration asks for                                     *)
(*   pages    where the device's translation of it leads, 0 if nowhere     *)
(*   pinned   the bus addresses of the pages that are pinned for it        *)
(*   fast     it is a fast registration (REG_MR)                           *)
(***************************************************************************)
VARIABLE region

\* What a call consists of.
Steps == {"pin", "enter", "revoke", "keyCache", "translationCache", "queuePairs", "drain",
          "unpin", "translate", "attributes", "release", "return"}

NoRegion == [stage |-> "unused", plan |-> << >>, key |-> 0, lkey |-> 0, pd |-> 0, va |-> 0,
             len |-> 0, rights |-> {}, frame |-> 0, pages |-> 0, pinned |-> {}, fast |-> FALSE,
             asked |-> << >>]

RegionTypeInv ==
    \A mr \in Numbers :
        /\ region[mr].stage \in {"unused", "registering", "live", "changing", "ending", "busy",
                                 "returned"}
        /\ \A i \in DOMAIN region[mr].plan : region[mr].plan[i] \in Steps

(***************************************************************************)
(* window[mw] is a memory window: its key and the region it is bound to,   *)
(* 0 and 0 if it is not bound; stage bound, free, ending, gone.            *)
(***************************************************************************)
VARIABLE window

WindowTypeInv ==
    \A mw \in MwNumbers : window[mw].stage \in {"free", "bound", "ending", "revoked", "gone"}

(***************************************************************************)
(* allocator is what the driver remembers in order to make keys: the free  *)
(* indices, oldest first; the last tag of each index; a counter; the index *)
(* that was taken last; the keys that are dead and in quarantine, oldest   *)
(* first.                                                                  *)
(***************************************************************************)
VARIABLE allocator

AllocatorTypeInv ==
    /\ \A i \in DOMAIN allocator.free : allocator.free[i] \in AllIndices
    /\ allocator.counter \in 0 .. Room

(***************************************************************************)
(* cache holds the device's copies: one table entry, one translation [mr,  *)
(* index, frame], and the fills of both that are under way.  A fill that   *)
(* is stale was overtaken by a change of what it has read.                 *)
(***************************************************************************)
VARIABLE cache

NoTranslation == [index |-> 0]
NoFill        == [index |-> 0]

CacheTypeInv ==
    /\ cache.key # NoEntry => cache.key.mr \in Numbers
    /\ cache.keyFill # NoFill => cache.keyFill.stale \in BOOLEAN

(***************************************************************************)
(* thread[t] is how far an application thread is: at, the number of the    *)
(* verb in its program, and doing, the verb that it has called and that    *)
(* has not returned, or Idle.                                              *)
(***************************************************************************)
VARIABLE thread

Idle == [verb |-> "none"]

ThreadTypeInv ==
    \A t \in Threads : thread[t].at \in 1 .. Len(Programs[t]) + 1

(***************************************************************************)
(* responder[q] is the receiving side of a queue pair of our device:       *)
(*   state     RTS; NAKED (a fatal NAK left, not in ERR yet); ERR          *)
(*   expected  the PSN that it expects                                     *)
(*   gap       the missing PSN was asked for and has not come yet (E4)     *)
(*   hand      the packet that it works on, or Nothing: see Responder      *)
(*   message   the message it is in the midst of, or NoMessage             *)
(*   saved     what it remembers of READs and atomics, for duplicates (R2) *)
(*   receives  what was posted to receive: a sequence of [wr, mr]          *)
(*   received  how many of them were taken                                 *)
(*   reported  how many of them have completed                             *)
(*   counter   what atomic operations add to                               *)
(*   owed      what is still to be told: "async"                           *)
(***************************************************************************)
VARIABLE responder

Nothing   == [stage |-> "nothing", purpose |-> "none"]
NoMessage == [psn |-> -1, mr |-> 0, mw |-> 0]

ResponderTypeInv ==
    \A q \in Devices :
        /\ responder[q].state \in {"RTS", "NAKED", "ERR"}
        /\ responder[q].expected \in 0 .. 20
        /\ responder[q].gap \in BOOLEAN

(***************************************************************************)
(* requester[q] is the sending side of a queue pair, raw peers included:   *)
(*   queue      what was posted, in order: work with its keys and PSNs     *)
(*   next       the PSN to send next                                       *)
(*   acked      one past the last PSN that is known to be answered         *)
(*   failure    what ended it: none, a kind of NAK, retry, rnr, local,     *)
(*              flush; reported once a completion said so                  *)
(*   completed  how many of the queue have completed                       *)
(*   failedAt   the number in the queue of the one that failed             *)
(*   tries      how often it may still time out, rnr how often wait for a  *)
(*              receive                                                    *)
(*   job        the access to its own memory that is under way, or Nothing *)
(***************************************************************************)
VARIABLE requester

RequesterTypeInv ==
    \A q \in DOMAIN QueuePairs :
        /\ requester[q].completed \in 0 .. Len(requester[q].queue)
        /\ requester[q].next \in 0 .. 20

(***************************************************************************)
(* wire: see module Wire.                                                  *)
(***************************************************************************)
VARIABLE wire

-------------------------------------------------------------------------------
keyVars  == <<table, region, window, allocator>>
pairVars == <<responder, requester, wire>>
vars     == <<policy, defect, table, region, window, allocator, cache, thread, responder,
              requester, wire>>

TypeInv ==
    /\ TableTypeInv
    /\ RegionTypeInv
    /\ WindowTypeInv
    /\ AllocatorTypeInv
    /\ CacheTypeInv
    /\ ThreadTypeInv
    /\ ResponderTypeInv
    /\ RequesterTypeInv

=============================================================================
