package org.mrcheck.rnic;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.mrcheck.rnic.Policies.AsyncEvent;
import org.mrcheck.rnic.Policies.CacheFillGuard;
import org.mrcheck.rnic.Policies.CheckOrder;
import org.mrcheck.rnic.Policies.DeregPolicy;
import org.mrcheck.rnic.Policies.DuplicateAtomic;
import org.mrcheck.rnic.Policies.DuplicateRead;
import org.mrcheck.rnic.Policies.HoldsReference;
import org.mrcheck.rnic.Policies.IndexReuse;
import org.mrcheck.rnic.Policies.InvalidateScope;
import org.mrcheck.rnic.Policies.InvalidateWhen;
import org.mrcheck.rnic.Policies.KeyCacheInvalidation;
import org.mrcheck.rnic.Policies.KeyReleasePoint;
import org.mrcheck.rnic.Policies.LocalCheck;
import org.mrcheck.rnic.Policies.NakDelay;
import org.mrcheck.rnic.Policies.NakThenError;
import org.mrcheck.rnic.Policies.Quarantine;
import org.mrcheck.rnic.Policies.QueuePairsOnDereg;
import org.mrcheck.rnic.Policies.ReadCheck;
import org.mrcheck.rnic.Policies.RecheckBy;
import org.mrcheck.rnic.Policies.RecheckDepth;
import org.mrcheck.rnic.Policies.RemoteInvalidateBad;
import org.mrcheck.rnic.Policies.ReregKey;
import org.mrcheck.rnic.Policies.ReregOrder;
import org.mrcheck.rnic.Policies.ResourceVersusKey;
import org.mrcheck.rnic.Policies.SplitTags;
import org.mrcheck.rnic.Policies.TagChooser;
import org.mrcheck.rnic.Policies.TagPolicy;
import org.mrcheck.rnic.Policies.TranslationCacheInvalidation;
import org.mrcheck.rnic.Policies.Umbrella;
import org.mrcheck.rnic.Policies.WindowDereg;
import org.mrcheck.rnic.Policies.WriteCheck;
import org.mrcheck.rnic.Policies.WriteRange;
import org.mrcheck.rnic.Policies.ZeroLengthChecksKey;

/**
 * A class of devices: for every policy the values that such a device may have. A set with several
 * values means that it is not known, or left open. The names and the sets are those of the model's
 * {@code Profiles.tla}; rows are those of the facts. A profile is a claim about a class of devices,
 * not about a product.
 */
public enum Profile {
  /** What the standard and the verbs API leave open. */
  SPEC(
      // K20 (API)
      ReregKey.SAME,
      // D1: IBA 10.6.7.2.6
      WindowDereg.REFUSE,
      // R2
      DuplicateAtomic.SAVED_RESULT,
      // C14: IBA 9.7.5.2.4
      Umbrella.YES,
      // C4: C9-88
      ZeroLengthChecksKey.NO,
      // D17: the intent
      InvalidateScope.KEY_DOMAIN_QUEUE_PAIR,
      // InvBeforeCompletion
      InvalidateWhen.BEFORE_COMPLETION,
      // C1: a check is a whole one
      RecheckDepth.FULL,
      RecheckDepth.NONE,
      // D3 is a defect by any reading
      ReregOrder.REVOKE_FIRST,
      ReregOrder.IN_PLACE,
      // D1 says nothing of accesses in flight
      DeregPolicy.REFCOUNT_RETURN,
      DeregPolicy.DRAIN_WAIT,
      DeregPolicy.DRAIN_TIMEOUT_BUSY,
      DeregPolicy.REFUSE_IF_BUSY,
      // D1: the key is dead after the call
      KeyCacheInvalidation.BEFORE_RETURN,
      // D1, D2
      TranslationCacheInvalidation.BEFORE_RETURN,
      // follows from the two above
      CacheFillGuard.VERSION,
      CacheFillGuard.BLOCKED),

  /** The values that a device needs to keep every contract: {@link Policies#strict}. */
  STRICT(Policies.strict().values().toArray(Policies.Value[]::new)),

