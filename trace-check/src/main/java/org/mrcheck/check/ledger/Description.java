package org.mrcheck.check.ledger;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.TraceEvent;

/** The two sides of a derived value in exact numbers, for people. */
final class Description {
  private Description() {}

  static Optional<String> of(
      Derived value, Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    return switch (value) {
      case PERMITTED, OVERRUNS, PERMITTED_NEW, WHOLE_OLD, WHOLE_NEW ->
          access(ledger, instance, event);
      case OWN_KEY -> ownKey(ledger, event);
      case CURRENT -> current(ledger, instance, event);
      case FRESH, AT_EXPECTED, RECEIVED, INSIDE_READ, AT_REPLAY -> window(value, ledger, event);
      case COVERS, EXACT, ANSWERS, COMPLETES -> packet(ledger, instance, event);
      case REACH, INSIDE -> message(ledger, instance, event);
      case BEYOND_FATAL, REPEATED, LATE -> stopped(ledger, event);
      case IN_ORDER -> reads(ledger, event);
      case INVALID_REQUEST_POSSIBLE -> invalid(ledger, event);
      case ACCESS_ERROR_POSSIBLE -> named(ledger, event);
      case SAME_ORIGINAL -> original(ledger, event);
      case AFTER_REFUSAL -> refusal(ledger, event);
      case ANSWERED, AFTER_ERROR, OWED -> completion(ledger, event);
      case PINNED, MAPPED, EARLY, LAST -> pages(ledger, event);
      case CHECKED -> checks(ledger, event);
      case MEANT -> meant(ledger, event);
      case SAME_REGISTRATION -> acted(ledger, event);
      case OUTSTANDING, UNSIGNALED, FIRST, SILENT_BEFORE, QUEUE -> queue(ledger, event);
      case DONE -> done(ledger, event);
      case NAMED, EXECUTED -> invalidations(ledger, event);
      case FITS -> bind(ledger, event);
      case ORPHAN, TYPE_ONE, AUTHORISED -> holder(ledger, event);
      case BOUND -> windows(ledger, event);
      case SUCCEEDED,
          ACCEPTED,
          EMPTY,
          READ,
          DAMAGED,
          IS_REQUEST,
          FATAL_NAK_ARRIVED,
          ANSWER,
          DUPLICATE,
          TO_ERR,
          TO_RESET,
          TO_READY,
          BUSY,
          ENDS,
          PD_GONE,
          AGAIN,
          IN_USE,
          LOCAL_FAULT,
          BY_DEVICE,
          PEER_FAULT,
          OWN_CAUSE,
          OWES,
          SETTLED,
          REPORTS,
          STATUS ->
          Optional.empty();
    };
  }

  private static String hex(long value) {
    return "0x" + Long.toHexString(value);
  }

  private static String bytes(long value) {
    return Long.toUnsignedString(value);
  }

  private static Optional<String> access(
      Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    if (event instanceof TraceEvent.Check check) {
      return Optional.of(
          access(ledger, RegistrationValues.Access.of(check), Optional.of(check.key())));
    }
    if (event instanceof TraceEvent.DmaWrite write) {
      return dma(ledger, event, write.mr(), write.va(), write.length());
    }
    if (event instanceof TraceEvent.DmaRead read) {
      return dma(ledger, event, read.mr(), read.va(), read.length());
    }
    return RegistrationValues.Access.of(ledger, instance)
        .map(access -> access(ledger, access, Optional.of(access.key())));
  }

  private static String access(
      Ledger ledger, RegistrationValues.Access access, Optional<MemoryKey> key) {
    PacketAccess packet =
        new PacketAccess(
            0, 1, access.kind(), access.key(), access.va(), access.remaining(), 0, access.length());
    QueuePairAddress qp = access.qp();
    Attribution attribution = Attribution.of(ledger, qp.host(), ledger.queuePair(qp), packet);
    String wanted =
        access.kind().text()
            + " of ["
            + hex(access.va())
            + ", "
            + hex(access.va())
            + " + "
            + bytes(access.length())
            + ")"
            + (access.remaining() == access.length()
                ? ""
                : ", " + bytes(access.remaining()) + " bytes to the end of its message,")
            + " under key "
            + access.key();
    String holder =
        key.flatMap(it -> ledger.registration(qp.host(), it))
            .map(
                registration ->
                    "; the key's "
                        + registration.title()
                        + " is ["
                        + hex(registration.va())
                        + ", "
                        + hex(registration.va() + registration.length())
                        + ") with "
                        + registration.rights())
            .orElse("");
    return wanted + holder + (attribution.isUnexplained() ? "" : ": " + attribution.describe());
  }

