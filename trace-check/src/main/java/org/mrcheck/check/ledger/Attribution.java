package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.AccessFlags.Flag;
import org.mrcheck.lang.trace.EventClass;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Stamp;

/**
 * What is wrong with an access to memory: every cause that the facts recorded so far show, the
 * deciding ones first. Without a cause the access is permitted, and a refusal of it is not
 * explained.
 *
 * @param causes in the order key, state, queue pair, protection domain, right, range (row C13)
 */
public record Attribution(List<Cause> causes) {

  /** One thing that is wrong. */
  public sealed interface Cause {
    /** For people, a clause without a final stop. */
    String describe();

    /** What sort of cause it is, a few words without numbers; for counting. */
    String kind();
  }

  /** The index is somebody's, the tag is not (row K1). */
  public record WrongTag(MemoryKey presented, MemoryKey live, Registration registration)
      implements Cause {
    @Override
    public String kind() {
      return "wrong tag";
    }

    @Override
    public String describe() {
      return "wrong tag: 0x%02x presented, index %d is live with tag 0x%02x (%s)"
          .formatted(presented.tag(), live.index(), live.tag(), registration.title());
    }
  }

  /** The range runs past the registration's end. */
  public record PastTheEnd(long bytes, long end, long rangeEnd, Registration registration)
      implements Cause {
    @Override
    public String kind() {
      return "past the end";
    }

    @Override
    public String describe() {
      return "past the end by %s bytes: range ends at 0x%s, %s at 0x%s"
          .formatted(
              Long.toUnsignedString(bytes),
              Long.toHexString(rangeEnd),
              registration.title(),
              Long.toHexString(end));
    }
  }

  /** The range begins before the registration does. */
  public record BelowTheBase(long bytes, long va, Registration registration) implements Cause {
    @Override
    public String kind() {
      return "below the base";
    }

    @Override
    public String describe() {
      return "below the base by %s bytes: range begins at 0x%s, %s at 0x%s"
          .formatted(
              Long.toUnsignedString(bytes),
              Long.toHexString(va),
              registration.title(),
              Long.toHexString(registration.va()));
    }
  }

  /** The range runs over the end of the address space (row C17). */
  public record WrapsAround(long va, long length) implements Cause {
    @Override
    public String kind() {
      return "wraps around";
    }

    @Override
    public String describe() {
      return "0x%s + %s runs over the end of the address space"
          .formatted(Long.toHexString(va), Long.toUnsignedString(length));
    }
  }

  /** The registration does not grant the right. */
  public record MissingRight(Flag right, Registration registration) implements Cause {
    @Override
    public String kind() {
      return "missing right " + right.text();
    }

    @Override
    public String describe() {
      return "missing right %s: %s has %s"
          .formatted(right.text(), registration.title(), registration.rights());
    }
  }

  /** The region has no remote key, or another; the key is its lkey. */
  public record NoRemoteKey(MemoryKey key, Registration registration) implements Cause {
    @Override
    public String kind() {
      return "no remote key";
    }

    @Override
    public String describe() {
      return registration.key().equals(MemoryKey.NONE)
          ? "no remote key: %s is the lkey of local-only %s".formatted(key, registration.title())
          : "not the remote key: %s is the lkey of %s, whose rkey is %s"
              .formatted(key, registration.title(), registration.key());
    }
  }

  /** The key's registration has ended. */
  public record StaleKey(MemoryKey key, String registration, String ending, Stamp ended)
      implements Cause {
    @Override
    public String kind() {
      return "stale key";
    }

    @Override
    public String describe() {
      return "stale key: %s was %s at event %d".formatted(registration, ending, ended.seq());
    }
  }

  /** Deregistration or invalidation was called and has not returned: either verdict is right. */
  public record BeingTakenAway(Registration registration, Stamp called) implements Cause {
    @Override
    public String kind() {
      return "being taken away";
    }

    @Override
    public String describe() {
      return "%s is being taken away: called at event %d, not yet returned"
          .formatted(registration.title(), called.seq());
    }
  }

  /** The registration is in another protection domain than the queue pair. */
  public record OtherProtectionDomain(long queuePairPd, Registration registration)
      implements Cause {
    @Override
    public String kind() {
      return "other protection domain";
    }

    @Override
    public String describe() {
      return "other protection domain: queue pair in pd %d, %s in pd %d"
          .formatted(queuePairPd, registration.title(), registration.pd().orElse(0));
    }
  }

  /** A type 2 window of another queue pair (row W1). */
  public record OtherQueuePair(String queuePair, Registration registration) implements Cause {
    @Override
    public String kind() {
      return "window of another queue pair";
    }

