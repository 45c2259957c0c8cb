package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.mrcheck.lang.trace.MemoryKey;
import org.mrcheck.lang.trace.Stamp;
import org.mrcheck.lang.trace.TraceEvent;

/** The registrations and windows of one host. Mutable. */
final class KeyTable {
  /** Ended registrations kept per host so that a stale key can be named, oldest forgotten first. */
  static final int REMEMBERED_ENDED = 4096;

  /** How a key stopped being valid. */
  enum Ending {
    DEREGISTERED("deregistered"),
    INVALIDATED("invalidated"),
    UNBOUND("unbound"),
    DEALLOCATED("deallocated"),
    REKEYED("given another key"),
    REBOUND("rebound under another key");

    private final String text;

    Ending(String text) {
      this.text = text;
    }

    String text() {
      return text;
    }
  }

  /**
   * A registration that has ended.
   *
   * @param registration empty if it began before the recording
   */
  record Ended(
      Registration.Kind kind,
      long number,
      Optional<Registration> registration,
      Ending ending,
      Stamp stamp) {
    /** For people: {@code mr 3 "A"}. */
    String title() {
      return registration
          .map(Registration::title)
          .orElseGet(
              () ->
                  (kind == Registration.Kind.REGION ? "mr " : "mw ")
                      + Long.toUnsignedString(number));
    }
  }

  /** One holder of a key: a region or a window, from its first call on. Mutable. */
  static final class Holder {
    final Registration.Kind kind;
    final long number;

    /** Holders are numbered in the order of their first event. */
    final long order;

    final Set<MemoryKey> keys = new LinkedHashSet<>();

    /** The region a window is bound to. */
    OptionalLong parent = OptionalLong.empty();

    /** Empty while only the call of a registration was seen. */
    Optional<Registration> registration = Optional.empty();

    /** Attributes asked for by a re-registration that has not returned. */
    Optional<Registration> asked = Optional.empty();

    /** The call that takes the key away, while it has not returned. */
    Optional<Stamp> ending = Optional.empty();

    /** How many deregistrations and invalidations are under way. */
    int calls;

    /** A bind of length 0 is under way. */
    boolean unbinding;

    /** Registered by a work request: only such a region's key may be invalidated by a peer. */
    boolean fast;

    boolean uncertain;

    /** The keys in whose history events of this holder stand. */
    final Set<MemoryKey> noted = new LinkedHashSet<>(2);

    Holder(Registration.Kind kind, long number, long order) {
      this.kind = kind;
      this.number = number;
      this.order = order;
    }

    boolean isWindow() {
      return kind != Registration.Kind.REGION;
    }

    /** Whether this is the region or a window on it. */
    boolean isOn(long mr) {
      return isWindow() ? parent.isPresent() && parent.getAsLong() == mr : number == mr;
    }
  }

  /** The events of a key and who held it while they happened. */
  private record Entry(Ledger.Recorded event, Holder holder) {}

  private final Map<Long, Holder> regions = new HashMap<>();
  private final Map<Long, List<Holder>> windows = new HashMap<>();

  private long holdersSoFar;

  /** For each key its holders, those that took it first in front. */
  private final Map<MemoryKey, List<Holder>> holders = new HashMap<>();

  private final Map<MemoryKey, List<Entry>> histories = new HashMap<>();

  /** A window that was allocated and not deallocated. */
  record AllocatedWindow(long pd, int type) {}

  /** The allocated windows by number. */
  final Map<Long, AllocatedWindow> allocated = new HashMap<>();

  /** Windows and protection domains that are gone, oldest forgotten first. */
  final Set<Long> deadWindows = remembered();

  final Set<Long> deadDomains = remembered();

  /** Keys that were invalidated, where it was not recorded by whom. */
  final Map<MemoryKey, Boolean> invalidatedByNobodyKnown = new BoundedMap<>(REMEMBERED_ENDED);

  final PinnedMemory pins = new PinnedMemory();

  private final Map<MemoryKey, Ended> ended = new BoundedMap<>(REMEMBERED_ENDED);

  private static Set<Long> remembered() {
    return java.util.Collections.newSetFromMap(new BoundedMap<>(REMEMBERED_ENDED));
  }

  /** Whether a registration may have gone unseen: a key that nobody holds is then not known bad. */
  private boolean lossy;

  boolean isLossy() {
    return lossy;
  }

  void noteLoss() {
    lossy = true;
    regions.values().forEach(holder -> holder.uncertain = true);
    windows.values().forEach(all -> all.forEach(holder -> holder.uncertain = true));
    ended.clear();
    allocated.clear();
    pins.noteLoss();
  }

