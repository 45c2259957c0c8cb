package org.mrcheck.rnic;

import java.util.LinkedHashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.mrcheck.lang.trace.Actor;

/**
 * One engine thread: it sends the requests of its queue pairs, takes what arrives for them, and
 * checks keys. Everything of a queue pair that is not handed to the DMA stage happens on one
 * engine, so that the protocol state needs no locks. An engine may wait for room in its DMA stage,
 * and for nothing else.
 */
final class Engine {
  private static final long TICK_NANOS = 5_000_000;

  /** What an engine is told. */
  private sealed interface Message {
    record Arrival(QueuePair qp, Wire.Frame frame) implements Message {}

    record Doorbell(QueuePair qp) implements Message {}

    record Retire(QueuePair qp, CountDownLatch done) implements Message {}

    record Later(long nanos, Runnable action) implements Message {}
  }

  /** Something to be done at a time; of two at one time the older first. */
  private record Alarm(long dueNanos, long number, Runnable action) implements Comparable<Alarm> {
    @Override
    public int compareTo(Alarm other) {
      long earlier = dueNanos - other.dueNanos;
      return earlier != 0 ? Long.signum(earlier) : Long.compare(number, other.number);
    }
  }

  private final SoftRnic device;
  private final Actor actor;
  private final DmaStage dma;
  private final Mailbox<Message> mailbox = new Mailbox<>();
  private final Thread thread;

  /** Queue pairs that wait for answers; of this engine's thread alone. */
  private final Set<QueuePair> waiting = new LinkedHashSet<>();

  /** What is to be done later; of this engine's thread alone. */
  private final PriorityQueue<Alarm> alarms = new PriorityQueue<>();

  private long lastAlarm;

  private volatile boolean stopping;

  Engine(SoftRnic device, int number) {
    this.device = device;
    actor = new Actor(device.host(), "engine" + number);
    dma = new DmaStage(device, number, device.config().dmaQueueDepth());
    thread = new Thread(this::run, device.host() + "-engine" + number);
    thread.setDaemon(true);
  }

  void start() {
    dma.start();
    thread.start();
  }

  /** Stops both threads and waits for them; messages not yet taken are dropped. */
  void stop() {
    stopping = true;
    SoftRnic.joinUninterruptibly(thread);
    dma.stop();
  }

  Actor actor() {
    return actor;
  }

  DmaStage dma() {
    return dma;
  }

  SoftRnic device() {
    return device;
  }

  void arrive(QueuePair qp, Wire.Frame frame) {
    mailbox.send(new Message.Arrival(qp, frame));
  }

  void ring(QueuePair qp) {
    mailbox.send(new Message.Doorbell(qp));
  }

  /** Does something on the engine's thread, not earlier than after that time. */
  void runLater(long nanos, Runnable action) {
    mailbox.send(new Message.Later(nanos, action));
  }

  /** Lets go of a queue pair; {@code done} is counted down when no thread will touch it again. */
  void retire(QueuePair qp, CountDownLatch done) {
    mailbox.send(new Message.Retire(qp, done));
  }

  private void run() {
    try {
      long nextTick = device.nanoTime() + TICK_NANOS;
      while (!stopping) {
        Message message = mailbox.receive(patience());
        if (message != null) {
          handle(message);
        }
        ringAlarms();
        if (!waiting.isEmpty() && device.nanoTime() - nextTick >= 0) {
          long now = device.nanoTime();
          waiting.removeIf(qp -> !qp.requester().tick(now));
          nextTick = now + TICK_NANOS;
        }
      }
    } catch (RuntimeException | Error problem) {
      device.fail(problem);
    }
  }

  /** On the engine's thread: does something there, not earlier than after that time. */
  void later(long nanos, Runnable action) {
    alarms.add(new Alarm(device.nanoTime() + nanos, ++lastAlarm, action));
  }

  private long patience() {
    Alarm next = alarms.peek();
    if (next == null) {
      return TICK_NANOS;
    }
    return Math.max(0, Math.min(TICK_NANOS, next.dueNanos() - device.nanoTime()));
  }

  private void ringAlarms() {
    while (!alarms.isEmpty() && alarms.peek().dueNanos() - device.nanoTime() <= 0) {
      alarms.remove().action().run();
    }
  }

  private void handle(Message message) {
    if (message instanceof Message.Arrival arrival) {
      arrival.qp().arrived(arrival.frame());
      watch(arrival.qp());
    } else if (message instanceof Message.Doorbell doorbell) {
      doorbell.qp().requester().doorbell();
      doorbell.qp().responder().doorbell();
      watch(doorbell.qp());
    } else if (message instanceof Message.Later later) {
      later(later.nanos(), later.action());
    } else if (message instanceof Message.Retire retire) {
      waiting.remove(retire.qp());
      retire.qp().requester().abandon();
      retire.qp().responder().abandon();
      dma.submit(new DmaStage.Job.Barrier(retire.done()));
    }
  }

  private void watch(QueuePair qp) {
    if (qp.requester().isWaiting()) {
      waiting.add(qp);
    }
  }
}