    @Override
    public String describe() {
      return "window of another queue pair: %s belongs to %s, not to %s"
          .formatted(
              registration.title(), registration.qp().map(Object::toString).orElse("?"), queuePair);
    }
  }

  /** Nobody on the host ever had the key in this recording. */
  public record NeverRegistered(MemoryKey key, boolean complete) implements Cause {
    @Override
    public String kind() {
      return "never registered";
    }

    @Override
    public String describe() {
      return complete
          ? key + " was never registered in this recording"
          : key + " was not registered in this recording, which may have missed it";
    }
  }

  /** Whether every fact that was checked is in order. */
  public boolean isUnexplained() {
    return causes.isEmpty();
  }

  /** For people: the causes joined by semicolons. */
  public String describe() {
    return causes.isEmpty()
        ? "nothing wrong is known of the key, the right and the range"
        : String.join("; ", causes.stream().map(Cause::describe).toList());
  }

  static Attribution of(Ledger ledger, String host, QueuePairFacts queuePair, PacketAccess packet) {
    KeyTable table = ledger.keyTable(host);
    RegistrationValues.Access access =
        RegistrationValues.Access.of(ledger, host, queuePair.address.id(), packet);
    Optional<KeyTable.Holder> holder = table.holder(packet.key());
    if (holder.isEmpty() || holder.get().registration.isEmpty()) {
      return new Attribution(List.of(unheld(ledger, host, table, packet.key())));
    }
    return new Attribution(held(ledger, queuePair, holder.get(), access));
  }

  private static Cause unheld(Ledger ledger, String host, KeyTable table, MemoryKey key) {
    Optional<KeyTable.Ended> ended = table.ended(key);
    if (ended.isPresent()) {
      return new StaleKey(
          key, ended.get().title(), ended.get().ending().text(), ended.get().stamp());
    }
    for (MemoryKey live : table.liveKeys()) {
      Optional<Registration> sibling = table.holder(live).flatMap(other -> other.registration);
      if (live.index() == key.index() && sibling.isPresent()) {
        return new WrongTag(key, live, sibling.get());
      }
    }
    return new NeverRegistered(key, ledger.isComplete(EventClass.REGISTRATION, host));
  }

  private static List<Cause> held(
      Ledger ledger,
      QueuePairFacts queuePair,
      KeyTable.Holder holder,
      RegistrationValues.Access access) {
    Registration registration = holder.registration.orElseThrow();
    List<Cause> causes = new ArrayList<>();
    if (!RegistrationValues.namesIt(registration, access)) {
      causes.add(new NoRemoteKey(access.key(), registration));
    }
    holder.ending.ifPresent(called -> causes.add(new BeingTakenAway(registration, called)));
    if (!RegistrationValues.belongsTo(registration, access.qp().id())) {
      causes.add(new OtherQueuePair(access.qp().id().toString(), registration));
    }
    if (queuePair.pd.isPresent()
        && registration.pd().isPresent()
        && queuePair.pd.getAsLong() != registration.pd().getAsLong()) {
      causes.add(new OtherProtectionDomain(queuePair.pd.getAsLong(), registration));
    }
    AccessFlags rights = registration.rights();
    RegistrationValues.rightFor(access.kind())
        .filter(right -> !rights.has(right))
        .ifPresent(right -> causes.add(new MissingRight(right, registration)));
    causes.addAll(outside(ledger.widths(), registration, access));
    return causes;
  }

  /** Devices may judge the whole message at its first packet (row C6), so all of it counts here. */
  private static List<Cause> outside(
      NumberWidths widths, Registration registration, RegistrationValues.Access access) {
    long va = access.va();
    long length = access.remaining();
    if (length == 0) {
      return List.of();
    }
    if (access.wrapped() || widths.wraps(va, length)) {
      return List.of(new WrapsAround(va, length));
    }
    List<Cause> causes = new ArrayList<>(1);
    if (Long.compareUnsigned(va, registration.va()) < 0) {
      causes.add(new BelowTheBase(registration.va() - va, va, registration));
    }
    // Last bytes, not ends: an end may be 2^64, which a long cannot hold.
    long last = va + (length - 1);
    long lastAllowed = registration.va() + (registration.length() - 1);
    if (registration.length() == 0
        ? Long.compareUnsigned(last, registration.va()) >= 0
        : Long.compareUnsigned(last, lastAllowed) > 0) {
      causes.add(
          new PastTheEnd(
              last - lastAllowed,
              registration.va() + registration.length(),
              va + length,
              registration));
    }
    return causes;
  }
}
