------------------------------ MODULE Profiles ------------------------------
\* A small family in the shape of the real one: three policies, four profiles.
EXTENDS TLC

PolicyValues == [Return |-> {"Drained", "AtOnce"}, Order |-> {"First", "Last"},
                 Report |-> {"Yes", "No"}]

Strict == [Return |-> "Drained", Order |-> "First", Report |-> "Yes"]

Profile == [
    spec   |-> [PolicyValues EXCEPT !.Report = {"Yes"}],
    strict |-> [Return |-> {"Drained"}, Order |-> {"First"}, Report |-> {"Yes"}],
    hasty  |-> [Return |-> {"AtOnce"}, Order |-> {"First", "Last"}, Report |-> {"Yes"}],
    quiet  |-> [Return |-> {"Drained"}, Order |-> {"Last"}, Report |-> {"No"}]]
=============================================================================