  Optional<Holder> region(long mr) {
    return Optional.ofNullable(regions.get(mr));
  }

  /** The newest holder of the key. */
  Optional<Holder> holder(MemoryKey key) {
    List<Holder> all = holders.get(key);
    if (all == null) {
      return Optional.empty();
    }
    Holder newest = all.get(0);
    for (Holder other : all) {
      newest = other.order > newest.order ? other : newest;
    }
    return Optional.of(newest);
  }

  Optional<Ended> ended(MemoryKey key) {
    return Optional.ofNullable(ended.get(key));
  }

  Collection<MemoryKey> liveKeys() {
    return holders.keySet();
  }

  List<Ledger.Recorded> history(MemoryKey key) {
    List<Entry> entries = histories.get(key);
    return entries == null ? List.of() : entries.stream().map(Entry::event).toList();
  }

  /** Windows that are bound to the region. */
  List<Holder> windowsOn(long mr) {
    return windows.values().stream()
        .flatMap(List::stream)
        .filter(window -> window.parent.isPresent() && window.parent.getAsLong() == mr)
        .toList();
  }

  /** Live regions. */
  Collection<Holder> regions() {
    return regions.values();
  }

  /** Whether a deregistration or an invalidation of anything is under way. */
  boolean isEndingSomething() {
    return regions.values().stream().anyMatch(holder -> holder.calls > 0)
        || windows.values().stream().flatMap(List::stream).anyMatch(holder -> holder.calls > 0);
  }

  /** The holders that a window is: more than one while it is bound anew. */
  List<Holder> windowsOf(long mw) {
    return windows.getOrDefault(mw, List.of());
  }

  /** The holder that a window is under that key. */
  Optional<Holder> window(long mw, MemoryKey key) {
    return windowsOf(mw).stream().filter(window -> window.keys.contains(key)).findFirst();
  }

  /** The region and the windows on it that have the key, those that took it first in front. */
  List<Holder> bearers(long mr, MemoryKey key) {
    List<Holder> all = holders.get(key);
    if (all == null) {
      return List.of();
    }
    List<Holder> found = new ArrayList<>(1);
    for (Holder holder : all) {
      if (holder.isOn(mr)) {
        found.add(holder);
      }
    }
    found.sort(java.util.Comparator.comparingLong(holder -> holder.order));
    return found;
  }

  void record(Ledger.Recorded recorded) {
    TraceEvent event = recorded.event();
    if (event instanceof TraceEvent.Pin pin) {
      pins.pin(pin, region(pin.mr()).filter(holder -> holder.asked.isPresent()).isPresent());
    } else if (event instanceof TraceEvent.Unpin unpin) {
      pins.unpin(unpin);
    } else if (event instanceof TraceEvent.MwAlloc alloc) {
      allocated.put(alloc.mw(), new AllocatedWindow(alloc.pd(), alloc.type()));
    } else if (event instanceof TraceEvent.MwDeallocCall call) {
      window(call.mw(), call.key()).ifPresent(holder -> append(holder, recorded));
    } else if (event instanceof TraceEvent.MwDeallocReturn done) {
      deallocate(done, recorded);
    } else if (event instanceof TraceEvent.PdDealloc done) {
      if (done.status() == TraceEvent.CallStatus.OK) {
        deadDomains.add(done.pd());
      }
    } else if (event instanceof TraceEvent.RegCall call) {
      Holder holder = newHolder(Registration.Kind.REGION, call.mr());
      regions.put(call.mr(), holder);
      hold(holder, call.key());
      append(holder, recorded);
    } else if (event instanceof TraceEvent.Reg reg) {
      register(reg, recorded);
    } else if (event instanceof TraceEvent.DeregCall call) {
      region(call.mr())
          .ifPresent(
              holder -> {
                holder.ending = Optional.of(call.stamp());
                holder.calls++;
                append(holder, recorded);
              });
    } else if (event instanceof TraceEvent.DeregReturn done) {
      deregister(done, recorded);
    } else if (event instanceof TraceEvent.ReregCall call) {
      region(call.mr())
          .ifPresent(
              holder -> {
                holder.asked = askedFor(call, holder);
                append(holder, recorded);
              });
    } else if (event instanceof TraceEvent.ReregReturn done) {
      region(done.mr()).ifPresent(holder -> reregister(holder, done, recorded));
    } else if (event instanceof TraceEvent.BindCall call) {
      bind(call, recorded);
    } else if (event instanceof TraceEvent.BindReturn done) {
      finishBind(done, recorded);
    } else if (event instanceof TraceEvent.InvCall call) {
      holder(call.key())
          .ifPresent(
              holder -> {
                holder.ending = Optional.of(call.stamp());
                holder.calls++;
                append(holder, recorded);
              });
    } else if (event instanceof TraceEvent.InvReturn done) {
      Optional<Holder> known = holder(done.key());
      if (known.isPresent()) {
        finishInvalidate(known.get(), done, recorded);
      } else if (done.status() == TraceEvent.CallStatus.OK) {
        bury(
            done.key(),
            new Ended(
                Registration.Kind.WINDOW_2, 0, Optional.empty(), Ending.INVALIDATED, done.stamp()));
      }
    }
  }