  /** Linux Soft-RoCE. */
  RXE(
      // D5: old; new warns
      DeregPolicy.REFCOUNT_RETURN,
      DeregPolicy.DRAIN_TIMEOUT_BUSY,
      // D5
      QueuePairsOnDereg.UNTOUCHED,
      // C6: looked up for each packet
      HoldsReference.NO,
      // no cache: table in memory (RXE-MR)
      KeyCacheInvalidation.BEFORE_RETURN,
      TranslationCacheInvalidation.BEFORE_RETURN,
      // no cache, nothing to fill
      CacheFillGuard.VERSION,
      // C6
      WriteCheck.PER_PACKET,
      // C6
      WriteRange.WHOLE_MESSAGE_UP_FRONT,
      // R6
      ReadCheck.PER_RESPONSE_PACKET,
      // C6: stored rkey
      RecheckBy.KEY_VALUE,
      // C6 for WRITE, R3 and R6 for READ
      RecheckDepth.FULL,
      RecheckDepth.LITE,
      // R3
      DuplicateRead.LITE_RECHECK,
      // R2, R5
      DuplicateAtomic.SAVED_RESULT,
      // K9
      IndexReuse.CYCLIC,
      // K9: first; rebind
      TagPolicy.RANDOM_ANY,
      TagPolicy.RANDOM_NOT_LAST,
      // K9
      Quarantine.NONE,
      // D5
      KeyReleasePoint.AT_RETURN,
      // K9
      TagChooser.DRIVER,
      // K16
      SplitTags.NO,
      // C13
      CheckOrder.COMBINED,
      // C12
      ResourceVersusKey.RESOURCE_FIRST,
      // E1, C14
      Umbrella.YES,
      // E7
      NakThenError.NAK_FIRST,
      // E7: in the same task
      NakDelay.NONE,
      // E6
      AsyncEvent.NOT_RAISED,
      // C20
      LocalCheck.PER_PACKET,
      // D17
      InvalidateScope.KEY_ONLY,
      // E9
      RemoteInvalidateBad.ERROR_WITHOUT_NAK,
      // D5
      WindowDereg.REFUSE,
      // K20
      ReregKey.SAME,
      // R3: rereg in mid-READ is a known gap
      ReregOrder.IN_PLACE,
      // C4
      ZeroLengthChecksKey.NO),

  /** Linux software iWARP. */
  SIW(
      // D6
      DeregPolicy.REFCOUNT_RETURN,
      // D6
      QueuePairsOnDereg.UNTOUCHED,
      // C8: from the first segment
      HoldsReference.YES,
      // no cache: index in memory (SIW-MEM)
      KeyCacheInvalidation.BEFORE_RETURN,
      TranslationCacheInvalidation.BEFORE_RETURN,
      // no cache, nothing to fill
      CacheFillGuard.VERSION,
      // C8
      WriteCheck.PER_FRAGMENT,
      // C8: bounds on each fragment
      WriteRange.PER_PACKET,
      // R6
      ReadCheck.ON_RESPONSE_START,
      // C8: a reference is held
      RecheckBy.IDENTITY,
      // C8
      RecheckDepth.FULL,
      // TCP below: there is none
      DuplicateRead.DROP,
      // no atomics, no duplicates
      DuplicateAtomic.SAVED_RESULT,
      // K11
      IndexReuse.CYCLIC,
      // K11
      TagPolicy.CONSTANT0,
      // K11
      Quarantine.NONE,
      // D6: erased from the index, then return
      KeyReleasePoint.BEFORE_DEREG_RETURN,
      // K11: 0 until the consumer changes it
      TagChooser.DRIVER,
      TagChooser.CONSUMER,
      // K11, K16
      SplitTags.NO,
      // C13: valid, PD, permission, bounds
      CheckOrder.DOMAIN_FIRST,
      // C15
      Umbrella.NO,
      // E6
      AsyncEvent.RAISED,
      // C20
      LocalCheck.PER_WORK_REQUEST,
      // D17
      InvalidateScope.DOMAIN_ONLY,
      // E9, C15
      RemoteInvalidateBad.TERMINATE,
      // C18, C4
      ZeroLengthChecksKey.NO),

  /** The hfi1 and qib drivers. */
  RDMAVT(
      // D4
      DeregPolicy.DRAIN_TIMEOUT_BUSY,
      // D4
      QueuePairsOnDereg.PUT_IN_ERROR,
      // C7, R6
      HoldsReference.YES,
      // no cache: RCU table (RVT-MR)
      KeyCacheInvalidation.BEFORE_RETURN,
      TranslationCacheInvalidation.BEFORE_RETURN,
      // no cache, nothing to fill
      CacheFillGuard.VERSION,
      // C7
      WriteCheck.PER_MESSAGE_FIRST,
      // R6: a reference from the request on
      ReadCheck.ON_REQUEST,
      // C7: saved context
      RecheckBy.IDENTITY,
      // C7
      RecheckDepth.NONE,
      // K3: next free, round robin
      IndexReuse.CYCLIC,
      // K3
      TagPolicy.WIDE_GENERATION,
      // K3
      Quarantine.NONE,
      // D4: unpublished before the wait
      KeyReleasePoint.BEFORE_DEREG_RETURN,
      // K3
      TagChooser.DRIVER,
      // K16
      SplitTags.NO,
      // C14
      Umbrella.YES),

