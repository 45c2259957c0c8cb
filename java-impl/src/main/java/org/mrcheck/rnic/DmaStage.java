package org.mrcheck.rnic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.Syndrome;
import org.mrcheck.lang.trace.TraceEvent.Mover;

/**
 * The responder's second stage, one thread per engine: it accesses memory for packets whose key was
 * checked, completes receive requests, and answers. A packet waits here while it holds a reference
 * to its region, as in a device whose check runs ahead of its DMA engine. Jobs are done in the
 * order in which the engine submitted them, so that answers leave in order and never before the
 * accesses they report. It waits for nothing but jobs.
 */
final class DmaStage {
  /** A job and the time before which it is not done. */
  private record Queued(Job job, long dueNanos) {}

  static final Syndrome ACKNOWLEDGE = new Syndrome(0x1f);

  /** What the stage is asked to do. */
  sealed interface Job {
    /**
     * Writes a packet's payload, or a part of it.
     *
     * @param holds whether the job owns a reference to the region, to be given back; without one a
     *     message's pin protects the memory, or nothing does, as the policies say
     */
    record Place(QueuePair qp, int psn, KeyTarget region, long va, byte[] payload, boolean holds)
        implements Job {}

    /**
     * Reads a packet's worth of memory and sends it.
     *
     * @param region null for no bytes
     * @param holds as above
     * @param done the READ that this response is the last of, or null
     */
    record Respond(
        QueuePair qp,
        int psn,
        KeyTarget region,
        long va,
        int length,
        Opcode opcode,
        boolean first,
        boolean holds,
        ReplayStore.Entry done)
        implements Job {}

    /** Does an atomic operation and answers with what was there before. */
    record Atomic(QueuePair qp, ReplayStore.Entry entry, KeyTarget region, boolean holds)
        implements Job {}

    /** Answers an atomic operation again. */
    record RepeatAtomic(QueuePair qp, ReplayStore.Entry entry) implements Job {}

    /** Acknowledges everything up to that PSN. */
    record Acknowledge(QueuePair qp, int psn) implements Job {}

    /** Counts a message as executed, and completes the receive request that it took, if any. */
    record EndMessage(QueuePair qp, WorkCompletion completion, boolean solicited) implements Job {}

    /** Lets go of what an accepted message has pinned; nothing before this job needs it. */
    record Unpin(QueuePair qp, KeyTarget region) implements Job {}

    /**
     * Sends a NAK. If it is a fatal one, completes the receive request of the message in error, if
     * there is one, and puts the queue pair into the error state.
     */
    record Refuse(QueuePair qp, int psn, Syndrome syndrome, WorkCompletion completion)
        implements Job {}

    /** Puts the queue pair into the error state without a NAK (class J). */
    record FailQuietly(QueuePair qp, WorkCompletion completion) implements Job {}

    /** Completes with a flush what the receive queue holds. */
    record FlushReceives(QueuePair qp) implements Job {}

    /** Says when everything submitted before is done. */
    record Barrier(CountDownLatch done) implements Job {}
  }

  private final SoftRnic device;
  private final Actor actor;
  private final ArrayBlockingQueue<Queued> jobs;
  private final long latencyNanos;
  private final Thread thread;
  private final int mostCoalesced;

  /** Acknowledgements left out in a row; of this stage's thread alone. */
  private int coalesced;

  private volatile boolean stopping;

  DmaStage(SoftRnic device, int number, int depth) {
    this.device = device;
    actor = new Actor(device.host(), "dma" + number);
    jobs = new ArrayBlockingQueue<>(depth);
    latencyNanos = device.config().dmaLatency().toNanos();
    mostCoalesced = device.config().transport().ackCoalescing();
    thread = new Thread(this::run, device.host() + "-dma" + number);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void stop() {
    stopping = true;
    SoftRnic.joinUninterruptibly(thread);
  }

  /** Queues a job; waits while the queue is full. */
  void submit(Job job) {
    try {
      Queued queued = new Queued(job, latencyNanos == 0 ? 0 : device.nanoTime() + latencyNanos);
      while (!jobs.offer(queued, 100, TimeUnit.MILLISECONDS)) {
        device.requireAlive();
      }
    } catch (InterruptedException nobodyInterruptsEngines) {
      throw new IllegalStateException(nobodyInterruptsEngines);
    }
  }

  private void run() {
    try {
      while (true) {
        Queued queued = jobs.poll(20, TimeUnit.MILLISECONDS);
        if (queued != null) {
          if (latencyNanos != 0) {
            await(queued.dueNanos());
          }
          perform(queued.job());
        } else if (stopping) {
          return;
        }
      }
    } catch (InterruptedException | RuntimeException | Error problem) {
      device.fail(problem);
    }
  }

  private void await(long dueNanos) {
    long left = dueNanos - device.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = dueNanos - device.nanoTime();
    }
  }

  private void perform(Job job) {
    if (job instanceof Job.Place place) {
      place(place);
    } else if (job instanceof Job.Respond respond) {
      respond(respond);
    } else if (job instanceof Job.Acknowledge acknowledge) {
      if (!canWait(acknowledge.qp())) {
        acknowledge(acknowledge.qp(), acknowledge.psn());
      }
    } else if (job instanceof Job.EndMessage end) {
      end.qp().responder().countMessage();
      complete(end.qp(), end.completion(), end.solicited());
    } else if (job instanceof Job.Atomic atomic) {
      atomic(atomic);
    } else if (job instanceof Job.RepeatAtomic repeat) {
      answerAtomic(repeat.qp(), repeat.entry());
    } else if (job instanceof Job.Unpin unpin) {
      unpin.region().closeMessage(unpin.qp());
    } else if (job instanceof Job.Refuse refuse) {
      refuse(refuse);
    } else if (job instanceof Job.FailQuietly fail) {
      complete(fail.qp(), fail.completion(), true);
      fail.qp().enterError(actor, Mover.DEVICE);
    } else if (job instanceof Job.FlushReceives flush) {
      flush.qp().responder().flushReceives();
    } else if (job instanceof Job.Barrier barrier) {
      barrier.done().countDown();
    }
  }