  private Holder newHolder(Registration.Kind kind, long number) {
    return new Holder(kind, number, holdersSoFar++);
  }

  private void deregister(TraceEvent.DeregReturn done, Ledger.Recorded recorded) {
    Holder holder = regions.get(done.mr());
    boolean succeeded = done.status() == TraceEvent.CallStatus.OK;
    if (holder == null) {
      if (succeeded && holder(done.key()).isEmpty()) {
        bury(
            done.key(),
            new Ended(
                Registration.Kind.REGION,
                done.mr(),
                Optional.empty(),
                Ending.DEREGISTERED,
                done.stamp()));
      }
      return;
    }
    holder.ending = Optional.empty();
    holder.calls = Math.max(0, holder.calls - 1);
    append(holder, recorded);
    if (succeeded) {
      List<Holder> bound = windowsOn(done.mr());
      regions.remove(done.mr());
      end(holder, Ending.DEREGISTERED, done.stamp());
      bound.forEach(window -> unbind(window, Ending.DEREGISTERED, done.stamp()));
    }
  }

  private void reregister(Holder holder, TraceEvent.ReregReturn done, Ledger.Recorded recorded) {
    append(holder, recorded);
    boolean changed = done.status() == TraceEvent.CallStatus.OK && holder.asked.isPresent();
    if (changed) {
      Registration old = holder.asked.get();
      holder.registration = holder.asked;
      if (!done.key().equals(old.key())) {
        Optional<MemoryKey> lkey =
            old.lkey().equals(Optional.of(old.key())) ? Optional.of(done.key()) : old.lkey();
        holder.registration = Optional.of(old.withKeys(done.key(), lkey));
        rekey(holder, holder.registration.get(), done.stamp());
      }
    }
    pins.reregistered(done.mr(), done.status() == TraceEvent.CallStatus.OK);
    holder.asked = Optional.empty();
  }

  /** The holder has these keys from now on and no others. */
  private void rekey(Holder holder, Registration registration, Stamp stamp) {
    Set<MemoryKey> fresh = new LinkedHashSet<>(keys(registration.key()));
    registration.lkey().ifPresent(lkey -> fresh.addAll(keys(lkey)));
    for (MemoryKey old : List.copyOf(holder.keys)) {
      if (!fresh.contains(old)) {
        holder.keys.remove(old);
        release(holder, old);
        forget(holder, old);
        bury(
            old, new Ended(holder.kind, holder.number, holder.registration, Ending.REKEYED, stamp));
      }
    }
    fresh.forEach(key -> hold(holder, key));
  }

  private void deallocate(TraceEvent.MwDeallocReturn done, Ledger.Recorded recorded) {
    boolean succeeded = done.status() == TraceEvent.CallStatus.OK;
    Optional<Holder> known = window(done.mw(), done.key());
    known.ifPresent(
        holder -> {
          append(holder, recorded);
          if (succeeded) {
            List.copyOf(windowsOf(done.mw()))
                .forEach(window -> unbind(window, Ending.DEALLOCATED, done.stamp()));
          }
        });
    if (succeeded) {
      allocated.remove(done.mw());
      deadWindows.add(done.mw());
    }
  }

  private void bury(MemoryKey key, Ended end) {
    if (!key.equals(MemoryKey.NONE)) {
      ended.remove(key);
      ended.put(key, end);
    }
  }

  /**
   * The attributes that are in force once the event has been taken: those a registration, a bind or
   * a call for re-registration brings, or those a returned re-registration leaves.
   */
  static Optional<Registration> registrationMadeBy(TraceEvent event, KeyTable table) {
    if (event instanceof TraceEvent.Reg reg) {
      return Optional.of(registrationOf(reg));
    }
    if (event instanceof TraceEvent.BindCall call) {
      return Optional.of(windowOf(call, table));
    }
    if (event instanceof TraceEvent.ReregCall call) {
      return table.region(call.mr()).flatMap(holder -> askedFor(call, holder));
    }
    if (event instanceof TraceEvent.ReregReturn done) {
      return table
          .region(done.mr())
          .flatMap(
              holder ->
                  done.status() == TraceEvent.CallStatus.OK && holder.asked.isPresent()
                      ? holder.asked
                      : holder.registration);
    }
    return Optional.empty();
  }

