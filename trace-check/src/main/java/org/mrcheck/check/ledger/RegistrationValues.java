package org.mrcheck.check.ledger;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.AccessKind;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.TraceEvent;

/** The derived values about keys, rights and ranges. Sources: rows C1, C3, C4, C6, C9, K5. */
final class RegistrationValues {
  private static final DerivedValue NO_REGISTRATION =
      new DerivedValue.Unknown("what the key named was not recorded", EventClass.REGISTRATION);
  private static final DerivedValue NO_ATTRIBUTES =
      new DerivedValue.Unknown(
          "the registration has been asked for but its attributes are not recorded yet",
          EventClass.REGISTRATION);
  private static final DerivedValue UNCERTAIN_REGISTRATION =
      new DerivedValue.Unknown(
          "events were lost while the registration was live", EventClass.REGISTRATION);
  private static final DerivedValue PARTIAL_REGISTRATION =
      new DerivedValue.Unknown(
          "not every registration, bind and pin was recorded", EventClass.REGISTRATION);
  private static final DerivedValue NO_PROTECTION_DOMAIN =
      new DerivedValue.Unknown(
          "the queue pair's protection domain was not recorded", EventClass.QUEUE_PAIR);
  private static final DerivedValue NO_WINDOW_DOMAIN =
      new DerivedValue.Unknown("the window's region was not recorded", EventClass.REGISTRATION);

  private RegistrationValues() {}

  /** One access to memory, from a check, a DMA event or an instance's packet. */
  record Access(
      QueuePairAddress qp,
      AccessKind kind,
      MemoryKey key,
      long va,
      long length,
      long remaining,
      boolean wrapped) {

    static Access of(TraceEvent.Check check) {
      return new Access(
          new QueuePairAddress(check.stamp().actor().host(), check.qp()),
          check.access(),
          check.key(),
          check.va(),
          check.length(),
          check.remaining(),
          false);
    }

    static Access of(Ledger ledger, String host, QueuePairId qp, PacketAccess packet) {
      return new Access(
          new QueuePairAddress(host, qp),
          packet.access(),
          packet.key(),
          packet.va(),
          packet.length(),
          packet.remaining(),
          packet.offset() != 0 && ledger.widths().wraps(packet.messageVa(), packet.offset() + 1));
    }

    /** The instance's packet. */
    static Optional<Access> of(Ledger ledger, Optional<Instance> instance) {
      return instance
          .filter(it -> it.packet().isPresent() && it.values().qp().isPresent())
          .map(it -> of(ledger, it.values().host(), it.values().qp().get(), it.packet().get()));
    }
  }

  /** {@code succeeded}: the call's status is ok. */
  static DerivedValue succeeded(TraceEvent event) {
    TraceEvent.CallStatus status = null;
    if (event instanceof TraceEvent.DeregReturn e) {
      status = e.status();
    } else if (event instanceof TraceEvent.ReregReturn e) {
      status = e.status();
    } else if (event instanceof TraceEvent.BindReturn e) {
      status = e.status();
    } else if (event instanceof TraceEvent.InvReturn e) {
      status = e.status();
    } else if (event instanceof TraceEvent.MwDeallocReturn e) {
      status = e.status();
    } else if (event instanceof TraceEvent.PdDealloc e) {
      status = e.status();
    } else if (event instanceof TraceEvent.QpDestroy e) {
      status = e.status();
    }
    return DerivedValue.of(status == TraceEvent.CallStatus.OK);
  }

