---- MODULE ImportsMissing ----
EXTENDS Naturals, NotThere
VARIABLE x
Init == x = 0
Next == x' = x
====
