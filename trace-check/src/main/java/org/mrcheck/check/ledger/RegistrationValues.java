package org.mrcheck.check.ledger;

import java.util.ArrayList;
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
    }
    return DerivedValue.of(status == TraceEvent.CallStatus.OK);
  }

  /** {@code busy}: the deregistration's status is busy. */
  static DerivedValue busy(TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.DeregReturn e && e.status() == TraceEvent.CallStatus.BUSY);
  }

  /** {@code accepted}: the check's verdict is accept. */
  static DerivedValue accepted(TraceEvent event) {
    return DerivedValue.of(
        event instanceof TraceEvent.Check check
            && check.verdict() == TraceEvent.CheckVerdict.ACCEPT);
  }

  /**
   * {@code current}: the event concerns the newest holder of the instance's key, or nobody holds
   * it. A key may be handed out again before its old deregistration has returned (row K5).
   */
  static DerivedValue current(Ledger ledger, Optional<Instance> instance, TraceEvent event) {
    long mr;
    if (event instanceof TraceEvent.DeregCall e) {
      mr = e.mr();
    } else if (event instanceof TraceEvent.DeregReturn e) {
      mr = e.mr();
    } else {
      return DerivedValue.TRUE;
    }
    Optional<MemoryKey> key = instance.flatMap(it -> it.values().key());
    if (key.isEmpty()) {
      return DerivedValue.FALSE;
    }
    return DerivedValue.of(
        ledger
            .keyTable(event.stamp().actor().host())
            .holder(key.get())
            .map(holder -> holder.kind == Registration.Kind.REGION && holder.number == mr)
            .orElse(true));
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
    Optional<KeyTable.Holder> region = ledger.keyTable(host).region(mr);
    if (region.isEmpty()) {
      return DerivedValue.TRUE;
    }
    DerivedValue answer = null;
    for (KeyTable.Holder bearer : bearers(ledger.keyTable(host), region.get(), key)) {
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
    if (bearer.registration.isEmpty()) {
      return DerivedValue.TRUE;
    }
    Registration registration = bearer.registration.get();
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

  /** The region and the windows on it that have the key. */
  private static List<KeyTable.Holder> bearers(
      KeyTable table, KeyTable.Holder region, MemoryKey key) {
    List<KeyTable.Holder> found = new ArrayList<>(1);
    if (region.keys.contains(key)) {
      found.add(region);
    }
    for (KeyTable.Holder window : table.windowsOn(region.number)) {
      if (window.keys.contains(key)) {
        found.add(window);
      }
    }
    return found;
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
    Optional<KeyTable.Holder> region = ledger.keyTable(host).region(mr);
    if (region.isEmpty()) {
      return DerivedValue.TRUE;
    }
    return DerivedValue.of(!bearers(ledger.keyTable(host), region.get(), key).isEmpty());
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
}