  private static Optional<String> dma(
      Ledger ledger, TraceEvent event, long mr, long va, long length) {
    String range = "[" + hex(va) + ", " + hex(va) + " + " + bytes(length) + ")";
    return Optional.of(
        ledger
            .registration(event.stamp().actor().host(), mr)
            .map(
                registration ->
                    range
                        + " against "
                        + registration.title()
                        + " at ["
                        + hex(registration.va())
                        + ", "
                        + hex(registration.va() + registration.length())
                        + ") with "
                        + registration.rights())
            .orElse(range + " under mr " + bytes(mr) + ", which is not registered"));
  }

  private static Optional<String> ownKey(Ledger ledger, TraceEvent event) {
    long mr;
    MemoryKey key;
    if (event instanceof TraceEvent.DmaWrite write) {
      mr = write.mr();
      key = write.key();
    } else if (event instanceof TraceEvent.DmaRead read) {
      mr = read.mr();
      key = read.key();
    } else {
      return Optional.empty();
    }
    return Optional.of(
        ledger
            .keyTable(event.stamp().actor().host())
            .region(mr)
            .map(holder -> "key " + key + ", mr " + mr + " has " + holder.keys)
            .orElse("mr " + mr + " is not registered"));
  }

  private static Optional<String> current(
      Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    return instance
        .flatMap(it -> it.values().key())
        .flatMap(
            key ->
                ledger
                    .registration(event.stamp().actor().host(), key)
                    .map(holder -> "key " + key + " is held by " + holder.title()));
  }

  private static Optional<String> window(Derived value, Ledger ledger, TraceEvent event) {
    OptionalInt psn = Ledger.psnOf(event);
    if (psn.isEmpty() || Ledger.queuePairOf(event).isEmpty()) {
      return Optional.empty();
    }
    RequestStream stream =
        ledger.queuePair(event.stamp(), Ledger.queuePairOf(event).get()).received;
    String text =
        "psn "
            + psn.getAsInt()
            + "; answered before "
            + known(stream.low())
            + ", received before "
            + known(stream.high());
    if (value == Derived.AT_EXPECTED && !stream.gapHeads().isEmpty()) {
      text += ", missing " + stream.gapHeads();
    }
    return Optional.of(text);
  }

  private static String known(OptionalInt psn) {
    return psn.isPresent() ? Integer.toString(psn.getAsInt()) : "an unknown psn";
  }

  private static Optional<String> packet(
      Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    OptionalInt psn = Ledger.psnOf(event);
    return instance
        .flatMap(Instance::packet)
        .filter(packet -> psn.isPresent())
        .map(
            packet ->
                "psn "
                    + psn.getAsInt()
                    + "; the packet has "
                    + span(ledger, packet.psn(), packet.span()));
  }

  private static Optional<String> message(
      Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    OptionalInt psn = Ledger.psnOf(event);
    return instance
        .flatMap(Instance::message)
        .filter(message -> psn.isPresent())
        .map(
            message ->
                "psn "
                    + psn.getAsInt()
                    + "; the message has "
                    + span(ledger, message.first(), message.count()));
  }

  private static String span(Ledger ledger, int first, long count) {
    return count == 1
        ? "psn " + first
        : "psn " + first + " to " + ledger.widths().psnPlus(first, count - 1);
  }

  private static Optional<String> stopped(Ledger ledger, TraceEvent event) {
    return Ledger.queuePairOf(event)
        .map(qp -> ledger.queuePair(event.stamp(), qp))
        .map(
            facts ->
                facts
                        .fatalNak
                        .map(
                            nak ->
                                "NAK "
                                    + nak.syndrome()
                                    + " for psn "
                                    + nak.psn()
                                    + " at event "
                                    + nak.stamp().seq())
                        .orElse("no fatal NAK")
                    + facts.inError.map(stamp -> ", ERR since event " + stamp.seq()).orElse("")
                    + (facts.lateFrom.isPresent()
                        ? ", first request after that at psn " + facts.lateFrom.getAsInt()
                        : ""));
  }

