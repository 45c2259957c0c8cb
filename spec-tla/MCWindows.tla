------------------------------ MODULE MCWindows -------------------------------
(***************************************************************************)
(* Windows of both types on one region: bound, used, ended, and the region *)
(* deregistered under them (L122 to L127).                                 *)
(***************************************************************************)
EXTENDS Watch

\* Region 3 consents to windows and is not writable locally.
MCExisting == << Region(1, 1, 1, 1, 0, 2, {"local_write", "remote_write", "mw_bind"}, 16),
                 Region(3, 4, 0, 1, 4, 2, {"mw_bind"}, 48) >>
MCWindows  == << Window(3, 2, 1) >>

\* b binds; p and r are the peers of b and of c, both in the same domain.
MCQueuePairs == [q \in {"b", "c", "p", "r"} |->
    CASE q = "b" -> QueuePair(1, RemoteRights, "p", FALSE)
      [] q = "p" -> QueuePair(1, RemoteRights, "b", TRUE)
      [] q = "c" -> QueuePair(1, RemoteRights, "r", FALSE)
      [] q = "r" -> QueuePair(1, RemoteRights, "c", TRUE)]

Bind(wr, tag, va, len, rights) == Post("b", BindWindow(wr, 1, 1, tag, va, len, rights))
W == {"remote_write"}

MCPrograms == [t \in {"owner", "peer"} |->
    IF t = "owner"
    THEN << {Bind(1, 1, 0, 1, W), Bind(1, 1, 1, 2, W), Post("b", BindWindow(1, 1, 3, 1, 4, 1, W))},
            {Deregister(1), DeallocWindow(1), Bind(2, 2, 0, 1, W),
             Post("b", [LocalInvalidate(2, 0) EXCEPT !.window = 1]),
             Register(2, 1, 0, 2, AllRights, 32)} >>
    ELSE << {Post("p", ToWindow(Write(1, 0, 0, 1), 1)), Post("r", ToWindow(Write(1, 0, 0, 1), 1)),
             Post("p", Write(1, 2, 0, 1))} >>]
MCPosted   == [q \in DOMAIN MCQueuePairs |-> << >>]
MCReceives == [q \in {"b", "c"} |-> << >>]

-------------------------------------------------------------------------------
\* Situations that the model is about: each must be reached.
MCProbes == {"Refused", "BoundAtDereg"}

MCIsReached(probe) ==
    CASE probe = "Refused" ->
               (\E q \in Devices : Hand(q).stage = "refused")
      [] probe = "BoundAtDereg" ->
               (WindowsOn(1) # {} /\ thread["owner"].doing.verb = "deregister")

Init == WatchedInit
Next == WatchedNext
Spec == Init /\ [][Next]_watchVars

===============================================================================
