package org.mrcheck.rnic;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * What devices do differently where the standard leaves them free, or where they depart from it:
 * one value a policy. Names and values are those of the machine model. Rows are those of the facts.
 * Immutable.
 */
public final class Policies {
  /** A value of a policy: a constant of one of the enumerations below. */
  public sealed interface Value
      permits DeregPolicy,
          QueuePairsOnDereg,
          HoldsReference,
          KeyCacheInvalidation,
          TranslationCacheInvalidation,
          CacheFillGuard,
          WriteCheck,
          WriteRange,
          ReadCheck,
          RecheckBy,
          RecheckDepth,
          DuplicateRead,
          DuplicateAtomic,
          IndexReuse,
          TagPolicy,
          Quarantine,
          KeyReleasePoint,
          TagChooser,
          SplitTags,
          CheckOrder,
          ResourceVersusKey,
          Umbrella,
          NakThenError,
          NakDelay,
          AsyncEvent,
          LocalCheck,
          InvalidateScope,
          InvalidateWhen,
          RemoteInvalidateBad,
          WindowDereg,
          ReregOrder,
          ReregKey,
          FlushOnDisconnect,
          ZeroLengthChecksKey {
    /** The constant's name. */
    String name();

    /** The policy it is a value of, as the model writes it. */
    default String policy() {
      return ((Enum<?>) this).getDeclaringClass().getSimpleName();
    }

    /** The value as the model writes it. */
    default String text() {
      StringBuilder text = new StringBuilder();
      for (String word : name().split("_")) {
        text.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
      }
      return text.toString();
    }
  }

  /** What deregistration waits for (rows D1 to D9). */
  public enum DeregPolicy implements Value {
    NO_FENCE,
    REFCOUNT_RETURN,
    DRAIN_WAIT,
    DRAIN_TIMEOUT_BUSY,
    REFUSE_IF_BUSY,
    LAZY
  }

  /** What deregistration does to queue pairs that use the region (row D4). */
  public enum QueuePairsOnDereg implements Value {
    UNTOUCHED,
    PUT_IN_ERROR
  }

  /** Whether an accepted message pins its registration until it ends (section 2, HoldsRef). */
  public enum HoldsReference implements Value {
    YES,
    NO
  }

  /** When an entry of the key cache goes after its key became invalid (row D7). */
  public enum KeyCacheInvalidation implements Value {
    BEFORE_RETURN,
    AFTER_RETURN,
    ON_NEXT_MISS,
    BATCHED
  }

  /** When an entry of the translation cache goes after its key became invalid (row D7). */
  public enum TranslationCacheInvalidation implements Value {
    BEFORE_RETURN,
    AFTER_RETURN,
    ON_NEXT_MISS,
    BATCHED
  }

  /** What keeps a fill from installing an entry that was invalidated meanwhile (L46). */
  public enum CacheFillGuard implements Value {
    NONE,
    VERSION,
    BLOCKED
  }

  /** How often the key of a WRITE is checked (rows C6 to C8). */
  public enum WriteCheck implements Value {
    PER_MESSAGE_FIRST,
    PER_PACKET,
    PER_FRAGMENT
  }

  /** What a packet of a WRITE must lie inside the region with (rows C6, C9). */
  public enum WriteRange implements Value {
    WHOLE_MESSAGE_UP_FRONT,
    PER_PACKET
  }

  /** When the key of a READ is checked (row R6). */
  public enum ReadCheck implements Value {
    ON_REQUEST,
    ON_RESPONSE_START,
    PER_RESPONSE_PACKET
  }

  /**
   * What a later packet of a message must find again: the registration, or any with its key (L31).
   */
  public enum RecheckBy implements Value {
    IDENTITY,
    KEY_VALUE
  }

  /** How much a check in mid-message or at replay looks at (rows R3, R6). */
  public enum RecheckDepth implements Value {
    FULL,
    LITE,
    NONE
  }

  /** What a repeated READ request does (rows R3, R4, R7). */
  public enum DuplicateRead implements Value {
    FULL_RECHECK,
    LITE_RECHECK,
    SAVED_REQUEST_ONLY,
    DROP
  }