  private static Registration registrationOf(TraceEvent.Reg reg) {
    return new Registration(
        Registration.Kind.REGION,
        reg.mr(),
        OptionalLong.of(reg.pd()),
        reg.key(),
        Optional.of(reg.lkey()),
        reg.va(),
        reg.length(),
        reg.rights(),
        Optional.empty(),
        reg.label(),
        reg.stamp());
  }

  private void register(TraceEvent.Reg reg, Ledger.Recorded recorded) {
    Holder known = regions.get(reg.mr());
    boolean called = known != null && known.registration.isEmpty();
    Holder holder = called ? known : newHolder(Registration.Kind.REGION, reg.mr());
    regions.put(reg.mr(), holder);
    holder.registration = Optional.of(registrationOf(reg));
    holder.fast = reg.qp().isPresent();
    rekey(holder, holder.registration.get(), reg.stamp());
    append(holder, recorded);
  }

  private static Optional<Registration> askedFor(TraceEvent.ReregCall call, Holder holder) {
    return holder.registration.map(
        old ->
            new Registration(
                old.kind(),
                old.number(),
                OptionalLong.of(call.pd()),
                old.key(),
                old.lkey(),
                call.va(),
                call.length(),
                call.rights(),
                old.qp(),
                old.label(),
                call.stamp()));
  }

  private void bind(TraceEvent.BindCall call, Ledger.Recorded recorded) {
    if (call.length() == 0) {
      window(call.mw(), call.key())
          .ifPresent(
              holder -> {
                holder.unbinding = true;
                append(holder, recorded);
              });
      return;
    }
    List<Holder> bound = windows.computeIfAbsent(call.mw(), absent -> new ArrayList<>(1));
    Holder holder =
        bound.stream().filter(window -> window.keys.contains(call.key())).findFirst().orElse(null);
    if (holder == null) {
      holder =
          newHolder(
              call.type() == 2 ? Registration.Kind.WINDOW_2 : Registration.Kind.WINDOW_1,
              call.mw());
      bound.add(holder);
    }
    holder.parent = OptionalLong.of(call.mr());
    holder.calls = 0;
    holder.unbinding = false;
    holder.registration = Optional.of(windowOf(call, this));
    hold(holder, call.key());
    append(holder, recorded);
  }

  private static Registration windowOf(TraceEvent.BindCall call, KeyTable table) {
    OptionalLong pd =
        table
            .region(call.mr())
            .flatMap(region -> region.registration)
            .map(Registration::pd)
            .orElse(OptionalLong.empty());
    return new Registration(
        call.type() == 2 ? Registration.Kind.WINDOW_2 : Registration.Kind.WINDOW_1,
        call.mw(),
        pd,
        call.key(),
        Optional.empty(),
        call.va(),
        call.length(),
        call.rights(),
        call.qp(),
        call.label(),
        call.stamp());
  }

  private void finishBind(TraceEvent.BindReturn done, Ledger.Recorded recorded) {
    List<Holder> bound = windowsOf(done.mw());
    Optional<Holder> holder = window(done.mw(), done.key());
    if (holder.isEmpty()) {
      return;
    }
    append(holder.get(), recorded);
    if (holder.get().unbinding) {
      holder.get().unbinding = false;
      if (done.status() == TraceEvent.CallStatus.OK) {
        unbind(holder.get(), Ending.UNBOUND, done.stamp());
      }
      return;
    }
    if (done.status() != TraceEvent.CallStatus.OK) {
      unbind(holder.get(), Ending.INVALIDATED, done.stamp());
      return;
    }
    // A window has one key: a new bind takes the old one away (row W1).
    for (Holder other : List.copyOf(bound)) {
      if (other != holder.get()) {
        unbind(other, Ending.REBOUND, done.stamp());
      }
    }
  }

  private void unbind(Holder window, Ending ending, Stamp stamp) {
    List<Holder> bound = windows.get(window.number);
    bound.remove(window);
    if (bound.isEmpty()) {
      windows.remove(window.number);
    }
    end(window, ending, stamp);
  }

