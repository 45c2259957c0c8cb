package org.mrcheck.rnic;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.rnic.Policies.IndexReuse;
import org.mrcheck.rnic.Policies.Quarantine;
import org.mrcheck.rnic.Policies.TagChooser;
import org.mrcheck.rnic.Policies.TagPolicy;

/**
 * Which index and which tag the next key gets: the policies IndexReuse, TagPolicy, TagChooser and
 * Quarantine. Safe for several threads: one monitor, held for a few steps and never while waiting.
 * It is an object of its own so that what registration writes shares no cache line with what checks
 * read.
 *
 * <p>A key is 32 bits: 24 of index and 8 of tag (row K1). Under WideGeneration the table takes only
 * as many of the 24 as it needs, and all the rest is a generation from one counter (rows K3, K13).
 */
final class KeyAllocator {
  /** Keys that LastKeys keeps back (row K14). */
  private static final int LAST_KEYS = 16;

  /** How long UntilEpoch keeps a key back. */
  private static final long EPOCH_NANOS = 5_000_000;

  private static final int TAGS = 256;

  /** An index that was given back, and when. */
  private record Freed(int index, long nanos) {}

  private final Scheduler scheduler;
  private final IndexReuse reuse;
  private final TagPolicy tagPolicy;
  private final Quarantine quarantine;
  private final boolean consumerTags;
  private final boolean resetsSequence;
  private final int capacity;
  private final int indexBits;
  private final SplittableRandom random;

  // Guarded by this.
  private final BitSet free;
  private final ArrayDeque<Integer> order = new ArrayDeque<>();
  private final int[] lastTag;
  private int cursor = 1;
  private long sequence;
  private long lastNumber;
  private final ArrayDeque<MemoryKey> lastKeys = new ArrayDeque<>();
  private final ArrayDeque<Freed> waiting = new ArrayDeque<>();

  /** Ended lives that still have messages, by index. */
  private final List<List<KeyEntry>> retired;

  KeyAllocator(RnicConfig config) {
    Policies policies = config.policies();
    long seed = config.seed();
    scheduler = config.scheduler();
    capacity = config.keyTableCapacity();
    resetsSequence = config.defects().contains(Defect.SEQUENCE_RESET_ON_UNMAP);
    reuse = policies.get(IndexReuse.class);
    tagPolicy = policies.get(TagPolicy.class);
    quarantine = policies.get(Quarantine.class);
    consumerTags = policies.get(TagChooser.class) == TagChooser.CONSUMER;
    random = new SplittableRandom(seed);
    indexBits = 32 - Integer.numberOfLeadingZeros(capacity - 1);
    lastTag = new int[capacity];
    free = new BitSet(capacity);
    retired = new ArrayList<>(capacity);
    for (int index = 0; index < capacity; index++) {
      retired.add(List.of());
      lastTag[index] = tagPolicy == TagPolicy.KEEP ? 0 : (int) (mix(seed + index) & 0xff);
      if (index > 0) {
        // Never index 0, so that no key is 0 (row K19).
        free.set(index);
        order.add(index);
      }
    }
  }

  /** Where in the table a key is, or something outside the table. */
  int index(MemoryKey key) {
    return tagPolicy == TagPolicy.WIDE_GENERATION
        ? key.index() & (1 << indexBits) - 1
        : key.index();
  }

  /** A new registration's number. */
  synchronized long nextNumber() {
    return ++lastNumber;
  }

  /** The number of the newest registration. */
  synchronized long lastNumber() {
    return lastNumber;
  }

  /**
   * A key for a new registration or window.
   *
   * @throws IllegalStateException if every index is taken or kept back (L15)
   */
  synchronized MemoryKey take() {
    long now = scheduler.nanoTime();
    while (!waiting.isEmpty() && now - waiting.peek().nanos() >= EPOCH_NANOS) {
      putBack(waiting.remove().index());
    }
    List<Integer> passedOver = new ArrayList<>();
    try {
      while (true) {
        int index = next();
        if (index < 0) {
          throw new IllegalStateException(
              "key table full: capacity="
                  + capacity
                  + (passedOver.isEmpty() && waiting.isEmpty()
                      ? ""
                      : " kept back=" + (passedOver.size() + waiting.size())));
        }
        MemoryKey key = newKey(index);
        if (key != null) {
          return key;
        }
        passedOver.add(index);
      }
    } finally {
      passedOver.forEach(this::putBack);
    }
  }