  /** What a repeated atomic request does (rows R2, R5). */
  public enum DuplicateAtomic implements Value {
    SAVED_RESULT,
    RECHECK
  }

  /** Which free index a registration gets (rows K3 to K12). */
  public enum IndexReuse implements Value {
    LOWEST_FREE,
    LIFO,
    FIFO,
    CYCLIC,
    RANDOM
  }

  /** Which tag a registration gets (rows K1 to K13). */
  public enum TagPolicy implements Value {
    CONSTANT0,
    KEEP,
    GLOBAL_SEQUENCE,
    PER_INDEX_INCREMENT,
    RANDOM_ANY,
    RANDOM_NOT_LAST,
    WIDE_GENERATION
  }

  /** How long a freed key is kept back (row K14, L13, L15). */
  public enum Quarantine implements Value {
    NONE,
    LAST_KEYS,
    UNTIL_NO_OUTSTANDING_REFERENCE,
    UNTIL_EPOCH
  }

  /** When a key becomes free for another registration (row K5). */
  public enum KeyReleasePoint implements Value {
    BEFORE_DEREG_RETURN,
    AT_RETURN,
    AFTER_QUARANTINE
  }

  /** Who chooses the tag (rows K1, K4). */
  public enum TagChooser implements Value {
    DRIVER,
    DEVICE,
    CONSUMER
  }

  /** Whether lkey and rkey have tags of their own (row K15). */
  public enum SplitTags implements Value {
    NO,
    YES
  }

  /** In which order one table entry is compared (row C13). */
  public enum CheckOrder implements Value {
    COMBINED,
    DOMAIN_FIRST,
    RIGHT_FIRST,
    RANGE_FIRST
  }

  /** Whether a missing receive request or a wrong key is found first (row C12). */
  public enum ResourceVersusKey implements Value {
    RESOURCE_FIRST,
    KEY_FIRST
  }

  /** Whether one status stands for every cause of a refused key (rows C14, C15). */
  public enum Umbrella implements Value {
    YES,
    NO
  }

  /** Order of the NAK and the state ERR at the responder (row E7). */
  public enum NakThenError implements Value {
    NAK_FIRST,
    ERROR_FIRST,
    CONCURRENT
  }

  /** Whether the responder is silent for a while before its NAK (row E15). */
  public enum NakDelay implements Value {
    NONE,
    ANY
  }

  /** Whether the responder raises an asynchronous event with its NAK (row E6). */
  public enum AsyncEvent implements Value {
    RAISED,
    NOT_RAISED
  }

  /** How the requester checks its local keys (rows C18 to C20). */
  public enum LocalCheck implements Value {
    PER_WORK_REQUEST,
    PER_PACKET,
    LAZY_LENGTH
  }

  /** Which registrations a peer may invalidate (row D17). */
  public enum InvalidateScope implements Value {
    KEY_DOMAIN_QUEUE_PAIR,
    DOMAIN_ONLY,
    KEY_ONLY
  }

  /** Whether a remote invalidate precedes the receive completion that reports it. */
  public enum InvalidateWhen implements Value {
    BEFORE_COMPLETION,
    AFTER_COMPLETION
  }

  /** What a remote invalidate of a wrong key does (row E9). */
  public enum RemoteInvalidateBad implements Value {
    ERROR_WITHOUT_NAK,
    TERMINATE
  }

  /** What deregistering a region with bound windows does (rows D1, D5). */
  public enum WindowDereg implements Value {
    REFUSE,
    CASCADE
  }

  /** How re-registration replaces attributes (row D3). */
  public enum ReregOrder implements Value {
    REVOKE_FIRST,
    IN_PLACE,
    UNPIN_FIRST
  }

  /** Whether re-registration keeps the key (row K20). */
  public enum ReregKey implements Value {
    SAME,
    NEW
  }

  /** Whether a fast registration that is flushed took effect (row D16). */
  public enum FlushOnDisconnect implements Value {
    APPLIED,
    NOT_APPLIED
  }

  /** Whether an access of no bytes needs a key (row C4). */
  public enum ZeroLengthChecksKey implements Value {
    NO,
    YES
  }

  private static final Policies STRICT = new Policies(strictValues());

  private final Map<Class<?>, Value> values;

