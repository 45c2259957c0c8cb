---------------------- MODULE SameRegistrationPerMessage ----------------------
(***************************************************************************)
(* PROMISE. All packets of one message act on one registration. If it is   *)
(* deregistered in mid-message and its key given out again, the rest of    *)
(* the message does not land in the new holder's memory.                   *)
(*                                                                         *)
(* TO WHOM. The owner of the memory that got the key next. One instance    *)
(* watches one queue pair: slice (host, qp); which packets make a message  *)
(* is computed from the requests received.                                 *)
(*                                                                         *)
(* SOURCES. C6 with K5 (a recheck by key value finds the next holder), C7  *)
(* and C8 (rechecks by reference do not), L31, L34, L61, W1.               *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. A recheck per packet that compares the key and not *)
(* the registration, with key reuse between two packets. Mutant            *)
(* RechecksByKeyValue.                                                     *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. That the registration is the one that was meant:  *)
(* NoAba. That it is still alive: NoAccessAfterReturn. A READ that is      *)
(* replayed after it was answered is a new message; whom its data comes    *)
(* from is judged by NoAba.                                                *)
(***************************************************************************)
\* unacted : no message has touched memory yet       acted : at least one has
States == {"unacted", "acted"}

Start == {"unacted"}

Step(s, e) ==
    CASE e.name \in {"dma.read", "dma.write"} ->
             IF e.sameRegistration     \* C6, K5: as the first packet of its message
             THEN {"acted"} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