  /** Another key at an index that its caller has, for a window or a changed key. */
  synchronized MemoryKey renew(MemoryKey old) {
    MemoryKey key = newKey(index(old));
    return key == null ? old : key;
  }

  /**
   * An index is free again.
   *
   * @param last the entry that had it, whose messages may be under way still; null if none had
   */
  synchronized void giveBack(MemoryKey key, KeyEntry last) {
    int index = index(key);
    if (resetsSequence) {
      lastTag[index] = key.tag() - 1 & 0xff;
    }
    if (quarantine == Quarantine.LAST_KEYS) {
      lastKeys.add(key);
      if (lastKeys.size() > LAST_KEYS) {
        lastKeys.remove();
      }
    }
    if (last != null && last.registration().hasOpenMessages()) {
      List<KeyEntry> longer = new ArrayList<>(retired.get(index));
      longer.add(last);
      retired.set(index, longer);
    }
    if (quarantine == Quarantine.UNTIL_EPOCH) {
      waiting.add(new Freed(index, scheduler.nanoTime()));
    } else {
      putBack(index);
    }
  }

  private void putBack(int index) {
    free.set(index);
    if (reuse == IndexReuse.LIFO) {
      order.addFirst(index);
    } else if (reuse == IndexReuse.FIFO) {
      order.addLast(index);
    }
  }

  private int next() {
    if (free.isEmpty()) {
      return -1;
    }
    int index =
        switch (reuse) {
          case LOWEST_FREE -> free.nextSetBit(0);
          case LIFO, FIFO -> order.removeFirst();
          case CYCLIC -> nextFrom(cursor);
          case RANDOM -> nextFrom(random.nextInt(capacity));
        };
    cursor = index + 1;
    free.clear(index);
    return index;
  }

  private int nextFrom(int start) {
    int index = free.nextSetBit(start);
    return index >= 0 ? index : free.nextSetBit(0);
  }

  /** The next key of that index; null if it is kept back. */
  private MemoryKey newKey(int index) {
    boolean searches =
        tagPolicy != TagPolicy.CONSTANT0 && tagPolicy != TagPolicy.KEEP && !consumerTags;
    for (int attempt = 0; attempt < (searches ? TAGS : 1); attempt++) {
      MemoryKey key = candidate(index);
      if (!isKeptBack(index, key)) {
        lastTag[index] = key.tag();
        return key;
      }
      lastTag[index] = key.tag();
    }
    return null;
  }

  private MemoryKey candidate(int index) {
    if (tagPolicy == TagPolicy.WIDE_GENERATION) {
      long generation = ++sequence;
      int high = (int) (generation >>> 8) << 8 + indexBits;
      return new MemoryKey(high | index << 8 | (int) (generation & 0xff));
    }
    if (consumerTags) {
      // The consumer has not changed it yet (row K11).
      return MemoryKey.of(index, 0);
    }
    int last = lastTag[index];
    int tag =
        switch (tagPolicy) {
          case CONSTANT0 -> 0;
          case KEEP -> last;
          case GLOBAL_SEQUENCE -> (int) (++sequence & 0xff);
          case RANDOM_ANY -> random.nextInt(TAGS);
          case RANDOM_NOT_LAST -> last + 1 + random.nextInt(TAGS - 1) & 0xff;
          case PER_INDEX_INCREMENT, WIDE_GENERATION -> last + 1 & 0xff;
        };
    return MemoryKey.of(index, tag);
  }

  private boolean isKeptBack(int index, MemoryKey key) {
    if (quarantine == Quarantine.LAST_KEYS) {
      return lastKeys.contains(key);
    }
    if (quarantine == Quarantine.UNTIL_NO_OUTSTANDING_REFERENCE && !retired.get(index).isEmpty()) {
      List<KeyEntry> busy = new ArrayList<>(retired.get(index));
      busy.removeIf(entry -> !entry.registration().hasOpenMessages());
      retired.set(index, busy);
      return busy.stream().anyMatch(entry -> entry.rkey().equals(key));
    }
    return false;
  }

  private static long mix(long value) {
    long mixed = (value ^ value >>> 30) * 0xbf58476d1ce4e5b9L;
    return mixed ^ mixed >>> 27;
  }
}
