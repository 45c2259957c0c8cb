---------------------------- MODULE KeyTableMachine --------------------------
(***************************************************************************)
(* How a device and its driver look after memory keys: a table of entries, *)
(* an owner who registers and deregisters, queue pairs that check keys and *)
(* then access memory.                                                     *)
(*                                                                         *)
(* MODELLED.  Key = index and tag (K1).  Registration as call, table       *)
(* entry, return.  Deregistration as call, table entry taken away, drain,  *)
(* return: four separate steps, since most races live between them (D2,    *)
(* D5, D6).  An access as key check and DMA, two steps.  An index may be   *)
(* given out again, with the same or another tag, as soon as its entry is  *)
(* gone, even before the deregistration has returned (K5).  A packet that  *)
(* is inside while its message runs past the end may be accepted or        *)
(* refused (C6, C9); a zero-length access too (C4).                        *)
(*                                                                         *)
(* NOT MODELLED, and which way that errs.  Key caches and translation:     *)
(* stale hits are missed here.  Messages: each access stands alone, so     *)
(* what spans packets is missed.  After a refusal the queue pair goes on,  *)
(* as if reconnected at once: more behaviours, never fewer.  Memory        *)
(* windows, re-registration, invalidation: not exercised here.             *)
(*                                                                         *)
(* VERIFIED by MCKeyTable: NoAccessAfterReturn and SoundCheck, by an       *)
(* observer that overrides Emit.  BROKEN by each flag in Defects, one      *)
(* configuration each under mutants/.                                      *)
(*                                                                         *)
(* Java twin: org.mrcheck.rnic.KeyTable.                                   *)
(***************************************************************************)
EXTENDS Integers, FiniteSets

CONSTANTS
    Indices,        \* table indices, positive numbers
    Tags,           \* tags, 0 .. n - 1 (K1; 256 of them in a real key)
    LastNumber,     \* registrations are numbered 1 .. LastNumber
    QueuePairs,     \* names of queue pairs
    Domain,         \* the protection domain of each queue pair
    Attributes,     \* what may be registered: records [pd, va, len, rights]
    Attempts,       \* what may be tried: records [access, va, len, remaining]
    Width,          \* how many addresses there are
    Defects         \* the named defects that are switched on

\* Each of these must be caught by the contract that its configuration names.
KnownDefects == {
    "DeregDoesNotDrain",    \* deregistration returns while accepted accesses are under way
    "DoubleReturn",         \* one deregistration returns twice
    "ReuseOfNumber",        \* a live registration's number is given out again
    "KeyOutlivesDereg",     \* the table entry stays when deregistration returns
    "ForgetsKey",           \* a live entry disappears from the table
    "RangeOffByOne",        \* the byte after the end counts as inside
    "RangeWraps",           \* va + len is computed modulo the address space (C17)
    "SkipsPd",              \* the protection domain is not compared
    "SkipsRight",           \* the right is not compared (C16)
    "DmaElsewhere",         \* the access uses whatever holds the index by then
    "DmaTooLong"}           \* the access is one byte longer than what was checked

ASSUME Defects \subseteq KnownDefects

Has(defect) == defect \in Defects

Numbers == 1 .. LastNumber
Keys    == {index * Cardinality(Tags) + tag : index \in Indices, tag \in Tags}

KeyOf(index, tag) == index * Cardinality(Tags) + tag
IndexOf(key)      == key \div Cardinality(Tags)

