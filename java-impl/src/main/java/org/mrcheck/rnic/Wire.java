package org.mrcheck.rnic;

import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.ToIntFunction;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.QueuePairAddress;

/**
 * A network: in memory between the devices that are opened on it, and by a {@link Link} to other
 * hosts. Safe for all devices' threads.
 *
 * <p>If its plan leaves packets alone, those of one sending thread to one queue pair arrive in
 * order and none is lost. A packet goes to a queue pair's number and incarnation, so that one to a
 * destroyed queue pair vanishes rather than reaching its successor, unless the plan says otherwise
 * or it came over a link. Late packets wait at an engine, so that the wire has no thread.
 *
 * <p>The {@link WireTap} hears packets where the responder is: a request when it arrives, an answer
 * when it leaves.
 */
public final class Wire {
  /** How much later than others a reordered packet or a second copy arrives at most. */
  private static final long MOST_LATE_NANOS = 3_000_000;

  private final Map<String, SoftRnic> devices = new ConcurrentHashMap<>();
  private final Map<String, Link> links = new ConcurrentHashMap<>();
  private final Map<StreamName, Stream> streams = new ConcurrentHashMap<>();

  /** How many copies of a packet arrive; tests replace it to lose and to duplicate. */
  private volatile ToIntFunction<Packet> copies = packet -> 1;

  private final WirePlan plan;
  private final WireTap tap;
  private final LongAdder lost = new LongAdder();
  private final LongAdder duplicated = new LongAdder();
  private final LongAdder damaged = new LongAdder();

  /** Creates a perfect network without devices that nobody listens to. */
  public Wire() {
    this(WirePlan.PERFECT, WireTap.OFF);
  }

  /** Creates a perfect network without devices whose packets the tap is told. */
  public Wire(WireTap tap) {
    this(WirePlan.PERFECT, tap);
  }

  /** Creates a network without devices. */
  public Wire(WirePlan plan, WireTap tap) {
    this.plan = Objects.requireNonNull(plan, "plan");
    this.tap = Objects.requireNonNull(tap, "tap");
  }

  /**
   * One packet under way.
   *
   * @param header what its headers say
   * @param payload its data; must not be changed any more
   * @param immediate immediate data, where the opcode has any
   * @param solicited the BTH's SE bit
   */
  public record Frame(Packet header, byte[] payload, int immediate, boolean solicited) {
    static final byte[] EMPTY = new byte[0];

    /** A packet without immediate data. */
    public Frame(Packet header, byte[] payload) {
      this(header, payload, 0, false);
    }
  }

  private record StreamName(String source, String destination, boolean requests) {}

  /** The random numbers of one stream. */
  private static final class Stream {
    private final SplittableRandom random;

    Stream(long seed) {
      random = new SplittableRandom(seed);
    }

    /** Always as many numbers for a packet, whatever comes of it. */
    synchronized Fate next(WirePlan plan) {
      boolean loses = random.nextDouble() < plan.loss();
      boolean doubles = random.nextDouble() < plan.duplication();
      boolean holdsBack = random.nextDouble() < plan.reordering();
      boolean damages = random.nextDouble() < plan.corruption();
      double part = random.nextDouble();
      double latePart = random.nextDouble();
      long delay = (long) (part * plan.delay().toNanos());
      long late = 1 + (long) (latePart * MOST_LATE_NANOS);
      return new Fate(
          loses, damages, holdsBack ? delay + late : delay, doubles ? delay + late : -1);
    }
  }

  /**
   * What becomes of a packet.
   *
   * @param second when the second copy arrives, or negative for none
   */
  private record Fate(boolean lost, boolean damaged, long delay, long second) {}

  /** A way for a frame to arrive, after a time. */
  private interface Delivery {
    void deliver(long delayNanos, boolean damaged);
  }

  void attach(SoftRnic device) {
    if (devices.putIfAbsent(device.host(), device) != null) {
      throw new IllegalArgumentException("host=" + device.host() + " is on the wire already");
    }
  }

  void detach(SoftRnic device) {
    devices.remove(device.host(), device);
  }

  /** Names the way to another host; an earlier one is replaced. */
  public void connect(String host, Link link) {
    links.put(host, Objects.requireNonNull(link, "link"));
  }

