package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.mrcheck.lang.trace.TraceEvent;

/**
 * The memory of one host that registrations pin. A pin is of the present memory of its region, of
 * the memory that a re-registration under way leads to, or left from before. Mutable.
 */
final class PinnedMemory {
  /** Which memory of its region a pin is of. */
  enum Generation {
    NOW,
    NEXT,
    OLD
  }

  /** One contiguous piece of pinned memory. */
  private static final class Pin {
    final long va;
    final long length;
    final OptionalLong at;
    Generation of;

    Pin(long va, long length, OptionalLong at, Generation of) {
      this.va = va;
      this.length = length;
      this.at = at;
      this.of = of;
    }

    boolean is(TraceEvent.Unpin event) {
      return va == event.va() && length == event.length() && at.equals(event.dmaAddress());
    }
  }

  private final Map<Long, List<Pin>> pins = new HashMap<>();

  /** Whether the host ever said that it pins memory: else nothing is known of it. */
  private boolean reported;

  /** How many of the pins have an address on the bus. */
  private int onBus;

  private boolean lossy;

  boolean isReported() {
    return reported;
  }

  /** Whether a pin may have gone unseen. */
  boolean isLossy() {
    return lossy;
  }

  void noteLoss() {
    lossy = true;
  }

  void pin(TraceEvent.Pin event, boolean changing) {
    reported = true;
    pins.computeIfAbsent(event.mr(), absent -> new ArrayList<>(1))
        .add(
            new Pin(
                event.va(),
                event.length(),
                event.dmaAddress(),
                changing ? Generation.NEXT : Generation.NOW));
    onBus += event.dmaAddress().isPresent() ? 1 : 0;
  }

  void unpin(TraceEvent.Unpin event) {
    List<Pin> mine = pins.get(event.mr());
    Pin undone = undone(event);
    if (undone != null) {
      mine.remove(undone);
      onBus -= undone.at.isPresent() ? 1 : 0;
      if (mine.isEmpty()) {
        pins.remove(event.mr());
      }
    }
  }

  /** The oldest pin that an unpin undoes, null if there is none. */
  private Pin undone(TraceEvent.Unpin event) {
    for (Pin pin : pins.getOrDefault(event.mr(), List.of())) {
      if (pin.is(event)) {
        return pin;
      }
    }
    return null;
  }

  /** Whether the memory that is released was pinned. */
  boolean wasPinned(TraceEvent.Unpin event) {
    return undone(event) != null;
  }

  /** Whether what is released is the present memory of its region. */
  boolean releasesPresent(TraceEvent.Unpin event) {
    Pin undone = undone(event);
    return undone != null && undone.of == Generation.NOW;
  }

  /** Whether nothing of the registration stays pinned after the event. */
  boolean isLast(TraceEvent.Unpin event) {
    List<Pin> mine = pins.getOrDefault(event.mr(), List.of());
    return mine.isEmpty() || mine.size() == 1 && undone(event) != null;
  }

  /** A re-registration has returned. */
  void reregistered(long mr, boolean succeeded) {
    boolean moves = succeeded && moves(mr);
    for (Pin pin : pins.getOrDefault(mr, List.of())) {
      if (pin.of == Generation.NEXT) {
        pin.of = moves ? Generation.NOW : Generation.OLD;
      } else if (pin.of == Generation.NOW && moves) {
        pin.of = Generation.OLD;
      }
    }
  }

  /** Whether a re-registration under way leads to other memory. */
  boolean moves(long mr) {
    return pins.getOrDefault(mr, List.of()).stream().anyMatch(pin -> pin.of == Generation.NEXT);
  }

  /**
   * Whether every byte is pinned: by any registration where addresses on the bus are known, else by
   * the one that is named.
   */
  boolean isPinned(long mr, long va, long length, OptionalLong at) {
    if (onBus == 0 || at.isEmpty()) {
      return isCovered(pins.getOrDefault(mr, List.of()), va, length, false);
    }
    return isCovered(pins.getOrDefault(mr, List.of()), at.getAsLong(), length, true)
        || isCovered(
            pins.values().stream().flatMap(List::stream).toList(), at.getAsLong(), length, true);
  }

  private static boolean isCovered(List<Pin> candidates, long start, long length, boolean onBus) {
    long next = start;
    long left = length;
    while (left != 0) {
      long reach = 0;
      for (Pin pin : candidates) {
        if (onBus && pin.at.isEmpty()) {
          continue;
        }
        long inside = next - (onBus ? pin.at.getAsLong() : pin.va);
        if (Long.compareUnsigned(inside, pin.length) < 0
            && Long.compareUnsigned(pin.length - inside, reach) > 0) {
          reach = pin.length - inside;
        }
      }
      if (reach == 0) {
        return false;
      }
      long step = Long.compareUnsigned(reach, left) < 0 ? reach : left;
      next += step;
      left -= step;
    }
    return true;
  }

  /**
   * Whether a DMA goes where the pins of that generation have put its address. True where that is
   * not known.
   */
  boolean isMapped(long mr, long va, OptionalLong at, Generation of) {
    if (at.isEmpty()) {
      return true;
    }
    boolean known = false;
    for (Pin pin : pins.getOrDefault(mr, List.of())) {
      long inside = va - pin.va;
      if (pin.of == of && pin.at.isPresent() && Long.compareUnsigned(inside, pin.length) < 0) {
        known = true;
        if (at.getAsLong() == pin.at.getAsLong() + inside) {
          return true;
        }
      }
    }
    return !known;
  }

  /** For people: the ranges that are pinned for a registration. */
  String describe(long mr) {
    List<String> ranges = new ArrayList<>();
    for (Pin pin : pins.getOrDefault(mr, List.of())) {
      ranges.add(
          "[0x"
              + Long.toHexString(pin.va)
              + ", 0x"
              + Long.toHexString(pin.va + pin.length)
              + ")"
              + (pin.at.isPresent() ? " at 0x" + Long.toHexString(pin.at.getAsLong()) : ""));
    }
    return ranges.isEmpty() ? "nothing" : String.join(", ", ranges);
  }
}