-------------------------------------------------------------------------------
(***************************************************************************)
(* What is observed.  A model's configuration overrides Emit by an         *)
(* observer, and EmitNothing by what leaves the observer alone.            *)
(***************************************************************************)
Emit(event) == TRUE
EmitNothing == TRUE

\* The names of the events that are emitted: names of the trace language.  An
\* observer asserts it, a test compares the two lists.
Emitted == {"reg.call", "reg", "dereg.call", "dereg.return", "check", "dma.read", "dma.write"}

\* The one host of this machine.
Host == "owner"

-------------------------------------------------------------------------------
(***************************************************************************)
(* table[index] is the entry of that index: which registration it belongs  *)
(* to and the attributes that checks compare, or NoEntry.                  *)
(***************************************************************************)
VARIABLE table

NoEntry == [mr |-> 0]

TableTypeInv ==
    \A index \in Indices :
        table[index] # NoEntry =>
            /\ table[index].mr \in Numbers
            /\ IndexOf(table[index].key) = index

(***************************************************************************)
(* registration[mr] is how far the owner is with that registration:        *)
(*   unused    : the number was not given out                              *)
(*   called    : ibv_reg_mr is under way, no entry yet                     *)
(*   entered   : the table has the entry, the call has not returned        *)
(*   live      : ibv_reg_mr has returned                                   *)
(*   ending    : ibv_dereg_mr was called, the entry is still there         *)
(*   revoked   : the entry is gone, accepted accesses may be under way     *)
(*   drained   : no accepted access is under way                           *)
(*   returned  : ibv_dereg_mr has returned                                 *)
(***************************************************************************)
VARIABLE registration

RegistrationTypeInv ==
    registration \in [Numbers -> {"unused", "called", "entered", "live", "ending",
                                  "revoked", "drained", "returned"}]

(***************************************************************************)
(* offer[mr] is the key and the attributes of a registration, as its owner *)
(* knows them; NoOffer before it is called.                                *)
(***************************************************************************)
VARIABLE offer

NoOffer == [key |-> 0]

OfferTypeInv ==
    \A mr \in Numbers : offer[mr] # NoOffer => offer[mr].key \in Keys

(***************************************************************************)
(* underway[q] is the access of queue pair q that has passed its check and *)
(* has not touched memory yet, or Idle.                                    *)
(***************************************************************************)
VARIABLE underway

Idle == [mr |-> 0]

UnderwayTypeInv ==
    \A q \in QueuePairs : underway[q] # Idle => underway[q].mr \in Numbers

vars == <<table, registration, offer, underway>>

TypeInv == TableTypeInv /\ RegistrationTypeInv /\ OfferTypeInv /\ UnderwayTypeInv

Init ==
    /\ table        = [index \in Indices |-> NoEntry]
    /\ registration = [mr \in Numbers |-> "unused"]
    /\ offer        = [mr \in Numbers |-> NoOffer]
    /\ underway     = [q \in QueuePairs |-> Idle]

-------------------------------------------------------------------------------
(***************************************************************************)
(* The owner registers.                                                    *)
(***************************************************************************)

\* An index is free if no entry has it and nobody is about to enter one (K5:
\* its former holder's deregistration need not have returned).
IsFree(index) ==
    /\ table[index] = NoEntry
    /\ \A mr \in Numbers : registration[mr] = "called" => IndexOf(offer[mr].key) # index

\* Numbers are given out in order and never again.
IsNext(mr) == registration[mr] = "unused" /\ \A n \in Numbers : n < mr => registration[n] # "unused"

\* KeyTable#register, trace point reg.call.
CallRegister(mr, index, tag, attributes) ==
    /\ IsNext(mr)
    /\ IsFree(index)
    /\ registration' = [registration EXCEPT ![mr] = "called"]
    /\ offer' = [offer EXCEPT ![mr] = [key |-> KeyOf(index, tag), pd |-> attributes.pd,
                    va |-> attributes.va, len |-> attributes.len, rights |-> attributes.rights]]
    /\ UNCHANGED <<table, underway>>
    /\ Emit([name |-> "reg.call", host |-> Host, mr |-> mr, key |-> KeyOf(index, tag)])

\* KeyTable.Slot#publish: from here on the key works.
EnterInTable(mr) ==
    /\ registration[mr] = "called"
    /\ registration' = [registration EXCEPT ![mr] = "entered"]
    /\ table' = [table EXCEPT ![IndexOf(offer[mr].key)] =
                    [mr |-> mr, key |-> offer[mr].key, pd |-> offer[mr].pd, va |-> offer[mr].va,
                     len |-> offer[mr].len, rights |-> offer[mr].rights]]
    /\ UNCHANGED <<offer, underway>>
    /\ EmitNothing

RegEvent(mr) ==
    [name |-> "reg", host |-> Host, mr |-> mr, pd |-> offer[mr].pd, key |-> offer[mr].key,
     lkey |-> offer[mr].key, va |-> offer[mr].va, len |-> offer[mr].len,
     rights |-> offer[mr].rights]

\* KeyTable#register, trace point reg.
ReturnRegister(mr) ==
    /\ \/ registration[mr] = "entered"
       \/ registration[mr] = "live" /\ Has("ReuseOfNumber")
    /\ registration' = [registration EXCEPT ![mr] = "live"]
    /\ UNCHANGED <<table, offer, underway>>
    /\ Emit(RegEvent(mr))

-------------------------------------------------------------------------------
(***************************************************************************)
(* The owner deregisters.                                                  *)
(***************************************************************************)

\* KeyTable#deregister, trace point dereg.call.
CallDeregister(mr) ==
    /\ registration[mr] = "live"
    /\ registration' = [registration EXCEPT ![mr] = "ending"]
    /\ UNCHANGED <<table, offer, underway>>
    /\ Emit([name |-> "dereg.call", host |-> Host, mr |-> mr, key |-> offer[mr].key])

\* KeyTable.Slot#invalidate: from here on every new check refuses.
InvalidateInTable(mr) ==
    /\ registration[mr] = "ending"
    /\ registration' = [registration EXCEPT ![mr] = "revoked"]
    /\ table' = IF Has("KeyOutlivesDereg") THEN table
                ELSE [table EXCEPT ![IndexOf(offer[mr].key)] =
                         IF @.mr = mr THEN NoEntry ELSE @]
    /\ UNCHANGED <<offer, underway>>
    /\ EmitNothing

\* Wait until no access that passed its check is under way (D2, D4).
Drain(mr) ==
    /\ registration[mr] = "revoked"
    /\ \/ \A q \in QueuePairs : underway[q].mr # mr
       \/ Has("DeregDoesNotDrain")
    /\ registration' = [registration EXCEPT ![mr] = "drained"]
    /\ UNCHANGED <<table, offer, underway>>
    /\ EmitNothing

