package org.mrcheck.rnic;

import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.Opcode;
import org.mrcheck.lang.trace.Packet;
import org.mrcheck.lang.trace.Syndrome;

/**
 * The responder's second stage, one thread per engine: it accesses memory for packets whose key was
 * checked, and answers. A packet waits here while it holds a reference to its region, as in a
 * device whose check runs ahead of its DMA engine. Jobs are done in the order in which the engine
 * submitted them, so that answers leave in order and never before the accesses they report. It
 * waits for nothing but jobs.
 */
final class DmaStage {
  /** A job and the time before which it is not done. */
  private record Queued(Job job, long dueNanos) {}

  private static final Syndrome ACKNOWLEDGE = new Syndrome(0x1f);

  /** What the stage is asked to do. */
  sealed interface Job {
    /** Writes a packet's payload under the reference that {@code region} stands for. */
    record Place(
        QueuePair qp,
        int psn,
        MemoryRegion region,
        long va,
        byte[] payload,
        boolean endsMessage,
        boolean acknowledge)
        implements Job {}

    /** Reads a packet's worth of memory and sends it; {@code region} is null for no bytes. */
    record Respond(
        QueuePair qp,
        int psn,
        MemoryRegion region,
        long va,
        int length,
        Opcode opcode,
        boolean first)
        implements Job {}

    /** Acknowledges without any access. */
    record Acknowledge(QueuePair qp, int psn, boolean endsMessage) implements Job {}

    /** Sends a NAK, and puts the queue pair into the error state if it is a fatal one. */
    record Refuse(QueuePair qp, int psn, Syndrome syndrome) implements Job {}

    /** Says when everything submitted before is done. */
    record Barrier(CountDownLatch done) implements Job {}
  }

  private final SoftRnic device;
  private final Actor actor;
  private final ArrayBlockingQueue<Queued> jobs;
  private final long latencyNanos;
  private final Thread thread;
  private volatile boolean stopping;

  DmaStage(SoftRnic device, int number, int depth) {
    this.device = device;
    actor = new Actor(device.host(), "dma" + number);
    jobs = new ArrayBlockingQueue<>(depth);
    latencyNanos = device.config().dmaLatency().toNanos();
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
      Queued queued = new Queued(job, latencyNanos == 0 ? 0 : System.nanoTime() + latencyNanos);
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

  private static void await(long dueNanos) {
    long left = dueNanos - System.nanoTime();
    while (left > 0) {
      LockSupport.parkNanos(left);
      left = dueNanos - System.nanoTime();
    }
  }

  private void perform(Job job) {
    if (job instanceof Job.Place place) {
      place(place);
    } else if (job instanceof Job.Respond respond) {
      respond(respond);
    } else if (job instanceof Job.Acknowledge acknowledge) {
      if (acknowledge.endsMessage()) {
        acknowledge.qp().responder().countMessage();
      }
      acknowledge(acknowledge.qp(), acknowledge.psn());
    } else if (job instanceof Job.Refuse refuse) {
      refuse(refuse);
    } else if (job instanceof Job.Barrier barrier) {
      barrier.done().countDown();
    }
  }

  private void place(Job.Place job) {
    QueuePair qp = job.qp();
    MemoryRegion region = job.region();
    int length = job.payload().length;
    region.write(job.va(), job.payload(), length);
    device.trace().dmaWrite(actor, qp.id(), job.psn(), region, job.va(), length);
    region.release();
    if (job.endsMessage()) {
      qp.responder().countMessage();
    }
    if (job.acknowledge()) {
      acknowledge(qp, job.psn());
    }
  }

  private void respond(Job.Respond job) {
    QueuePair qp = job.qp();
    byte[] payload = Wire.Frame.EMPTY;
    if (job.region() != null) {
      payload = new byte[job.length()];
      job.region().read(job.va(), payload, job.length());
      device.trace().dmaRead(actor, qp.id(), job.psn(), job.region(), job.va(), job.length());
      job.region().release();
    }
    if (job.first()) {
      // A READ counts from its first response on (C9-148).
      qp.responder().countMessage();
    }
    if (qp.isSilent()) {
      return;
    }
    Packet packet = Packet.plain(job.opcode(), job.psn(), false, job.length());
    if (job.opcode().hasAeth()) {
      packet = packet.withAeth(ACKNOWLEDGE, qp.responder().messages());
    }
    device.trace().tx(actor, qp.id(), packet);
    qp.send(new Wire.Frame(packet, payload));
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
      return;
    }
    answer(qp, job.psn(), job.syndrome());
    if (job.syndrome().isFatal() && qp.enterError(actor)) {
      boolean access = job.syndrome().equals(Syndrome.REMOTE_ACCESS_ERROR);
      device
          .trace()
          .async(
              actor,
              Optional.of(qp.id()),
              access ? "IBV_EVENT_QP_ACCESS_ERR" : "IBV_EVENT_QP_REQ_ERR");
    }
  }

  private void answer(QueuePair qp, int psn, Syndrome syndrome) {
    int msn = qp.responder().messages();
    Packet packet = Packet.plain(Opcode.RC_ACKNOWLEDGE, psn, false, 0).withAeth(syndrome, msn);
    if (syndrome.kind() == Syndrome.Kind.ACK) {
      device.trace().ack(actor, qp.id(), psn, msn, syndrome);
    } else {
      device.trace().nak(actor, qp.id(), psn, msn, syndrome);
    }
    qp.send(new Wire.Frame(packet, Wire.Frame.EMPTY));
  }
}