  private void finishInvalidate(
      Holder holder, TraceEvent.InvReturn done, Ledger.Recorded recorded) {
    holder.ending = Optional.empty();
    holder.calls = Math.max(0, holder.calls - 1);
    append(holder, recorded);
    if (done.status() == TraceEvent.CallStatus.OK) {
      if (holder.kind == Registration.Kind.REGION) {
        regions.remove(holder.number, holder);
        end(holder, Ending.INVALIDATED, done.stamp());
      } else {
        unbind(holder, Ending.INVALIDATED, done.stamp());
      }
    }
  }

  private void hold(Holder holder, MemoryKey key) {
    if (!key.equals(MemoryKey.NONE) && holder.keys.add(key)) {
      holders.computeIfAbsent(key, absent -> new ArrayList<>(1)).add(holder);
    }
  }

  /** The event becomes part of the history of the keys that it binds. */
  private void append(Holder holder, Ledger.Recorded recorded) {
    for (MemoryKey key : keysOf(recorded.event())) {
      holder.noted.add(key);
      histories.computeIfAbsent(key, absent -> new ArrayList<>(4)).add(new Entry(recorded, holder));
    }
  }

  private void end(Holder holder, Ending ending, Stamp stamp) {
    for (MemoryKey key : holder.keys) {
      release(holder, key);
      bury(key, new Ended(holder.kind, holder.number, holder.registration, ending, stamp));
    }
    for (MemoryKey key : List.copyOf(holder.noted)) {
      forget(holder, key);
    }
  }

  private void release(Holder holder, MemoryKey key) {
    List<Holder> all = holders.get(key);
    all.remove(holder);
    if (all.isEmpty()) {
      holders.remove(key);
    }
  }

  /** The holder's events are no longer part of the key's history. */
  private void forget(Holder holder, MemoryKey key) {
    if (holder.noted.remove(key)) {
      List<Entry> entries = histories.get(key);
      entries.removeIf(entry -> entry.holder() == holder);
      if (entries.isEmpty()) {
        histories.remove(key);
      }
    }
  }

  /**
   * The keys that a registration event is about: a region's calls concern both of its keys, its
   * deregistration those of its windows too, a bind or a deallocation the present key of the
   * window.
   */
  Set<MemoryKey> keysOf(TraceEvent event) {
    if (event instanceof TraceEvent.RegCall e) {
      return keys(e.key());
    }
    if (event instanceof TraceEvent.Reg e) {
      return keys(e.key(), e.lkey());
    }
    if (event instanceof TraceEvent.DeregCall e) {
      return keysOfRegionAndWindows(e.mr(), e.key());
    }
    if (event instanceof TraceEvent.DeregReturn e) {
      return keysOfRegionAndWindows(e.mr(), e.key());
    }
    if (event instanceof TraceEvent.ReregCall e) {
      return keysOfRegion(e.mr(), e.key());
    }
    if (event instanceof TraceEvent.ReregReturn e) {
      return keysOfRegion(e.mr(), e.key());
    }
    if (event instanceof TraceEvent.BindCall e) {
      return keysOfWindow(e.mw(), e.key());
    }
    if (event instanceof TraceEvent.BindReturn e) {
      return keysOfWindow(e.mw(), e.key());
    }
    if (event instanceof TraceEvent.MwDeallocCall e) {
      return keysOfWindow(e.mw(), e.key());
    }
    if (event instanceof TraceEvent.MwDeallocReturn e) {
      return keysOfWindow(e.mw(), e.key());
    }
    if (event instanceof TraceEvent.InvCall e) {
      return keys(e.key());
    }
    if (event instanceof TraceEvent.InvReturn e) {
      return keys(e.key());
    }
    return Set.of();
  }

  private Set<MemoryKey> keysOfRegion(long mr, MemoryKey named) {
    Set<MemoryKey> found = keys(named);
    region(mr).ifPresent(holder -> found.addAll(holder.keys));
    return found;
  }

  private Set<MemoryKey> keysOfRegionAndWindows(long mr, MemoryKey named) {
    Set<MemoryKey> found = keysOfRegion(mr, named);
    if (!windows.isEmpty()) {
      windowsOn(mr).forEach(window -> found.addAll(window.keys));
    }
    return found;
  }

  private Set<MemoryKey> keysOfWindow(long mw, MemoryKey named) {
    Set<MemoryKey> found = keys(named);
    windowsOf(mw).forEach(window -> found.addAll(window.keys));
    return found;
  }

  private static Set<MemoryKey> keys(MemoryKey... candidates) {
    Set<MemoryKey> found = new LinkedHashSet<>();
    for (MemoryKey candidate : candidates) {
      if (!candidate.equals(MemoryKey.NONE)) {
        found.add(candidate);
      }
    }
    return found;
  }
}