  /** ConnectX with the mlx5 driver. */
  MLX5LIKE(
      // D2
      DeregPolicy.DRAIN_WAIT,
      // E14: the error comes with an access
      QueuePairsOnDereg.UNTOUCHED,
      // C9
      WriteRange.PER_PACKET,
      // D2: revoke is a fence
      KeyCacheInvalidation.BEFORE_RETURN,
      // D2
      TranslationCacheInvalidation.BEFORE_RETURN,
      // K5
      IndexReuse.LIFO,
      // K5; cache miss; K4
      TagPolicy.KEEP,
      TagPolicy.CONSTANT0,
      TagPolicy.GLOBAL_SEQUENCE,
      // K5
      Quarantine.NONE,
      // K5
      KeyReleasePoint.BEFORE_DEREG_RETURN,
      // K4
      TagChooser.DRIVER,
      // K16
      SplitTags.NO,
      // C10
      Umbrella.YES,
      // E15
      NakDelay.ANY,
      // C19
      LocalCheck.LAZY_LENGTH,
      // D3: new; old
      ReregOrder.REVOKE_FIRST,
      ReregOrder.UNPIN_FIRST,
      // K20
      ReregKey.SAME),

  /** hns, of which only the making of keys was read. */
  HNSLIKE(
      // K6
      IndexReuse.LOWEST_FREE,
      // K6
      TagPolicy.CONSTANT0,
      // K6: reissued to the next
      Quarantine.NONE,
      // K6
      TagChooser.DRIVER,
      // K16
      SplitTags.NO,
      // C14
      Umbrella.YES),

  /** blue-rdma, an open FPGA RNIC. */
  BLUELIKE(
      // C7
      WriteCheck.PER_MESSAGE_FIRST,
      // C7: saved context
      RecheckBy.IDENTITY,
      // C7
      RecheckDepth.NONE,
      // R4
      DuplicateRead.SAVED_REQUEST_ONLY,
      // R2, R5
      DuplicateAtomic.SAVED_RESULT,
      // K15
      SplitTags.YES,
      // C13, K15
      CheckOrder.DOMAIN_FIRST,
      // C12
      ResourceVersusKey.RESOURCE_FIRST,
      // C14
      Umbrella.YES),

  /** HPE CXI, of which only the making of keys is documented. */
  CXILIKE(
      // K13
      TagPolicy.WIDE_GENERATION,
      // K13: the provider
      TagChooser.DRIVER),

  /** UCX on mlx5: a quarantine of keys in user space. */
  UCXLIKE(
      MLX5LIKE,
      // K14
      Quarantine.LAST_KEYS,
      // K14
      KeyReleasePoint.AFTER_QUARANTINE,
      // K14, D20: firmware reuses indices
      TagPolicy.KEEP,
      TagPolicy.GLOBAL_SEQUENCE);

  private final Map<String, Set<Policies.Value>> values;

  /** A profile that is known in these values only; every other policy is unknown. */
  Profile(Policies.Value... known) {
    this(unknown(), known);
  }

  /** A profile that differs from another in these values. */
  Profile(Profile base, Policies.Value... known) {
    this(base.values, known);
  }

  Profile(Map<String, Set<Policies.Value>> base, Policies.Value... known) {
    Map<String, Set<Policies.Value>> all = new LinkedHashMap<>(base);
    Stream.of(known).map(Policies.Value::policy).distinct().forEach(all::remove);
    for (Policies.Value value : known) {
      all.computeIfAbsent(value.policy(), policy -> new LinkedHashSet<>()).add(value);
    }
    Map<String, Set<Policies.Value>> ordered = new LinkedHashMap<>();
    for (String policy : Policies.domain().keySet()) {
      ordered.put(policy, Collections.unmodifiableSet(all.get(policy)));
    }
    values = Collections.unmodifiableMap(ordered);
  }

  private static Map<String, Set<Policies.Value>> unknown() {
    Map<String, Set<Policies.Value>> all = new LinkedHashMap<>();
    Policies.domain().forEach((policy, domain) -> all.put(policy, new LinkedHashSet<>(domain)));
    return all;
  }

  /** The name, as the model and the command line write it. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The profile of that name; empty if there is none. */
  public static Optional<Profile> named(String text) {
    return Stream.of(values()).filter(profile -> profile.text().equals(text)).findFirst();
  }

  /** The values of every policy, by the policy's name, in the model's order; no set is empty. */
  public Map<String, Set<Policies.Value>> possible() {
    return values;
  }

  /** Whether a device with these policies is one of this class. */
  public boolean includes(Policies policies) {
    return policies.values().stream().allMatch(value -> values.get(value.policy()).contains(value));
  }

  /**
   * The policies of one device of this class. What is unknown is drawn, every value with the same
   * chance; what was drawn follows from the seed alone.
   */
  public Policies draw(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    Policies drawn = Policies.strict();
    for (Set<Policies.Value> set : values.values()) {
      List<Policies.Value> list = List.copyOf(set);
      // One draw a policy, so that a policy that becomes known leaves the others as they were.
      drawn = drawn.with(list.get(random.nextInt(840) % list.size()));
    }
    return drawn;
  }
}