\* KeyTable#deregister, trace point dereg.return.
ReturnDeregister(mr) ==
    /\ \/ registration[mr] = "drained"
       \/ registration[mr] = "returned" /\ Has("DoubleReturn")
    /\ registration' = [registration EXCEPT ![mr] = "returned"]
    /\ UNCHANGED <<table, offer, underway>>
    /\ Emit([name |-> "dereg.return", host |-> Host, mr |-> mr, key |-> offer[mr].key,
             status |-> "ok"])

-------------------------------------------------------------------------------
(***************************************************************************)
(* A queue pair checks a key.                                              *)
(***************************************************************************)

\* MemoryRegion#covers: no sum that could wrap (C17).
Inside(entry, va, len) ==
    LET reach == IF Has("RangeOffByOne") THEN entry.len + 1 ELSE entry.len
    IN IF Has("RangeWraps")
       THEN entry.va <= va /\ (va + len) % Width <= entry.va + reach
       ELSE entry.va <= va /\ len <= reach /\ va - entry.va <= reach - len

HasRight(entry, access) == Has("SkipsRight") \/ access \in entry.rights

SameDomain(entry, q) == Has("SkipsPd") \/ entry.pd = Domain[q]

\* Everything but the range.
Admits(entry, q, key, access) ==
    /\ entry # NoEntry
    /\ entry.key = key                     \* index and tag
    /\ SameDomain(entry, q)
    /\ HasRight(entry, access)

CheckEvent(q, key, attempt, verdict) ==
    [name |-> "check", host |-> Host, qp |-> q, psn |-> 0, access |-> attempt.access, key |-> key,
     va |-> attempt.va, len |-> attempt.len, remaining |-> attempt.remaining,
     verdict |-> verdict]

\* KeyTable#check, trace point check.
AcceptKey(q, key, attempt) ==
    LET entry == table[IndexOf(key)]
    IN /\ underway[q] = Idle
       /\ \/ attempt.remaining = 0                                      \* C4
          \/ Admits(entry, q, key, attempt.access) /\ Inside(entry, attempt.va, attempt.len)
       /\ underway' = IF attempt.len = 0 THEN underway
                      ELSE [underway EXCEPT ![q] =
                               [mr |-> entry.mr, key |-> key, access |-> attempt.access,
                                va |-> attempt.va, len |-> attempt.len]]
       /\ UNCHANGED <<table, registration, offer>>
       /\ Emit(CheckEvent(q, key, attempt, "accept"))

\* KeyTable#check, trace point check.  A message that runs past the end may
\* be refused at a packet that is inside (C6).
RefuseKey(q, key, attempt) ==
    LET entry == table[IndexOf(key)]
    IN /\ underway[q] = Idle
       /\ ~ /\ Admits(entry, q, key, attempt.access)
            /\ Inside(entry, attempt.va, attempt.len)
            /\ Inside(entry, attempt.va, attempt.remaining)
       /\ UNCHANGED vars
       /\ Emit(CheckEvent(q, key, attempt, "refuse"))

\* Only with the defect: an entry gets lost.
ForgetKey(index) ==
    /\ Has("ForgetsKey")
    /\ table[index] # NoEntry
    /\ table' = [table EXCEPT ![index] = NoEntry]
    /\ UNCHANGED <<registration, offer, underway>>
    /\ EmitNothing

-------------------------------------------------------------------------------
(***************************************************************************)
(* A queue pair accesses memory: MemoryRegion#write and #read, trace       *)
(* points dma.write and dma.read.                                          *)
(***************************************************************************)
AccessMemory(q) ==
    LET access == underway[q]
        holder == table[IndexOf(access.key)]
        mr     == IF Has("DmaElsewhere") /\ holder # NoEntry THEN holder.mr ELSE access.mr
        len    == IF Has("DmaTooLong") THEN access.len + 1 ELSE access.len
    IN /\ access # Idle
       /\ underway' = [underway EXCEPT ![q] = Idle]
       /\ UNCHANGED <<table, registration, offer>>
       /\ Emit([name |-> IF access.access = "remote_read" THEN "dma.read" ELSE "dma.write",
                host |-> Host, qp |-> q, psn |-> 0, mr |-> mr, key |-> access.key,
                va |-> access.va, len |-> len])

-------------------------------------------------------------------------------
Next ==
    \/ \E mr \in Numbers, index \in Indices, tag \in Tags, attributes \in Attributes :
           CallRegister(mr, index, tag, attributes)
    \/ \E mr \in Numbers :
           \/ EnterInTable(mr)
           \/ ReturnRegister(mr)
           \/ CallDeregister(mr)
           \/ InvalidateInTable(mr)
           \/ Drain(mr)
           \/ ReturnDeregister(mr)
    \/ \E q \in QueuePairs, key \in Keys, attempt \in Attempts :
           \/ AcceptKey(q, key, attempt)
           \/ RefuseKey(q, key, attempt)
    \/ \E q \in QueuePairs : AccessMemory(q)
    \/ \E index \in Indices : ForgetKey(index)

=============================================================================