  private Policies(Map<Class<?>, Value> values) {
    this.values = Collections.unmodifiableMap(values);
  }

  /** The values that a device needs to keep every contract. */
  public static Policies strict() {
    return STRICT;
  }

  private static Map<Class<?>, Value> strictValues() {
    Map<Class<?>, Value> strict = new LinkedHashMap<>();
    for (Value value :
        List.<Value>of(
            DeregPolicy.DRAIN_WAIT,
            QueuePairsOnDereg.UNTOUCHED,
            HoldsReference.YES,
            KeyCacheInvalidation.BEFORE_RETURN,
            TranslationCacheInvalidation.BEFORE_RETURN,
            CacheFillGuard.VERSION,
            WriteCheck.PER_PACKET,
            WriteRange.PER_PACKET,
            ReadCheck.PER_RESPONSE_PACKET,
            RecheckBy.IDENTITY,
            RecheckDepth.FULL,
            DuplicateRead.FULL_RECHECK,
            DuplicateAtomic.SAVED_RESULT,
            IndexReuse.FIFO,
            TagPolicy.PER_INDEX_INCREMENT,
            Quarantine.UNTIL_NO_OUTSTANDING_REFERENCE,
            KeyReleasePoint.AFTER_QUARANTINE,
            TagChooser.DRIVER,
            SplitTags.NO,
            CheckOrder.COMBINED,
            ResourceVersusKey.KEY_FIRST,
            Umbrella.YES,
            NakThenError.NAK_FIRST,
            NakDelay.NONE,
            AsyncEvent.RAISED,
            LocalCheck.PER_WORK_REQUEST,
            InvalidateScope.KEY_DOMAIN_QUEUE_PAIR,
            InvalidateWhen.BEFORE_COMPLETION,
            RemoteInvalidateBad.ERROR_WITHOUT_NAK,
            WindowDereg.REFUSE,
            ReregOrder.REVOKE_FIRST,
            ReregKey.SAME,
            FlushOnDisconnect.NOT_APPLIED,
            ZeroLengthChecksKey.NO)) {
      strict.put(((Enum<?>) value).getDeclaringClass(), value);
    }
    return strict;
  }

  /** The value of that policy. */
  public <V extends Enum<V> & Value> V get(Class<V> policy) {
    return policy.cast(values.get(policy));
  }

  /** These policies with another value of one of them. */
  public Policies with(Value value) {
    Map<Class<?>, Value> changed = new LinkedHashMap<>(values);
    changed.put(((Enum<?>) value).getDeclaringClass(), value);
    return new Policies(changed);
  }

  /**
   * These policies with another value of one of them, both by the model's names.
   *
   * @throws IllegalArgumentException if there is no such policy or value; the message lists what
   *     there is
   */
  public Policies with(String policy, String value) {
    List<Value> known = domain().get(policy);
    if (known == null) {
      throw new IllegalArgumentException(
          "policy=" + policy + " is none of " + String.join(", ", domain().keySet()));
    }
    for (Value candidate : known) {
      if (candidate.text().equals(value)) {
        return with(candidate);
      }
    }
    throw new IllegalArgumentException(
        policy
            + "="
            + value
            + " is none of "
            + String.join(", ", known.stream().map(Value::text).toList()));
  }

  /** Every policy by the model's name, with all its values, in the model's order. */
  public static Map<String, List<Value>> domain() {
    Map<String, List<Value>> domain = new LinkedHashMap<>();
    for (Class<?> policy : STRICT.values.keySet()) {
      List<Value> all = new ArrayList<>();
      Arrays.stream(policy.getEnumConstants()).forEach(value -> all.add((Value) value));
      domain.put(policy.getSimpleName(), List.copyOf(all));
    }
    return Collections.unmodifiableMap(domain);
  }

  /** The values, in the model's order. */
  public List<Value> values() {
    return List.copyOf(values.values());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Policies that && values.equals(that.values);
  }

  @Override
  public int hashCode() {
    return Objects.hash(values);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    for (Value value : values.values()) {
      text.append(text.length() == 0 ? "" : " ")
          .append(value.policy())
          .append('=')
          .append(value.text());
    }
    return text.toString();
  }
}
