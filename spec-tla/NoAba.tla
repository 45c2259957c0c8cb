-------------------------------- MODULE NoAba ---------------------------------
(***************************************************************************)
(* PROMISE. An access acts on the registration that its sender was given   *)
(* the key of, not on a later one that happens to have the same key.       *)
(*                                                                         *)
(* TO WHOM. The owner of the later registration. One instance watches one  *)
(* queue pair of the responder: slice (host, qp).                          *)
(*                                                                         *)
(* SOURCES. K2, K4 to K8 and K17 (tags that repeat), K8 (a bug of that     *)
(* kind), K13 and K14 (counter-measures), L05, L09, L10, L61, R-22, S3.    *)
(*                                                                         *)
(* WHAT WOULD BREAK IT. A key that is given out again while a request      *)
(* under it can still arrive: constant, kept or wrapped tags without       *)
(* quarantine. Mutants ConstantTag, SequenceResetOnUnmap.                  *)
(*                                                                         *)
(* WHAT IT DOES NOT SAY. Nothing where it was not recorded what the sender *)
(* was given: what counts is who had the key when the request was posted.  *)
(* A sender that posts a key it was given long ago is its own hazard, and  *)
(* so is a guessed key (L102). The device alone cannot keep this promise:  *)
(* keys are 32 bits wide.                                                  *)
(***************************************************************************)
\* untried : no access yet whose sender's intention is known     met : at least one
States == {"untried", "met"}

Start == {"untried"}

Step(s, e) ==
    CASE e.name \in {"dma.read", "dma.write"} ->
             IF e.meant # "other"      \* K8, L05: the registration that had the key when it was posted
             THEN {IF e.meant = "same" THEN "met" ELSE s} ELSE {}
      [] OTHER -> {s}

Hidden(s) == {}

Open(s) == FALSE

Remark(s) == ""

===============================================================================
