package org.mrcheck.check.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
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

    boolean uncertain;

    /** The keys in whose history events of this holder stand. */
    final Set<MemoryKey> noted = new LinkedHashSet<>(2);

    Holder(Registration.Kind kind, long number, long order) {
      this.kind = kind;
      this.number = number;
      this.order = order;
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
  private final Map<MemoryKey, Ended> ended =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<MemoryKey, Ended> eldest) {
          return size() > REMEMBERED_ENDED;
        }
      };

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

  void record(Ledger.Recorded recorded) {
    TraceEvent event = recorded.event();
    if (event instanceof TraceEvent.RegCall call) {
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
      region(done.mr())
          .ifPresent(
              holder -> {
                if (done.status() == TraceEvent.CallStatus.OK && holder.asked.isPresent()) {
                  holder.registration = holder.asked;
                }
                holder.asked = Optional.empty();
                append(holder, recorded);
              });
    } else if (event instanceof TraceEvent.BindCall call) {
      bind(call, recorded);
    } else if (event instanceof TraceEvent.BindReturn done) {
      finishBind(done, recorded);
    } else if (event instanceof TraceEvent.InvCall call) {
      holder(call.key())
          .ifPresent(
              holder -> {
                holder.ending = Optional.of(call.stamp());
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
    append(holder, recorded);
    if (succeeded) {
      regions.remove(done.mr());
      end(holder, Ending.DEREGISTERED, done.stamp());
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
    hold(holder, reg.key());
    hold(holder, reg.lkey());
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
    List<Holder> bound = windows.getOrDefault(done.mw(), List.of());
    Optional<Holder> holder =
        bound.stream().filter(window -> window.keys.contains(done.key())).findFirst();
    if (holder.isEmpty()) {
      return;
    }
    append(holder.get(), recorded);
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
      List<Holder> all = holders.get(key);
      all.remove(holder);
      if (all.isEmpty()) {
        holders.remove(key);
      }
      bury(key, new Ended(holder.kind, holder.number, holder.registration, ending, stamp));
    }
    for (MemoryKey key : holder.noted) {
      List<Entry> entries = histories.get(key);
      entries.removeIf(entry -> entry.holder() == holder);
      if (entries.isEmpty()) {
        histories.remove(key);
      }
    }
  }

  /** The keys that a registration event is about; a region's calls concern both of its keys. */
  Set<MemoryKey> keysOf(TraceEvent event) {
    if (event instanceof TraceEvent.RegCall e) {
      return keys(e.key());
    }
    if (event instanceof TraceEvent.Reg e) {
      return keys(e.key(), e.lkey());
    }
    if (event instanceof TraceEvent.DeregCall e) {
      return keysOfRegion(e.mr(), e.key());
    }
    if (event instanceof TraceEvent.DeregReturn e) {
      return keysOfRegion(e.mr(), e.key());
    }
    if (event instanceof TraceEvent.ReregCall e) {
      return keysOfRegion(e.mr(), e.key());
    }
    if (event instanceof TraceEvent.ReregReturn e) {
      return keysOfRegion(e.mr(), e.key());
    }
    if (event instanceof TraceEvent.BindCall e) {
      return keys(e.key());
    }
    if (event instanceof TraceEvent.BindReturn e) {
      return keys(e.key());
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
