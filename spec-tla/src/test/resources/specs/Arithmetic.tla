----------------------------- MODULE Arithmetic -----------------------------
EXTENDS Integers, Sequences, FiniteSets
CONSTANTS Modulus, Names
Next(n) == (n + 1) % Modulus
Identity(v) == v
Squares == [n \in 0..2 |-> n * n]
Labels == [n \in Names |-> n]
Doubled == [n \in 1..3 |-> 2 * n]
Everything == Nat
Broken(n) == IF n > 0
             THEN Head(<<>>)
             ELSE n.field
Endless[n \in Nat] == Endless[n + 1]
Forever(n) == Endless[n]
Union(s, t) == s \cup t
=============================================================================