  /** {@code accepted}: the check's verdict is accept. */
  static DerivedValue accepted(TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.Check check
            && check.verdict() == TraceEvent.CheckVerdict.ACCEPT);
  }

  /**
   * {@code current}: the event concerns the newest holder of the instance's key (the region, a
   * window on it, or the window), or nobody holds it. A key may be handed out again before its old
   * deregistration has returned (row K5).
   */
  static DerivedValue current(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    OptionalLong region = OptionalLong.empty();
    OptionalLong window = OptionalLong.empty();
    if (event instanceof TraceEvent.DeregCall e) {
      region = OptionalLong.of(e.mr());
    } else if (event instanceof TraceEvent.DeregReturn e) {
      region = OptionalLong.of(e.mr());
    } else if (event instanceof TraceEvent.MwDeallocCall e) {
      window = OptionalLong.of(e.mw());
    } else if (event instanceof TraceEvent.MwDeallocReturn e) {
      window = OptionalLong.of(e.mw());
    } else {
      return DerivedValue.TRUE;
    }
    Optional<MemoryKey> key = instance.flatMap(it -> it.values().key());
    if (key.isEmpty()) {
      return DerivedValue.FALSE;
    }
    Optional<KeyTable.Holder> newest =
        ledger.keyTable(event.stamp().actor().host()).holder(key.get());
    if (newest.isEmpty()) {
      return DerivedValue.TRUE;
    }
    return DerivedValue.of(
        window.isPresent()
            ? newest.get().isWindow() && newest.get().number == window.getAsLong()
            : newest.get().isOn(region.orElseThrow()));
  }

  /**
   * {@code permitted}: the registration covers the range without wrap-around, has the access's
   * right and shares the queue pair's protection domain; a type 2 window belongs to that queue pair
   * (rows C1, C13, W1). On {@code check} the registration is the newest holder of the key; on DMA
   * the region the event names; on an event that registers, the one it registers, against the
   * instance's packet.
   */
  static DerivedValue permitted(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    if (event instanceof TraceEvent.Check check) {
      Access access = Access.of(check);
      return permitted(ledger, access, held(ledger, access.qp().host(), access.key()));
    }
    if (event instanceof TraceEvent.DmaRead e) {
      return permittedDma(
          ledger, e.stamp().actor().host(), e.qp(), e.mr(), e.key(), e.va(), e.length(), false);
    }
    if (event instanceof TraceEvent.DmaWrite e) {
      return permittedDma(
          ledger, e.stamp().actor().host(), e.qp(), e.mr(), e.key(), e.va(), e.length(), true);
    }
    return Access.of(ledger, instance)
        .<DerivedValue>map(access -> permitted(ledger, access, subject(ledger, access, event)))
        .orElse(DerivedValue.FALSE);
  }

  /** A registration or the reason why it is not known. */
  record Subject(Optional<Registration> registration, Optional<DerivedValue> otherwise) {
    static Subject known(Registration registration) {
      return new Subject(Optional.of(registration), Optional.empty());
    }

    static Subject without(DerivedValue value) {
      return new Subject(Optional.empty(), Optional.of(value));
    }
  }

  /** The newest holder of a key. */
  static Subject held(Ledger ledger, String host, MemoryKey key) {
    KeyTable table = ledger.keyTable(host);
    Optional<KeyTable.Holder> holder = table.holder(key);
    if (holder.isEmpty()) {
      return Subject.without(
          ledger.isComplete(EventClass.REGISTRATION, host)
                  || table.ended(key).isPresent()
                  || key.equals(MemoryKey.NONE)
              ? DerivedValue.FALSE
              : NO_REGISTRATION);
    }
    if (holder.get().uncertain) {
      return Subject.without(UNCERTAIN_REGISTRATION);
    }
    return holder
        .get()
        .registration
        .map(Subject::known)
        .orElseGet(() -> Subject.without(NO_ATTRIBUTES));
  }

  /** What a registering event registers. */
  private static Subject subject(Ledger ledger, Access access, TraceEvent event) {
    String host = event.stamp().actor().host();
    Optional<Registration> made = KeyTable.registrationMadeBy(event, ledger.keyTable(host));
    if (made.isPresent()) {
      return Subject.known(made.get());
    }
    if (event instanceof TraceEvent.RegCall) {
      return Subject.without(DerivedValue.FALSE);
    }
    return held(ledger, host, access.key());
  }

  private static DerivedValue permitted(Ledger ledger, Access access, Subject subject) {
    return subject.registration().isEmpty()
        ? subject.otherwise().orElse(DerivedValue.FALSE)
        : permits(ledger, subject.registration().get(), access);
  }

  /** Whether a registration permits an access. */
  static DerivedValue permits(Ledger ledger, Registration registration, Access access) {
    if (!namesIt(registration, access)
        || !hasRight(registration, access.kind())
        || !covers(ledger, registration, access)
        || !belongsTo(registration, access.qp().id())) {
      return DerivedValue.FALSE;
    }
    return samePd(ledger, registration, access.qp());
  }

  /** Remote requests name a registration by its rkey, local accesses by its lkey (row K16). */
  static boolean namesIt(Registration registration, Access access) {
    return isLocal(access.kind())
        ? registration.hasLocalKey(access.key())
        : registration.hasRemoteKey(access.key());
  }

  static boolean isLocal(AccessKind kind) {
    return kind == AccessKind.LOCAL_READ || kind == AccessKind.LOCAL_WRITE;
  }

  static boolean hasRight(Registration registration, AccessKind kind) {
    return rightFor(kind).map(registration.rights()::has).orElse(true);
  }

  /** The right an access needs; reading locally needs none. */
  static Optional<Flag> rightFor(AccessKind kind) {
    return switch (kind) {
      case LOCAL_READ -> Optional.empty();
      case LOCAL_WRITE -> Optional.of(Flag.LOCAL_WRITE);
      case REMOTE_READ -> Optional.of(Flag.REMOTE_READ);
      case REMOTE_WRITE -> Optional.of(Flag.REMOTE_WRITE);
      case REMOTE_ATOMIC -> Optional.of(Flag.REMOTE_ATOMIC);
    };
  }

  static boolean covers(Ledger ledger, Registration registration, Access access) {
    return !access.wrapped()
        && ledger
            .widths()
            .covers(registration.va(), registration.length(), access.va(), access.length());
  }

  static boolean belongsTo(Registration registration, QueuePairId qp) {
    return registration.kind() != Registration.Kind.WINDOW_2
        || registration.qp().isEmpty()
        || registration.qp().get().equals(qp);
  }

  static DerivedValue samePd(Ledger ledger, Registration registration, QueuePairAddress qp) {
    OptionalLong domain = ledger.queuePair(qp).pd;
    if (registration.pd().isEmpty()) {
      return NO_WINDOW_DOMAIN;
    }
    if (domain.isEmpty()) {
      return NO_PROTECTION_DOMAIN;
    }
    return DerivedValue.of(domain.getAsLong() == registration.pd().getAsLong());
  }

  /**
   * DMA is judged against the region it names, under its own key or that of a window on it; the
   * event does not say whether it was local or remote, so any write right will do. True where the
   * region is not live: that is NoAccessAfterReturn's business.
   */
  private static DerivedValue permittedDma(
      Ledger ledger,
      String host,
      QueuePairId qp,
      long mr,
      MemoryKey key,
      long va,
      long length,
      boolean write) {
    KeyTable table = ledger.keyTable(host);
    if (table.region(mr).isEmpty()) {
      return DerivedValue.TRUE;
    }
    DerivedValue answer = null;
    for (KeyTable.Holder bearer : table.bearers(mr, key)) {
      if (bearer.uncertain) {
        return UNCERTAIN_REGISTRATION;
      }
      DerivedValue one = permittedDma(ledger, host, qp, bearer, va, length, write);
      if (one.equals(DerivedValue.TRUE)) {
        return one;
      }
      answer = answer == null || one instanceof DerivedValue.Unknown ? one : answer;
    }
    // Without a bearer the key is wrong, which is ownKey's business.
    return answer == null ? DerivedValue.TRUE : answer;
  }

  private static DerivedValue permittedDma(
      Ledger ledger,
      String host,
      QueuePairId qp,
      KeyTable.Holder bearer,
      long va,
      long length,
      boolean write) {
    return bearer
        .registration
        .map(registration -> fits(ledger, host, qp, registration, va, length, write))
        .orElse(DerivedValue.TRUE);
  }

  /** Whether what a DMA does is inside what the registration allows. */
  private static DerivedValue fits(
      Ledger ledger,
      String host,
      QueuePairId qp,
      Registration registration,
      long va,
      long length,
      boolean write) {
    boolean right =
        !write
            || registration.rights().has(Flag.LOCAL_WRITE)
            || registration.rights().has(Flag.REMOTE_WRITE)
            || registration.rights().has(Flag.REMOTE_ATOMIC);
    if (!right
        || !ledger.widths().covers(registration.va(), registration.length(), va, length)
        || !belongsTo(registration, qp)) {
      return DerivedValue.FALSE;
    }
    return samePd(ledger, registration, new QueuePairAddress(host, qp));
  }

  /** {@code ownKey}: the region that a DMA names bears the DMA's key; true where it is not live. */
  static DerivedValue ownKey(Ledger ledger, TraceEvent event) {
    String host = event.stamp().actor().host();
    long mr;
    MemoryKey key;
    if (event instanceof TraceEvent.DmaRead e) {
      mr = e.mr();
      key = e.key();
    } else if (event instanceof TraceEvent.DmaWrite e) {
      mr = e.mr();
      key = e.key();
    } else {
      return DerivedValue.FALSE;
    }
    KeyTable table = ledger.keyTable(host);
    return DerivedValue.of(table.region(mr).isEmpty() || !table.bearers(mr, key).isEmpty());
  }

  /**
   * {@code overruns}: the packet's own range is inside, but its message runs past the end. Devices
   * may write such a packet and refuse a later one (row C9) or refuse the message whole (row C6).
   */
  static DerivedValue overruns(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    Optional<Access> access =
        event instanceof TraceEvent.Check check
            ? Optional.of(Access.of(check))
            : Access.of(ledger, instance);
    if (access.isEmpty()) {
      return DerivedValue.FALSE;
    }
    Subject subject =
        event instanceof TraceEvent.Check
            ? held(ledger, access.get().qp().host(), access.get().key())
            : subject(ledger, access.get(), event);
    if (subject.registration().isEmpty()) {
      return subject.otherwise().orElse(DerivedValue.FALSE);
    }
    Registration registration = subject.registration().get();
    boolean wholeInside =
        ledger
            .widths()
            .covers(
                registration.va(),
                registration.length(),
                access.get().va(),
                access.get().remaining());
    return wholeInside ? DerivedValue.FALSE : permits(ledger, registration, access.get());
  }

  /** {@code empty}: the message has length 0, so no key is needed (rows C3, C4). */
  static DerivedValue empty(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    if (event instanceof TraceEvent.Check check) {
      return DerivedValue.of(check.length() == 0 && check.remaining() == 0);
    }
    if (event instanceof TraceEvent.Rx rx) {
      return DerivedValue.of(
          ledger.accessOf(rx).map(access -> access.remaining() == 0).orElse(false));
    }
    return DerivedValue.of(
        instance.flatMap(Instance::packet).map(packet -> packet.remaining() == 0).orElse(false));
  }

  /** {@code read}: the request is a READ, whose key may be checked again for each response (R6). */
  static DerivedValue read(TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.Rx rx && rx.packet().opcode().isReadRequest());
  }

  /** One DMA event. */
  record Dma(
      String host,
      QueuePairId qp,
      int psn,
      long mr,
      MemoryKey key,
      long va,
      long length,
      OptionalLong at,
      boolean write) {
    static Optional<Dma> of(TraceEvent event) {
      String host = event.stamp().actor().host();
      if (event instanceof TraceEvent.DmaRead e) {
        return Optional.of(
            new Dma(
                host, e.qp(), e.psn(), e.mr(), e.key(), e.va(), e.length(), e.dmaAddress(), false));
      }
      if (event instanceof TraceEvent.DmaWrite e) {
        return Optional.of(
            new Dma(
                host, e.qp(), e.psn(), e.mr(), e.key(), e.va(), e.length(), e.dmaAddress(), true));
      }
      return Optional.empty();
    }
  }

  /** Whether a DMA is certainly made under a registration that lets it. */
  static boolean isAllowed(Ledger ledger, TraceEvent event) {
    Dma dma = Dma.of(event).orElseThrow();
    return !ledger.keyTable(dma.host()).bearers(dma.mr(), dma.key()).isEmpty()
        && permitted(ledger, Optional.empty(), event).equals(DerivedValue.TRUE);
  }

  private static boolean registrationsAreComplete(Ledger ledger, String host) {
    return ledger.isComplete(EventClass.REGISTRATION, host) && !ledger.keyTable(host).isLossy();
  }

  /** False, if every registration was recorded. */
  private static DerivedValue falseIfComplete(Ledger ledger, String host) {
    return registrationsAreComplete(ledger, host) ? DerivedValue.FALSE : PARTIAL_REGISTRATION;
  }

  // Pages

  /** {@code pinned}: every byte belongs to pinned memory; of an unpin, it undoes a pin (D3, D6). */
  static DerivedValue pinned(Ledger ledger, TraceEvent event) {
    String host = event.stamp().actor().host();
    PinnedMemory pins = ledger.keyTable(host).pins;
    if (event instanceof TraceEvent.Unpin unpin) {
      return pins.wasPinned(unpin) ? DerivedValue.TRUE : falseIfComplete(ledger, host);
    }
    return Dma.of(event)
        .map(
            dma ->
                !pins.isReported() || pins.isPinned(dma.mr(), dma.va(), dma.length(), dma.at())
                    ? DerivedValue.TRUE
                    : falseIfComplete(ledger, host))
        .orElse(DerivedValue.FALSE);
  }

  /** {@code last}: nothing of the registration stays pinned. */
  static DerivedValue last(Ledger ledger, TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.Unpin unpin
            && ledger.keyTable(event.stamp().actor().host()).pins.isLast(unpin));
  }

  /** {@code early}: memory is released while its registration lives and nobody ends it (D3). */
  static DerivedValue early(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Unpin unpin)) {
      return DerivedValue.FALSE;
    }
    KeyTable table = ledger.keyTable(event.stamp().actor().host());
    Optional<KeyTable.Holder> region = table.region(unpin.mr());
    if (region.isEmpty()
        || region.get().registration.isEmpty()
        || region.get().calls > 0
        || region.get().asked.isPresent()
        || region.get().registration.get().rights().has(Flag.ON_DEMAND)
        || !table.pins.releasesPresent(unpin)) {
      return DerivedValue.FALSE;
    }
    return region.get().uncertain || table.pins.isLossy()
        ? UNCERTAIN_REGISTRATION
        : DerivedValue.TRUE;
  }

  // Re-registration

  /** {@code permittedNew}: the attributes that a re-registration under way asks for permit it. */
  static DerivedValue permittedNew(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Check check)) {
      return DerivedValue.FALSE;
    }
    Access access = Access.of(check);
    return ledger
        .keyTable(access.qp().host())
        .holder(access.key())
        .flatMap(holder -> holder.asked)
        .map(asked -> permits(ledger, asked, access))
        .orElse(DerivedValue.FALSE);
  }

  /** {@code mapped}: a DMA goes where the pages of its region are; true during a change (L16). */
  static DerivedValue mapped(Ledger ledger, TraceEvent event) {
    return Dma.of(event)
        .map(
            dma -> {
              KeyTable table = ledger.keyTable(dma.host());
              boolean changes =
                  table.region(dma.mr()).filter(holder -> holder.asked.isPresent()).isPresent();
              return changes
                  ? DerivedValue.TRUE
                  : isMapped(ledger, dma, PinnedMemory.Generation.NOW);
            })
        .orElse(DerivedValue.FALSE);
  }

  private static DerivedValue isMapped(Ledger ledger, Dma dma, PinnedMemory.Generation of) {
    PinnedMemory pins = ledger.keyTable(dma.host()).pins;
    return pins.isMapped(dma.mr(), dma.va(), dma.at(), of)
        ? DerivedValue.TRUE
        : falseIfComplete(ledger, dma.host());
  }

  /** {@code wholeOld}: range, right and pages are those before the change (L48). */
  static DerivedValue wholeOld(Ledger ledger, TraceEvent event) {
    return whole(ledger, event, false);
  }

  /** {@code wholeNew}: range, right and pages are those that the change leads to (L48). */
  static DerivedValue wholeNew(Ledger ledger, TraceEvent event) {
    return whole(ledger, event, true);
  }

  private static DerivedValue whole(Ledger ledger, TraceEvent event, boolean asked) {
    Optional<Dma> found = Dma.of(event);
    if (found.isEmpty()) {
      return DerivedValue.FALSE;
    }
    Dma dma = found.get();
    KeyTable table = ledger.keyTable(dma.host());
    List<KeyTable.Holder> bearers = table.bearers(dma.mr(), dma.key());
    if (bearers.isEmpty()) {
      return DerivedValue.TRUE;
    }
    KeyTable.Holder holder = bearers.get(bearers.size() - 1);
    if (holder.uncertain) {
      return UNCERTAIN_REGISTRATION;
    }
    Optional<Registration> version = asked ? holder.asked : holder.registration;
    if (version.isEmpty()) {
      return asked ? DerivedValue.FALSE : NO_ATTRIBUTES;
    }
    boolean readable =
        version.get().rights().has(Flag.REMOTE_READ)
            || version.get().rights().has(Flag.REMOTE_ATOMIC);
    QueuePairFacts facts = ledger.queuePair(new QueuePairAddress(dma.host(), dma.qp()));
    if (!dma.write() && !readable && !WireValues.isLocalDma(facts, dma.psn())) {
      return DerivedValue.FALSE;
    }
    DerivedValue fits =
        fits(ledger, dma.host(), dma.qp(), version.get(), dma.va(), dma.length(), dma.write());
    return fits.equals(DerivedValue.TRUE)
        ? isMapped(
            ledger,
            dma,
            asked && table.pins.moves(dma.mr())
                ? PinnedMemory.Generation.NEXT
                : PinnedMemory.Generation.NOW)
        : fits;
  }

  // Windows

  /**
   * {@code ends}: a bind takes the instance's key away, by length 0 or by another key; or a
   * re-registration gives its region another one.
   */
  static DerivedValue ends(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    Optional<MemoryKey> key = instance.flatMap(it -> it.values().key());
    if (key.isEmpty()) {
      return DerivedValue.FALSE;
    }
    KeyTable table = ledger.keyTable(event.stamp().actor().host());
    if (event instanceof TraceEvent.BindCall call) {
      return DerivedValue.of(!key.get().equals(call.key()) || call.length() == 0);
    }
    if (event instanceof TraceEvent.BindReturn done) {
      return DerivedValue.of(
          !key.get().equals(done.key())
              || table
                  .window(done.mw(), done.key())
                  .filter(window -> window.unbinding)
                  .isPresent());
    }
    if (event instanceof TraceEvent.ReregReturn done) {
      return DerivedValue.of(
          done.status() == TraceEvent.CallStatus.OK
              && table
                  .region(done.mr())
                  .flatMap(region -> region.registration)
                  .filter(region -> !region.key().equals(done.key()))
                  .filter(region -> region.key().equals(key.get()))
                  .isPresent());
    }
    return DerivedValue.FALSE;
  }

  /** {@code fits}: the bind may succeed (W1, W2). */
  static DerivedValue bindFits(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.BindCall call)) {
      return DerivedValue.FALSE;
    }
    String host = call.stamp().actor().host();
    KeyTable table = ledger.keyTable(host);
    if (table.deadWindows.contains(call.mw())) {
      return DerivedValue.FALSE;
    }
    if (call.length() == 0) {
      return DerivedValue.of(call.type() == 1);
    }
    Optional<KeyTable.Holder> region = table.region(call.mr());
    if (region.isEmpty()) {
      return falseIfComplete(ledger, host);
    }
    if (region.get().uncertain) {
      return UNCERTAIN_REGISTRATION;
    }
    if (region.get().registration.isEmpty()) {
      return NO_ATTRIBUTES;
    }
    Registration granted = region.get().registration.get();
    boolean changes = call.rights().has(Flag.REMOTE_WRITE) || call.rights().has(Flag.REMOTE_ATOMIC);
    boolean free = table.windowsOf(call.mw()).stream().allMatch(window -> window.unbinding);
    if (region.get().calls == 0 && !granted.rights().has(Flag.MW_BIND)
        || !ledger.widths().covers(granted.va(), granted.length(), call.va(), call.length())
        || changes && !granted.rights().has(Flag.LOCAL_WRITE)
        || call.type() == 2 && (call.qp().isEmpty() || !free)) {
      return DerivedValue.FALSE;
    }
    KeyTable.AllocatedWindow window = table.allocated.get(call.mw());
    long pd = granted.pd().orElse(0);
    if (window != null && window.pd() != pd) {
      return DerivedValue.FALSE;
    }
    return call.qp().isEmpty()
        ? DerivedValue.TRUE
        : samePd(ledger, granted, new QueuePairAddress(host, call.qp().get()));
  }

  /** {@code busy}: the deregistration was refused for the time being. */
  static DerivedValue busy(TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.DeregReturn done
            && done.status() == TraceEvent.CallStatus.BUSY);
  }

  /** {@code bound}: a window under the instance's key is bound to the region (D1, D5). */
  static DerivedValue bound(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    if (!(event instanceof TraceEvent.DeregReturn done)) {
      return DerivedValue.FALSE;
    }
    Optional<MemoryKey> key = instance.flatMap(it -> it.values().key());
    boolean uncertain = false;
    for (KeyTable.Holder window :
        ledger.keyTable(event.stamp().actor().host()).windowsOn(done.mr())) {
      if (window.calls == 0 && !window.unbinding && key.map(window.keys::contains).orElse(true)) {
        if (!window.uncertain) {
          return DerivedValue.TRUE;
        }
        uncertain = true;
      }
    }
    return uncertain ? UNCERTAIN_REGISTRATION : DerivedValue.FALSE;
  }

  /** {@code typeOne}: the key is a type 1 window's, which no work request invalidates (W1). */
  static DerivedValue typeOne(Ledger ledger, TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.InvReturn done
            && ledger
                .keyTable(event.stamp().actor().host())
                .holder(done.key())
                .filter(holder -> holder.kind == Registration.Kind.WINDOW_1)
                .isPresent());
  }

  /** {@code orphan}: the key is a window's whose region is gone (S9). */
  static DerivedValue orphan(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.Check check)) {
      return DerivedValue.FALSE;
    }
    String host = event.stamp().actor().host();
    KeyTable table = ledger.keyTable(host);
    Optional<KeyTable.Holder> window =
        table
            .holder(check.key())
            .filter(KeyTable.Holder::isWindow)
            .filter(holder -> table.region(holder.parent.orElse(0)).isEmpty());
    if (window.isEmpty()) {
      return DerivedValue.FALSE;
    }
    return registrationsAreComplete(ledger, host) ? DerivedValue.TRUE : PARTIAL_REGISTRATION;
  }

  /** {@code authorised}: this queue pair may invalidate that key (D17). */
  static DerivedValue authorised(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.InvReturn done) || done.qp().isEmpty()) {
      return DerivedValue.TRUE;
    }
    String host = done.stamp().actor().host();
    Optional<KeyTable.Holder> newest = ledger.keyTable(host).holder(done.key());
    if (newest.isEmpty()) {
      return DerivedValue.TRUE;
    }
    KeyTable.Holder holder = newest.get();
    if (holder.uncertain) {
      return UNCERTAIN_REGISTRATION;
    }
    if (holder.registration.isEmpty()) {
      return NO_ATTRIBUTES;
    }
    Registration registration = holder.registration.get();
    boolean kind =
        holder.isWindow()
            ? holder.kind == Registration.Kind.WINDOW_2 && registration.qp().equals(done.qp())
            : holder.fast;
    return kind
        ? samePd(ledger, registration, new QueuePairAddress(host, done.qp().get()))
        : DerivedValue.FALSE;
  }

  // Lifetimes

  /** {@code pdGone}: the protection domain was deallocated before (S10). */
  static DerivedValue pdGone(Ledger ledger, TraceEvent event) {
    long pd;
    if (event instanceof TraceEvent.Reg e) {
      pd = e.pd();
    } else if (event instanceof TraceEvent.MwAlloc e) {
      pd = e.pd();
    } else if (event instanceof TraceEvent.QpCreate e) {
      pd = e.pd();
    } else {
      return DerivedValue.FALSE;
    }
    return DerivedValue.of(ledger.keyTable(event.stamp().actor().host()).deadDomains.contains(pd));
  }

  /** {@code again}: the object was torn down before (S10). */
  static DerivedValue again(Ledger ledger, TraceEvent event) {
    String host = event.stamp().actor().host();
    if (event instanceof TraceEvent.PdDealloc e) {
      return DerivedValue.of(ledger.keyTable(host).deadDomains.contains(e.pd()));
    }
    if (event instanceof TraceEvent.MwDeallocReturn e) {
      return DerivedValue.of(ledger.keyTable(host).deadWindows.contains(e.mw()));
    }
    return DerivedValue.of(
        event instanceof TraceEvent.QpDestroy e
            && ledger.deadQueuePairs.containsKey(new QueuePairAddress(host, e.qp())));
  }

  /** {@code inUse}: a region, a window or a queue pair of the protection domain is left (S10). */
  static DerivedValue inUse(Ledger ledger, TraceEvent event) {
    if (!(event instanceof TraceEvent.PdDealloc done)) {
      return DerivedValue.FALSE;
    }
    String host = event.stamp().actor().host();
    KeyTable table = ledger.keyTable(host);
    boolean used =
        table.regions().stream()
                .flatMap(holder -> holder.registration.stream())
                .anyMatch(region -> region.pd().equals(OptionalLong.of(done.pd())))
            || table.allocated.values().stream().anyMatch(window -> window.pd() == done.pd())
            || ledger.queuePairsOf(host).stream()
                .anyMatch(facts -> facts.pd.equals(OptionalLong.of(done.pd())));
    if (!used) {
      return DerivedValue.FALSE;
    }
    return table.isLossy() ? UNCERTAIN_REGISTRATION : DerivedValue.TRUE;
  }
}
