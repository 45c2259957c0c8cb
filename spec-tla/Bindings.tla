------------------------------- MODULE Bindings -------------------------------
(***************************************************************************)
(* What the .binding files say, for TLC: which parameters make an instance *)
(* of a contract, and which events step the instances that agree in which  *)
(* parameters.  A test holds the two together.                             *)
(***************************************************************************)
EXTENDS TLC

\* The views: SoundCheckOnWire is another view of the contract SoundCheck.
Views == {
    "NoAccessAfterReturn", "UnpinSafe", "SoundCheck", "SoundCheckOnWire",
    "SameRegistrationPerMessage", "NoAba", "RejectHasNoEffect", "UmbrellaStatus",
    "NakOnlyAtExpectedPsn", "FatalNak", "SilentInError", "PsnOrder", "DuplicateNotExecuted",
    "LocalFaultStaysLocal", "CompletionMatchesAnswer", "ExactlyOneCompletion",
    "CompletionOrder", "SuccessMeansDone", "InvalidateIsExact", "InvalidateBeforeCompletion",
    "WindowRules", "ReregAtomic", "LifetimeOrder"}

\* A function from event names to what they bind; "slice" stands for the instance.
Slice(parameters)      == "slice" :> parameters
On(events, parameters) == [event \in events |-> parameters]

BindingOf(view) ==
    CASE view = "NoAccessAfterReturn" ->
       Slice({"host", "mr"})
       @@ On({"reg.call", "reg", "dereg.call", "dereg.return", "inv.call",
           "inv.return", "dma.read", "dma.write"},
          {"host", "mr"})
    [] view = "UnpinSafe" ->
       Slice({"host", "mr"})
       @@ On({"pin", "unpin", "dma.read", "dma.write"},
          {"host", "mr"})
    [] view = "SoundCheck" ->
       Slice({"host", "key"})
       @@ On({"reg.call", "reg", "rereg.call", "rereg.return", "bind.call",
           "bind.return", "dereg.call", "dereg.return", "inv.call", "inv.return",
           "mw.dealloc.call", "mw.dealloc.return", "check", "dma.read",
           "dma.write"},
          {"host", "key"})
    [] view = "SoundCheckOnWire" ->
       Slice({"host", "qp", "psn", "key"})
       @@ On({"reg.call", "reg", "rereg.call", "rereg.return", "bind.call",
           "bind.return", "dereg.call", "dereg.return", "inv.call", "inv.return",
           "mw.dealloc.call", "mw.dealloc.return"},
          {"host", "key"})
       @@ On({"rx"},
          {"host", "qp", "psn", "key"})
       @@ On({"ack", "nak", "tx", "qp.state"},
          {"host", "qp"})
    [] view = "SameRegistrationPerMessage" ->
       Slice({"host", "qp"})
       @@ On({"dma.read", "dma.write"},
          {"host", "qp"})
    [] view = "NoAba" ->
       Slice({"host", "qp"})
       @@ On({"dma.read", "dma.write"},
          {"host", "qp"})
    [] view = "RejectHasNoEffect" ->
       Slice({"host", "qp", "message"})
       @@ On({"rx"},
          {"host", "qp", "message"})
       @@ On({"ack", "tx", "nak", "dma.write"},
          {"host", "qp"})
    [] view = "UmbrellaStatus" ->
       Slice({"host", "qp"})
       @@ On({"nak"},
          {"host", "qp"})
    [] view = "NakOnlyAtExpectedPsn" ->
       Slice({"host", "qp"})
       @@ On({"nak"},
          {"host", "qp"})
    [] view = "FatalNak" ->
       Slice({"host", "qp"})
       @@ On({"nak", "ack", "rx", "tx", "qp.state"},
          {"host", "qp"})
    [] view = "SilentInError" ->
       Slice({"host", "qp"})
       @@ On({"nak", "ack", "tx", "check", "dma.read", "dma.write", "qp.state"},
          {"host", "qp"})
    [] view = "PsnOrder" ->
       Slice({"host", "qp"})
       @@ On({"ack", "tx"},
          {"host", "qp"})
    [] view = "DuplicateNotExecuted" ->
       Slice({"host", "qp"})
       @@ On({"rx", "dma.write", "tx"},
          {"host", "qp"})
    [] view = "LocalFaultStaysLocal" ->
       Slice({"host", "qp"})
       @@ On({"nak", "qp.state"},
          {"host", "qp"})
    [] view = "CompletionMatchesAnswer" ->
       Slice({"host", "qp"})
       @@ On({"wc"},
          {"host", "qp"})
    [] view = "ExactlyOneCompletion" ->
       Slice({"host", "qp"})
       @@ On({"post", "wc", "qp.state", "qp.destroy"},
          {"host", "qp"})
    [] view = "CompletionOrder" ->
       Slice({"host", "qp"})
       @@ On({"wc", "qp.state"},
          {"host", "qp"})
    [] view = "SuccessMeansDone" ->
       Slice({"host", "qp"})
       @@ On({"wc"},
          {"host", "qp"})
    [] view = "InvalidateIsExact" ->
       Slice({"host", "qp"})
       @@ On({"inv.return", "wc"},
          {"host", "qp"})
    [] view = "InvalidateBeforeCompletion" ->
       Slice({"host", "qp"})
       @@ On({"wc"},
          {"host", "qp"})
    [] view = "WindowRules" ->
       Slice({"host", "key"})
       @@ On({"bind.call", "bind.return", "dereg.return", "inv.call", "inv.return",
           "mw.dealloc.call", "mw.dealloc.return", "check"},
          {"host", "key"})
    [] view = "ReregAtomic" ->
       Slice({"host", "key"})
       @@ On({"rereg.call", "rereg.return", "dereg.return", "inv.return", "check",
           "dma.read", "dma.write"},
          {"host", "key"})
    [] view = "LifetimeOrder" ->
       Slice({"host"})
       @@ On({"reg", "mw.alloc", "qp.create", "pd.dealloc", "mw.dealloc.return",
           "qp.destroy", "unpin"},
          {"host"})

