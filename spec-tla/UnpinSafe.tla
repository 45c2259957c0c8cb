------------------------------ MODULE UnpinSafe -------------------------------
(***************************************************************************)
(* PROMISE. The device reads and writes only memory that some registration *)
(* pins at that moment.                                                    *)
(*                                                                         *)
(* TO WHOM. Whoever the system gives a page to once it is no longer        *)
(* pinned: the kernel, another process. One instance watches the memory of *)
(* one registration: slice (host, mr).                                     *)
(*                                                                         *)
(* SOURCES. D2 (mlx5 unpins only after the fence), D3 (an older driver     *)
(* released the pages before it took the translation away), D6 (siw: pages *)
(* stay pinned until the last user is done), D19, L19, L37, S1.            *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. A deregistration or re-registration that unpins    *)
(* while accesses are under way or the translation still leads there; a    *)
(* stale translation cache. Mutants UnpinBeforeDrain, UnpinBeforeRevoke,   *)
(* ReregUnpinsFirst.                                                       *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. Whether the registration was still alive:         *)
(* NoAccessAfterReturn. A device may answer from a dead registration as    *)
(* long as its pages stay pinned (D6). Hosts that never report a pin are   *)
(* not judged.                                                             *)
(***************************************************************************)
\* unpinned : nothing is pinned for this registration
\* pinned   : something is
States == {"unpinned", "pinned"}

Start == {"unpinned"}

Step(s, e) ==
    CASE e.name = "pin"   -> {"pinned"}
      [] e.name = "unpin" -> {IF e.last THEN "unpinned" ELSE s}
      [] e.name \in {"dma.read", "dma.write"} ->
             IF e.pinned              \* D2, D3, D6: every byte belongs to a pinned page
             THEN {s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