  private static Optional<String> reads(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Tx tx) || !tx.packet().opcode().isReadResponse()) {
      return Optional.empty();
    }
    StringBuilder text = new StringBuilder("psn ").append(tx.packet().psn());
    for (RequestStream.AwaitedRead read :
        ledger.queuePair(tx.stamp(), tx.qp()).received.awaitedReads()) {
      text.append("; the READ with ")
          .append(span(ledger, read.first, read.count))
          .append(" goes on at ")
          .append(read.next);
    }
    return Optional.of(text.toString());
  }

  private static Optional<String> invalid(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Nak nak)) {
      return Optional.empty();
    }
    QueuePairFacts facts = ledger.queuePair(nak.stamp(), nak.qp());
    return facts
        .received
        .packetAt(nak.psn())
        .map(
            request ->
                "request "
                    + request.packet().opcode()
                    + " at event "
                    + request.stamp().seq()
                    + ": "
                    + WireValues.invalidCause(facts, request).orElse("nothing in it is invalid"));
  }

  private static Optional<String> named(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Nak nak)) {
      return Optional.empty();
    }
    return ledger
        .queuePair(nak.stamp(), nak.qp())
        .received
        .packetAt(nak.psn())
        .map(
            request ->
                "request "
                    + request.packet().opcode()
                    + " at event "
                    + request.stamp().seq()
                    + (request.packet().opcode().isSend() ? " names no key" : " names a key"));
  }

  private static Optional<String> original(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Tx tx) || tx.packet().original().isEmpty()) {
      return Optional.empty();
    }
    Long first = ledger.queuePair(tx.stamp(), tx.qp()).atomicResults.get(tx.packet().psn());
    return Optional.of(
        hex(tx.packet().original().getAsLong())
            + (first == null ? " for the first time" : ", first returned " + hex(first)));
  }

  private static Optional<String> refusal(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.DmaWrite write)) {
      return Optional.empty();
    }
    return ledger.queuePair(write.stamp(), write.qp()).refused.stream()
        .filter(refused -> refused.key().equals(write.key()))
        .findFirst()
        .map(
            refused ->
                "psn "
                    + write.psn()
                    + "; refused at psn "
                    + refused.psn()
                    + ", event "
                    + refused.stamp().seq());
  }

  private static Optional<String> completion(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return Optional.empty();
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    String message =
        facts
            .workRequest(wc.wr())
            .map(
                request ->
                    "posted at event "
                        + request.stamp.seq()
                        + (request.message == null
                            ? ", no packet of it seen"
                            : ", message "
                                + span(
                                    ledger,
                                    request.message.first,
                                    Math.max(1, request.message.count))
                                + " "
                                + request.message.fate.text()))
            .orElse("wr " + Long.toUnsignedString(wc.wr()) + " has no post");
    return Optional.of(
        message
            + facts
                .errorCompletion
                .map(stamp -> ", first error completion at event " + stamp.seq())
                .orElse(""));
  }

  private static String range(long va, long length) {
    return "[" + hex(va) + ", " + hex(va) + " + " + bytes(length) + ")";
  }

  private static Optional<String> pages(Ledger ledger, TraceEvent event) {
    PinnedMemory pins = ledger.keyTable(event.stamp().actor().host()).pins;
    if (event instanceof TraceEvent.Unpin unpin) {
      return Optional.of(
          range(unpin.va(), unpin.length())
              + " of mr "
              + bytes(unpin.mr())
              + "; pinned for it: "
              + pins.describe(unpin.mr()));
    }
    return RegistrationValues.Dma.of(event)
        .map(
            dma ->
                range(dma.va(), dma.length())
                    + (dma.at().isPresent() ? " at " + hex(dma.at().getAsLong()) : "")
                    + "; pinned for mr "
                    + bytes(dma.mr())
                    + ": "
                    + pins.describe(dma.mr()));
  }

  private static Optional<String> checks(Ledger ledger, TraceEvent event) {
    return RegistrationValues.Dma.of(event)
        .map(
            dma -> {
              QueuePairFacts.Grant grant =
                  ledger.queuePair(event.stamp(), dma.qp()).grants.get(dma.psn());
              return range(dma.va(), dma.length())
                  + " under key "
                  + dma.key()
                  + "; "
                  + (grant == null
                      ? "no accepted check at psn " + dma.psn()
                      : "the check at psn "
                          + dma.psn()
                          + " let in "
                          + range(grant.va(), grant.length())
                          + " under key "
                          + grant.key());
            });
  }

  private static Optional<String> meant(Ledger ledger, TraceEvent event) {
    return RegistrationValues.Dma.of(event)
        .flatMap(
            dma ->
                WireValues.meantBy(ledger, ledger.queuePair(event.stamp(), dma.qp()), dma.psn())
                    .map(
                        request ->
                            "acts on mr "
                                + bytes(dma.mr())
                                + "; wr "
                                + bytes(request.wr)
                                + " was posted at event "
                                + request.stamp.seq()
                                + " when "
                                + request.meant.orElseThrow().title()
                                + " had the key"));
  }

  private static Optional<String> acted(Ledger ledger, TraceEvent event) {
    return RegistrationValues.Dma.of(event)
        .flatMap(
            dma -> {
              QueuePairFacts facts = ledger.queuePair(event.stamp(), dma.qp());
              return facts
                  .spanAt(dma.psn())
                  .map(span -> facts.acts.get(span.first()))
                  .map(
                      act ->
                          "acts on mr "
                              + bytes(dma.mr())
                              + "; the message with "
                              + span(ledger, act.first(), act.count())
                              + " began with "
                              + act.target().title());
            });
  }

  private static Optional<String> queue(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return Optional.empty();
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    Optional<CompletionValues.Queue> queue = ledger.queueOf(facts, wc);
    if (queue.isEmpty()) {
      return Optional.of("wr " + bytes(wc.wr()) + " has no post");
    }
    WorkQueue work = ledger.workQueue(facts, queue.get());
    String name = queue.get().word().value() + " queue";
    if (work.find(wc.wr()).isEmpty()) {
      return Optional.of("wr " + bytes(wc.wr()) + " is not outstanding in the " + name);
    }
    int before = work.before(wc.wr());
    return Optional.of(
        "wr "
            + bytes(wc.wr())
            + ", "
            + (work.find(wc.wr()).get().signaled() ? "" : "unsignaled, ")
            + (before == 0
                ? "the oldest in the " + name
                : before + " older outstanding in the " + name));
  }

  private static Optional<String> done(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Wc wc)) {
      return Optional.empty();
    }
    QueuePairFacts facts = ledger.queuePair(wc.stamp(), wc.qp());
    return facts
        .workRequest(wc.wr())
        .filter(request -> request.message != null && request.remote.isPresent())
        .map(
            request ->
                range(request.remote.get().va(), request.length)
                    + " wanted; "
                    + facts
                        .peer
                        .map(ledger::queuePair)
                        .map(
                            peer ->
                                CompletionValues.accessedBytes(
                                    ledger.widths(), peer, request.message))
                        .orElse(0L)
                    + " bytes accessed for "
                    + span(ledger, request.message.first, Math.max(1, request.message.count)));
  }

  private static Optional<String> invalidations(Ledger ledger, TraceEvent event) {
    Optional<MemoryKey> key =
        event instanceof TraceEvent.Wc wc
            ? wc.invalidated()
            : event instanceof TraceEvent.InvReturn done
                ? Optional.of(done.key())
                : Optional.empty();
    return Ledger.queuePairOf(event)
        .map(qp -> ledger.queuePair(event.stamp(), qp))
        .map(
            facts -> {
              List<String> named =
                  facts.namedKeys.keySet().stream()
                      .map(
                          one ->
                              one.key()
                                  + (one.byPeer() ? " by its peer" : " by a work request")
                                  + (one.executed() ? ", executed" : ", not executed"))
                      .toList();
              List<MemoryKey> swapped =
                  facts.namedKeys.keySet().stream()
                      .map(QueuePairFacts.NamedKey::key)
                      .filter(
                          one ->
                              key.map(it -> Integer.reverseBytes(it.bits()) == one.bits())
                                  .orElse(false))
                      .toList();
              return key.map(it -> "key " + it + "; ").orElse("")
                  + (named.isEmpty()
                      ? "no key is named for invalidation"
                      : "named: " + String.join("; ", named))
                  + (swapped.isEmpty() ? "" : "; its bytes are those of that key reversed");
            });
  }

  private static Optional<String> bind(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.BindCall call)) {
      return Optional.empty();
    }
    String wanted = range(call.va(), call.length()) + " with " + call.rights();
    return Optional.of(
        ledger
            .registration(event.stamp().actor().host(), call.mr())
            .map(
                region ->
                    wanted
                        + " on "
                        + region.title()
                        + " at ["
                        + hex(region.va())
                        + ", "
                        + hex(region.va() + region.length())
                        + ") with "
                        + region.rights()
                        + " in pd "
                        + bytes(region.pd().orElse(0)))
            .orElse(wanted + " on mr " + bytes(call.mr()) + ", which is not registered"));
  }

  private static Optional<String> holder(Ledger ledger, TraceEvent event) {
    MemoryKey key;
    if (event instanceof TraceEvent.Check check) {
      key = check.key();
    } else if (event instanceof TraceEvent.InvReturn done) {
      key = done.key();
    } else {
      return Optional.empty();
    }
    return Optional.of(
        ledger
            .registration(event.stamp().actor().host(), key)
            .map(
                registration ->
                    "key "
                        + key
                        + " is that of "
                        + registration.title()
                        + registration.qp().map(qp -> " of queue pair " + qp).orElse(""))
            .orElse("key " + key + " is nobody's"));
  }

  private static Optional<String> windows(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.DeregReturn done)) {
      return Optional.empty();
    }
    return Optional.of(
        "windows on mr "
            + bytes(done.mr())
            + ": "
            + ledger.keyTable(event.stamp().actor().host()).windowsOn(done.mr()).stream()
                .map(window -> "mw " + bytes(window.number) + " under " + window.keys)
                .toList());
  }
}
