----------------------------- MODULE DeriveSmall -----------------------------
(***************************************************************************)
(* Derive with small numbers and no constants left, so that a test can     *)
(* evaluate it against its Java twin.                                      *)
(***************************************************************************)
EXTENDS Integers, Sequences, FiniteSets

INSTANCE Derive WITH AddressSpace <- 16, PsnSpace <- 16, LongestMessage <- 8, Skipped <- {}

=============================================================================
