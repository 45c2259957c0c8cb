------------------------------- MODULE Policies -------------------------------
(***************************************************************************)
(* Everything in which devices and their drivers differ, or which the      *)
(* standard leaves open, by name, with the values that exist.  The soft    *)
(* RNIC and reports use the same names.                                    *)
(*                                                                         *)
(* A device is a record with one value a policy.  The machine reads a      *)
(* value by the operator P of module Setting, which refuses a misspelt     *)
(* name; comparisons go through Is, which refuses a misspelt value.        *)
(*                                                                         *)
(* Rows (K1, C9, D2, L46) are those of FACTS.md.                           *)
(***************************************************************************)

PolicyValues == [
    \* What ibv_dereg_mr does about accesses that are under way.
    \*   NoFence            pages are released while DMA may run (D3)
    \*   RefcountReturn     it returns at once, pages go with the last user (D5, D6)
    \*   DrainWait          it waits for all of them (D2, D8)
    \*   DrainTimeoutBusy   it waits for some time, then fails (D4)
    \*   RefuseIfBusy       it fails if there is one (D9)
    \*   Lazy               it returns, the key dies some time later (D7, D13)
    DeregPolicy |-> {"NoFence", "RefcountReturn", "DrainWait", "DrainTimeoutBusy",
                     "RefuseIfBusy", "Lazy"},

    \* What it does to the queue pairs in the midst of a message to the region (D4).
    QueuePairsOnDereg |-> {"Untouched", "PutInError"},

    \* An accepted message pins its registration until it ends (C7, C8, R6).
    HoldsReference |-> {"Yes", "No"},

    \* When the caches learn of it: key cache (D7, L45), translation cache (D2, D7).
    \*   BeforeReturn   before the deregistration returns
    \*   AfterReturn    some time later
    \*   OnNextMiss     when the entry's place is needed
    \*   Batched        together with other entries, some time later
    KeyCacheInvalidation         |-> {"BeforeReturn", "AfterReturn", "OnNextMiss", "Batched"},
    TranslationCacheInvalidation |-> {"BeforeReturn", "AfterReturn", "OnNextMiss", "Batched"},

    \* What keeps a fill that was under way from bringing a dead entry back (L46).
    \*   Version   a fill of an older version of the entry is dropped
    \*   Blocked   an invalidation waits for fills under way
    CacheFillGuard |-> {"None", "Version", "Blocked"},

    \* How often the key of a WRITE is checked (C6, C7, C8).
    WriteCheck |-> {"PerMessageFirst", "PerPacket", "PerFragment"},

    \* What must be inside the region for a packet of a WRITE to pass (C6, C9).
    WriteRange |-> {"WholeMessageUpFront", "PerPacket"},

    \* When the key of a READ is checked (R6).
    ReadCheck |-> {"OnRequest", "OnResponseStart", "PerResponsePacket"},

    \* What a later check of one message compares with the first (L31, K5): the
    \* registration, or nothing but the key's 32 bits.
    RecheckBy |-> {"Identity", "KeyValue"},

    \* How much a later check looks at: everything; key and state (R3); nothing (C7).
    RecheckDepth |-> {"Full", "Lite", "None"},

    \* A duplicate READ (R3, R4, R7): checked as a new one; key and state only;
    \* not checked, the saved request stands; not answered.
    DuplicateRead |-> {"FullRecheck", "LiteRecheck", "SavedRequestOnly", "Drop"},

    \* A duplicate atomic operation (R2, R5): the saved result, after a check or without.
    DuplicateAtomic |-> {"SavedResult", "Recheck"},

    \* Which free index is used next (K3, K5, K6, K7, K9, K12).
    IndexReuse |-> {"LowestFree", "Lifo", "Fifo", "Cyclic", "Random"},

    \* Which tag it is used with (K2 to K13).
    \*   Constant0           always 0
    \*   Keep                the same as last time: the same key
    \*   GlobalSequence      one counter for all indices
    \*   PerIndexIncrement   one more than last time
    \*   RandomAny           any
    \*   RandomNotLast       any but the last one
    \*   WideGeneration      a counter so wide that it never comes round
    TagPolicy |-> {"Constant0", "Keep", "GlobalSequence", "PerIndexIncrement", "RandomAny",
                   "RandomNotLast", "WideGeneration"},

    \* How long a dead key is kept from being issued again (K14, L13, L15).
    Quarantine |-> {"None", "LastKeys", "UntilNoOutstandingReference", "UntilEpoch"},

    \* From when on a key may be issued again (K5).
    KeyReleasePoint |-> {"BeforeDeregReturn", "AtReturn", "AfterQuarantine"},

    \* Who chooses the tag (K1, K4, A8).
    TagChooser |-> {"Driver", "Device", "Consumer"},

    \* Whether lkey and rkey of one region have different tags (K15, K16).
    SplitTags |-> {"No", "Yes"},

    \* In which order one table entry is compared (C13).  All but Combined name
    \* what is compared first, and a WRITE is refused there.
    CheckOrder |-> {"Combined", "DomainFirst", "RightFirst", "RangeFirst"},

    \* Which comes first: a missing receive (RNR) or a bad key (C12, L72).
    ResourceVersusKey |-> {"ResourceFirst", "KeyFirst"},

    \* One status for all that is wrong with a key (C14), or one each (C15).
    Umbrella |-> {"Yes", "No"},

    \* The NAK and the error state (E7).
    NakThenError |-> {"NakFirst", "ErrorFirst", "Concurrent"},

    \* How long a refused request stays without an answer (E15).
    NakDelay |-> {"None", "Any"},

    \* Whether the responder's owner is told (E6).
    AsyncEvent |-> {"Raised", "NotRaised"},

    \* When the requester checks its own keys (C19, C20): a whole work request
    \* before its first packet; packet by packet; length and rights only when
    \* they are in the way.
    LocalCheck |-> {"PerWorkRequest", "PerPacket", "LazyLength"},

    \* Whose key a SEND with invalidate may end (D17).
    InvalidateScope |-> {"KeyDomainQueuePair", "DomainOnly", "KeyOnly"},

    \* When, seen from the receive completion that reports it (section 2, InvWhen).
    InvalidateWhen |-> {"BeforeCompletion", "AfterCompletion"},

    \* What happens to a SEND that names a key it may not end (E9).
    RemoteInvalidateBad |-> {"ErrorWithoutNak", "Terminate"},

    \* Deregistering a region with a window on it (D1, D5).
    WindowDereg |-> {"Refuse", "Cascade"},

    \* The order of ibv_rereg_mr (D2, D3).
    \*   RevokeFirst   the key is dead while the entry changes
    \*   InPlace       word by word while the key works
    \*   UnpinFirst    the old pages are released before the key is told
    ReregOrder |-> {"RevokeFirst", "InPlace", "UnpinFirst"},

    \* Whether ibv_rereg_mr changes the key (K20).
    ReregKey |-> {"Same", "New"},

    \* A fast registration that a disconnect flushed (D16).
    FlushOnDisconnect |-> {"Applied", "NotApplied"},

    \* Whether an access of length zero needs a key (C4).
    ZeroLengthChecksKey |-> {"No", "Yes"}
]

PolicyNames == DOMAIN PolicyValues

=============================================================================
