----------------------------- MODULE ReregAtomic ------------------------------
(***************************************************************************)
(* PROMISE. While a registration is changed, an access sees its old        *)
(* attributes or its new ones, never a mixture: not the old right with the *)
(* new range, not the old check with the new pages. A failed change leaves *)
(* the old attributes or none.                                             *)
(*                                                                         *)
(* TO WHOM. The owner of the memory, who allowed each of the two and not   *)
(* their product. One instance watches one key: slice (host, key).         *)
(*                                                                         *)
(* SOURCES. K20 (ibv_rereg_mr keeps the key; on error the region may be    *)
(* unusable), D3 (the order in drivers), R3 (a change in mid-READ is a     *)
(* known gap of rxe), L16, L17, L20, L48.                                  *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. Changing a table entry word by word; changing the  *)
(* translation apart from the entry. Mutants ReregMixes, ReregKeepsOld.    *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. Refusing everything between the call and the      *)
(* return is right. Outside of a change the attributes are SoundCheck's,   *)
(* and only where the access goes in memory is judged here, as far as bus  *)
(* addresses were recorded. Which of the two an access sees is free until  *)
(* the return.                                                             *)
(***************************************************************************)
\* settled  : one set of attributes
\* changing : ibv_rereg_mr was called
\* doubtful : ibv_rereg_mr has failed: as before, or unusable
States == {"settled", "changing", "doubtful"}

Start == {"settled"}

\* Is the access as a whole what one of the versions allows?
OneVersion(s, old, new) ==
    CASE s = "settled"  -> TRUE
      [] s = "changing" -> old \/ new
      [] s = "doubtful" -> old

Step(s, e) ==
    CASE e.name = "rereg.call" -> {"changing"}
      [] e.name = "rereg.return" -> {IF e.succeeded THEN "settled" ELSE "doubtful"}
      [] e.name \in {"dereg.return", "inv.return"} ->
             {IF e.current /\ e.succeeded THEN "settled" ELSE s}
      [] e.name = "check" ->
             IF e.accepted /\ ~e.empty =>
                    OneVersion(s, e.permitted, e.permittedNew)   \* K20, L17, L20
             THEN {s} ELSE {}
      [] e.name \in {"dma.read", "dma.write"} ->
             IF /\ OneVersion(s, e.wholeOld, e.wholeNew)         \* L48: range, right and pages of one version
                /\ e.mapped                                      \* L16: after the return, the new pages
             THEN {s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