  /** Whether a job that is waiting will acknowledge this one too. */
  private boolean canWait(QueuePair qp) {
    if (coalesced < mostCoalesced) {
      for (Queued queued : jobs) {
        if (queued.job() instanceof Job.Acknowledge later && later.qp() == qp) {
          coalesced++;
          return true;
        }
        boolean mayFollow =
            queued.job() instanceof Job.Place
                || queued.job() instanceof Job.EndMessage
                || queued.job() instanceof Job.Unpin;
        if (!mayFollow) {
          break;
        }
      }
    }
    coalesced = 0;
    return false;
  }

  private static void complete(QueuePair qp, WorkCompletion completion, boolean solicited) {
    if (completion != null) {
      qp.receiveCompletions().add(completion, solicited);
    }
  }

  private void place(Job.Place job) {
    KeyTarget region = job.region();
    int length = job.payload().length;
    region.write(actor, job.qp(), job.psn(), job.va(), job.payload(), length);
    if (job.holds()) {
      region.release();
    }
  }

  private void respond(Job.Respond job) {
    QueuePair qp = job.qp();
    byte[] payload = Wire.Frame.EMPTY;
    KeyTarget region = job.region();
    if (region != null) {
      payload = new byte[job.length()];
      region.read(actor, qp, job.psn(), job.va(), payload, job.length());
      if (job.holds()) {
        region.release();
      }
    }
    if (job.first()) {
      // A READ counts from its first response on (C9-148).
      qp.responder().countMessage();
    }
    if (job.done() != null) {
      job.done().finish(0);
    }
    if (qp.isSilent()) {
      return;
    }
    Packet packet = Packet.plain(job.opcode(), job.psn(), false, job.length());
    if (job.opcode().hasAeth()) {
      packet = packet.withAeth(ACKNOWLEDGE, qp.responder().messages());
    }
    device.trace().tx(actor, qp, packet);
    qp.send(new Wire.Frame(packet, payload));
  }

  private void atomic(Job.Atomic job) {
    QueuePair qp = job.qp();
    ReplayStore.Entry entry = job.entry();
    KeyTarget region = job.region();
    long va = entry.access().va();
    long before;
    // Atomic among all the device's atomic operations, not against its owner's (IBV_ATOMIC_HCA).
    synchronized (device.atomicLock()) {
      before = readLong(job, va);
      if (entry.changes(before)) {
        writeLong(job, va, entry.result(before));
      }
    }
    if (job.holds()) {
      region.release();
    }
    qp.responder().countMessage();
    entry.finish(before);
    answerAtomic(qp, entry);
  }

  private long readLong(Job.Atomic job, long va) {
    byte[] bytes = new byte[8];
    job.region().read(actor, job.qp(), job.entry().firstPsn(), va, bytes, 8);
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong();
  }

  private void writeLong(Job.Atomic job, long va, long value) {
    byte[] bytes = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(value).array();
    job.region().write(actor, job.qp(), job.entry().firstPsn(), va, bytes, 8);
  }

  private void answerAtomic(QueuePair qp, ReplayStore.Entry entry) {
    if (qp.isSilent()) {
      return;
    }
    Packet packet =
        Packet.plain(Opcode.RC_ATOMIC_ACKNOWLEDGE, entry.firstPsn(), false, 0)
            .withAeth(ACKNOWLEDGE, qp.responder().messages());
    packet = RocePackets.withOriginal(packet, entry.original());
    device.trace().tx(actor, qp, packet);
    qp.send(new Wire.Frame(packet, Wire.Frame.EMPTY));
  }

  private void acknowledge(QueuePair qp, int psn) {
    if (qp.isSilent()) {
      return;
    }
    answer(qp, psn, ACKNOWLEDGE);
  }

  private void refuse(Job.Refuse job) {
    QueuePair qp = job.qp();
    if (qp.isSilent()) {
      complete(qp, job.completion(), true);
      return;
    }
    if (!job.syndrome().isFatal()) {
      answer(qp, job.psn(), job.syndrome());
      return;
    }
    boolean errorFirst =
        switch (device.config().policies().get(Policies.NakThenError.class)) {
          case NAK_FIRST -> false;
          case ERROR_FIRST -> true;
          case CONCURRENT -> qp.responder().messages() % 2 == 0;
        };
    if (!errorFirst) {
      answer(qp, job.psn(), job.syndrome());
    }
    complete(qp, job.completion(), true);
    if (qp.enterError(actor, Mover.DEVICE)) {
      if (errorFirst) {
        answer(qp, job.psn(), job.syndrome());
      }
      if (device.config().policies().get(Policies.AsyncEvent.class) == Policies.AsyncEvent.RAISED) {
        device.raise(actor, Optional.of(qp.id()), AsyncEventType.ofNak(job.syndrome()));
      }
    }
  }

  private void answer(QueuePair qp, int psn, Syndrome syndrome) {
    int msn = qp.responder().messages();
    Packet packet = Packet.plain(Opcode.RC_ACKNOWLEDGE, psn, false, 0).withAeth(syndrome, msn);
    if (syndrome.kind() == Syndrome.Kind.ACK) {
      device.trace().ack(actor, qp, psn, msn, syndrome);
    } else {
      device.trace().nak(actor, qp, psn, msn, syndrome);
    }
    qp.send(new Wire.Frame(packet, Wire.Frame.EMPTY));
  }
}