\* Once and for all.
Table == [view \in Views |-> BindingOf(view)]

\* The derived values that a contract looks at.
ValuesAsked(view) ==
    CASE view = "NoAccessAfterReturn" ->
           {"succeeded"}
      [] view = "UnpinSafe" ->
           {"last", "pinned"}
      [] view = "SoundCheck" ->
           {"accepted", "busy", "checked", "current", "empty", "ends", "overruns",
            "ownKey", "permitted", "succeeded"}
      [] view = "SoundCheckOnWire" ->
           {"answer", "answers", "busy", "completes", "covers", "current", "damaged",
            "empty", "ends", "exact", "fresh", "late", "overruns", "permitted", "read",
            "succeeded", "toReset"}
      [] view = "SameRegistrationPerMessage" ->
           {"sameRegistration"}
      [] view = "NoAba" ->
           {"meant"}
      [] view = "RejectHasNoEffect" ->
           {"afterRefusal", "answer", "inside", "reach"}
      [] view = "UmbrellaStatus" ->
           {"accessErrorPossible", "answer", "invalidRequestPossible"}
      [] view = "NakOnlyAtExpectedPsn" ->
           {"answer", "atExpected", "atReplay", "insideRead"}
      [] view = "FatalNak" ->
           {"answer", "beyondFatal", "fatalNakArrived", "isRequest", "repeated",
            "toReady", "toReset"}
      [] view = "SilentInError" ->
           {"accepted", "answer", "late", "repeated", "toErr", "toReset"}
      [] view = "PsnOrder" ->
           {"inOrder", "isRequest", "received"}
      [] view = "DuplicateNotExecuted" ->
           {"duplicate", "fresh", "isRequest", "sameOriginal"}
      [] view = "LocalFaultStaysLocal" ->
           {"answer", "byDevice", "localFault", "ownCause", "peerFault", "toErr"}
      [] view = "CompletionMatchesAnswer" ->
           {"afterError", "answered", "status"}
      [] view = "ExactlyOneCompletion" ->
           {"outstanding", "owes", "settled", "status", "succeeded", "toReset",
            "unsignaled"}
      [] view = "CompletionOrder" ->
           {"first", "owed", "queue", "silentBefore", "status", "toReset"}
      [] view = "SuccessMeansDone" ->
           {"done"}
      [] view = "InvalidateIsExact" ->
           {"authorised", "named", "succeeded"}
      [] view = "InvalidateBeforeCompletion" ->
           {"executed", "reports"}
      [] view = "WindowRules" ->
           {"accepted", "bound", "ends", "fits", "orphan", "succeeded", "typeOne"}
      [] view = "ReregAtomic" ->
           {"accepted", "current", "empty", "mapped", "permitted", "permittedNew",
            "succeeded", "wholeNew", "wholeOld"}
      [] view = "LifetimeOrder" ->
           {"again", "early", "inUse", "pdGone", "pinned", "succeeded"}

===============================================================================
