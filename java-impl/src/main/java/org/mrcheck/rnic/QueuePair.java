package org.mrcheck.rnic;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.QueuePairState;

/**
 * A queue pair of the reliable connection (RC). Safe for several threads.
 *
 * <h2>Concurrency</h2>
 *
 * <p>Three kinds of threads meet here. Application threads post and change the state. One engine
 * thread owns the {@link Requester} and the check half of the {@link Responder}. One thread of the
 * {@link DmaStage} accesses memory and answers, in the order in which the engine submitted.
 *
 * <dl>
 *   <dt>State
 *   <dd>changes under {@code stateLock}, together with its trace event; engines read it without. A
 *       change that takes abilities away (to ERR) is stored before it is traced; one that gives
 *       abilities (to RTR, RTS) is traced before it is stored. A packet's {@code rx} is traced
 *       before the state is read for it. So a packet whose {@code rx} comes after {@code qp.state
 *       ERR} meets the stored ERR and is neither executed nor answered.
 *   <dt>Flushing
 *   <dd>begins only after {@code qp.state ERR} was traced ({@code errorAnnounced}), so that no
 *       flushed completion precedes its reason.
 *   <dt>Posting
 *   <dd>traces {@code post} under the send queue's lock, before the engine can see the request: the
 *       order of {@code post} events is that of the queue, and {@code tx} comes after {@code post}.
 *   <dt>Refusal
 *   <dd>After a refused check the engine submits the NAK and drops what follows, without waiting.
 *       The NAK leaves when everything submitted before is executed and answered; then the queue
 *       pair goes to ERR: {@code nak}, {@code qp.state}, {@code async} (row E7).
 *   <dt>Destruction
 *   <dd>stores RESET untraced, lets the engine and then the DMA stage finish what they hold,
 *       removes its completions, and traces {@code qp.state RESET} as the queue pair's last event.
 * </dl>
 */
public final class QueuePair {
  private final SoftRnic device;
  private final QueuePairId id;
  private final ProtectionDomain pd;
  private final AccessFlags rights;
  private final CompletionQueue sendCompletions;
  private final Engine engine;
  private final Requester requester;
  private final Responder responder;
  private final Object stateLock = new Object();

  private volatile QueuePairState state = QueuePairState.RESET;
  private volatile boolean errorAnnounced;
  private volatile Connection connection;

  /** Guarded by stateLock. */
  private boolean destroyed;

  QueuePair(
      SoftRnic device,
      QueuePairId id,
      ProtectionDomain pd,
      AccessFlags rights,
      CompletionQueue sendCompletions,
      Engine engine) {
    this.device = device;
    this.id = id;
    this.pd = pd;
    this.rights = rights;
    this.sendCompletions = sendCompletions;
    this.engine = engine;
    requester = new Requester(this, engine);
    responder = new Responder(this, engine);
  }

  /** Its number and which queue pair of that number it is. */
  public QueuePairId id() {
    return id;
  }

  /** Its device and number, to connect another queue pair to it. */
  public QueuePairAddress address() {
    return new QueuePairAddress(device.host(), id);
  }

  /** Its protection domain. */
  public ProtectionDomain pd() {
    return pd;
  }

  /** Which remote operations it takes at all (row C11). */
  public AccessFlags rights() {
    return rights;
  }

  /** Its state now. */
  public QueuePairState state() {
    return state;
  }

  /**
   * Moves it from RESET or INIT through RTR to RTS. Both ends must be connected before either
   * posts.
   *
   * @throws IllegalStateException if it is in another state or destroyed
   */
  public void connect(Connection newConnection) {
    Actor actor = device.caller();
    synchronized (stateLock) {
      if (destroyed || state != QueuePairState.RESET && state != QueuePairState.INIT) {
        throw new IllegalStateException("qp=" + id + " state=" + state + " cannot be connected");
      }
      if (state == QueuePairState.RESET) {
        become(actor, QueuePairState.INIT);
      }
      device
          .trace()
          .qpConnect(
              actor,
              id,
              newConnection.peer(),
              newConnection.receivePsn(),
              newConnection.sendPsn(),
              newConnection.mtu());
      device.wire().tap().connected(this, newConnection);
      requester.connected(newConnection);
      responder.connected(newConnection);
      connection = newConnection;
      become(actor, QueuePairState.RTR);
      become(actor, QueuePairState.RTS);
    }
  }