  /** Packets that vanished by the plan. */
  public long lost() {
    return lost.sum();
  }

  /** Packets that came twice by the plan. */
  public long duplicated() {
    return duplicated.sum();
  }

  /** Packets that arrived with a wrong ICRC, by the plan or over a link. */
  public long damaged() {
    return damaged.sum();
  }

  void deliverThrough(ToIntFunction<Packet> filter) {
    copies = filter;
  }

  WireTap tap() {
    return tap;
  }

  void send(QueuePair source, QueuePairAddress destination, Frame frame) {
    SoftRnic device = devices.get(destination.host());
    Link link = device == null ? links.get(destination.host()) : null;
    if (device == null && link == null) {
      return;
    }
    boolean request = frame.header().opcode().isRequest();
    boolean taps = tap != WireTap.OFF;
    QueuePairAddress from = source.address();
    Delivery delivery;
    if (device == null) {
      delivery =
          (delay, bad) -> {
            Runnable leave =
                () -> {
                  if (taps && request) {
                    tap.sent(from, destination, frame, bad);
                  }
                  link.send(from, destination, frame, bad);
                };
            if (delay == 0) {
              leave.run();
            } else {
              source.engine().runLater(delay, leave);
            }
          };
    } else {
      delivery =
          (delay, bad) -> {
            QueuePair target =
                plan.byNumber()
                    ? device.newest(destination.id().number())
                    : device.queuePair(destination.id());
            if (target == null || delay == 0) {
              arrive(from, destination, target, frame, bad, request);
            } else {
              target
                  .engine()
                  .runLater(
                      delay,
                      () -> {
                        QueuePair late =
                            plan.byNumber() ? device.newest(destination.id().number()) : target;
                        arrive(from, destination, late, frame, bad, request);
                      });
            }
          };
    }
    for (int copy = copies.applyAsInt(frame.header()); copy > 0; copy--) {
      if (taps && !request) {
        tap.sent(from, destination, frame, false);
      }
      if (plan.isPerfect()) {
        delivery.deliver(0, false);
      } else {
        carry(new StreamName(from.toString(), destination.toString(), request), delivery);
      }
    }
  }

  private void arrive(
      QueuePairAddress from,
      QueuePairAddress destination,
      QueuePair target,
      Frame frame,
      boolean bad,
      boolean request) {
    if (tap != WireTap.OFF && request) {
      tap.sent(from, destination, frame, bad);
    }
    if (bad) {
      damaged.increment();
    } else if (target != null) {
      target.engine().arrive(target, frame);
    }
  }

  /**
   * A packet has arrived over a link. The plan applies to it too.
   *
   * @param host the device it is for; nothing happens if there is none
   * @param number of the queue pair it is for
   * @param bad whether its ICRC is wrong
   */
  public void arrived(String host, int number, Frame frame, boolean bad) {
    SoftRnic device = devices.get(host);
    QueuePair target = device == null ? null : device.newest(number);
    if (target == null) {
      return;
    }
    if (bad) {
      damaged.increment();
      return;
    }
    carry(
        new StreamName("", host + "/" + number, frame.header().opcode().isRequest()),
        (delay, damages) -> {
          if (damages) {
            damaged.increment();
          } else if (delay == 0) {
            target.engine().arrive(target, frame);
          } else {
            target.engine().runLater(delay, () -> target.arrived(frame));
          }
        });
  }

  private void carry(StreamName name, Delivery delivery) {
    if (plan.isPerfect()) {
      delivery.deliver(0, false);
      return;
    }
    Fate fate = streams.computeIfAbsent(name, key -> new Stream(mix(plan.seed(), key))).next(plan);
    if (fate.lost()) {
      lost.increment();
      return;
    }
    delivery.deliver(fate.delay(), fate.damaged());
    if (fate.second() >= 0) {
      duplicated.increment();
      delivery.deliver(fate.second(), false);
    }
  }

  private static long mix(long seed, StreamName name) {
    long mixed = seed * 0x9e3779b97f4a7c15L + (name.requests() ? 1 : 2);
    for (String part : new String[] {name.source(), name.destination()}) {
      for (int i = 0; i < part.length(); i++) {
        mixed = (mixed ^ part.charAt(i)) * 0x100000001b3L;
      }
    }
    return mixed ^ mixed >>> 29;
  }
}