  /**
   * Moves it to INIT (from RESET) or to ERR (from any state but RESET). In ERR, what is posted and
   * what is outstanding completes with {@code WR_FLUSH_ERR} (row E12), and packets that arrive are
   * ignored (row E13).
   *
   * @throws IllegalStateException if there is no such transition
   */
  public void modify(QueuePairState target) {
    Actor actor = device.caller();
    synchronized (stateLock) {
      if (destroyed) {
        throw new IllegalStateException("qp=" + id + " is destroyed");
      }
      if (target == QueuePairState.INIT && state == QueuePairState.RESET) {
        become(actor, target);
        return;
      }
      if (target != QueuePairState.ERR || state == QueuePairState.RESET) {
        throw new IllegalStateException("qp=" + id + " state=" + state + " target=" + target);
      }
    }
    enterError(actor);
  }

  /**
   * Posts a work request to the send queue.
   *
   * @throws IllegalStateException if the state is neither RTS nor ERR
   */
  public void post(WorkRequest request) {
    QueuePairState now = state;
    if (now != QueuePairState.RTS && now != QueuePairState.ERR) {
      throw new IllegalStateException("qp=" + id + " state=" + now + " takes no work requests");
    }
    requester.post(device.caller(), request);
    engine.ring(this);
  }

  /**
   * Destroys the queue pair: returns when the device has let go of it. Its completions that nobody
   * polled vanish. A second call does nothing.
   */
  public void destroy() {
    synchronized (stateLock) {
      if (destroyed) {
        return;
      }
      destroyed = true;
      state = QueuePairState.RESET;
    }
    CountDownLatch done = new CountDownLatch(1);
    engine.retire(this, done);
    boolean interrupted = false;
    while (true) {
      try {
        if (done.await(100, TimeUnit.MILLISECONDS)) {
          break;
        }
        device.requireAlive();
      } catch (InterruptedException again) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    sendCompletions.discard(id);
    device.trace().qpState(device.caller(), id, QueuePairState.RESET);
    device.forget(this);
  }

  private void become(Actor actor, QueuePairState next) {
    device.trace().qpState(actor, id, next);
    state = next;
  }

  /** Goes to ERR and says so; false if it is there, or destroyed, already. */
  boolean enterError(Actor actor) {
    synchronized (stateLock) {
      if (destroyed || state == QueuePairState.ERR) {
        return false;
      }
      state = QueuePairState.ERR;
      device.trace().qpState(actor, id, QueuePairState.ERR);
      errorAnnounced = true;
    }
    engine.ring(this);
    return true;
  }

  /** Whether ERR was entered and traced. */
  boolean isErrorAnnounced() {
    return errorAnnounced;
  }

  /** Whether it may not send anything any more. */
  boolean isSilent() {
    QueuePairState now = state;
    return now == QueuePairState.ERR || now == QueuePairState.RESET;
  }

  /** On the engine: a packet has arrived. */
  void arrived(Wire.Frame frame) {
    QueuePairState now = state;
    if (now == QueuePairState.RESET || now == QueuePairState.INIT) {
      return;
    }
    device.trace().rx(engine.actor(), id, frame.header());
    if (isSilent()) {
      return;
    }
    if (frame.header().opcode().isRequest()) {
      responder.request(frame);
    } else {
      requester.answer(frame);
    }
  }

  void send(Wire.Frame frame) {
    device.wire().send(this, connection.peer(), frame);
  }

  Connection connection() {
    return connection;
  }

  SoftRnic device() {
    return device;
  }

  CompletionQueue sendCompletions() {
    return sendCompletions;
  }

  Engine engine() {
    return engine;
  }

  Requester requester() {
    return requester;
  }

  Responder responder() {
    return responder;
  }

  @Override
  public String toString() {
    return "qp " + address();
  }
}
