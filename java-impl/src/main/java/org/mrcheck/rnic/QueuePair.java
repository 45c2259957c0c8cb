package org.mrcheck.rnic;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.QueuePairAddress;
import org.mrcheck.lang.trace.QueuePairId;
import org.mrcheck.lang.trace.QueuePairState;
import org.mrcheck.lang.trace.TraceEvent.Mover;
import org.mrcheck.rnic.QueuePairOptions.Transport;

/**
 * A queue pair of the reliable (RC) or unreliable (UC) connection. Safe for several threads.
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
 *   <dt>Receiving
 *   <dd>A receive request completes on the DMA stage, after the accesses of its message and before
 *       the acknowledgement. Flushing the receive queue is a job of the DMA stage too, so that no
 *       flush overtakes a success.
 *   <dt>Reset and destruction
 *   <dd>store RESET untraced, let the engine and then the DMA stage finish what they hold, remove
 *       the completions that nobody polled, and trace {@code qp.state RESET}; a reset queue pair
 *       then gets new halves, a destroyed one traces {@code qp.destroy} as its last event.
 * </dl>
 */
public final class QueuePair {
  private final SoftRnic device;
  private final QueuePairId id;
  private final ProtectionDomain pd;
  private final QueuePairOptions options;
  private final ReceiveQueue receives;
  private final Engine engine;
  private final Object stateLock = new Object();
  private final TraceOrder order;

  /** Replaced on reset, when no engine holds them. */
  private volatile Requester requester;

  private volatile Responder responder;

  private volatile QueuePairState state = QueuePairState.RESET;
  private volatile boolean errorAnnounced;
  private volatile boolean sendErrorAnnounced;
  private volatile Connection connection;
  private volatile RetrySettings retries;

  // Guarded by stateLock.
  private boolean destroyed;
  private boolean resetting;

  QueuePair(
      SoftRnic device,
      QueuePairId id,
      ProtectionDomain pd,
      QueuePairOptions options,
      Engine engine) {
    this.device = device;
    this.id = id;
    this.pd = pd;
    this.options = options;
    this.engine = engine;
    RnicConfig config = device.config();
    retries =
        new RetrySettings(
            config.retryTimeout(), config.retryCount(), config.transport().rnrRetryCount());
    receives = new ReceiveQueue(this);
    order = new TraceOrder(device.config().recording().nextOrder());
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
    return options.rights();
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
    if (state == QueuePairState.RESET) {
      modify(QueuePairState.INIT);
    }
    modifyToReadyToReceive(newConnection);
    modifyToReadyToSend(retries);
  }

  /**
   * Moves it from INIT to RTR: from now on it takes requests.
   *
   * @throws IllegalStateException if it is in another state or destroyed
   */
  public void modifyToReadyToReceive(Connection newConnection) {
    Objects.requireNonNull(newConnection, "newConnection");
    Actor actor = device.caller();
    synchronized (stateLock) {
      requireTransition(QueuePairState.RTR);
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
    }
  }

  /**
   * Moves it from RTR to RTS: from now on it sends.
   *
   * @param settings how long it tries
   * @throws IllegalStateException if it is in another state or destroyed
   */
  public void modifyToReadyToSend(RetrySettings settings) {
    Objects.requireNonNull(settings, "settings");
    Actor actor = device.caller();
    synchronized (stateLock) {
      if (state != QueuePairState.RTR) {
        throw noTransition(QueuePairState.RTS);
      }
      retries = settings;
      become(actor, QueuePairState.RTS);
    }
  }

  /**
   * Moves it to another state, by {@code ibv_modify_qp}'s rules:
   *
   * <ul>
   *   <li>RESET, from any state: what is posted and under way vanishes without completions, as does
   *       what has completed and was not polled.
   *   <li>INIT, from RESET.
   *   <li>SQD, from RTS: what is under way is completed, then {@link AsyncEventType#SQ_DRAINED} is
   *       raised; what is posted meanwhile waits.
   *   <li>RTS, from SQD and SQE.
   *   <li>ERR, from any state but RESET: what is posted and what is outstanding completes with
   *       {@code WR_FLUSH_ERR} (row E12), and packets that arrive are ignored (row E13).
   * </ul>
   *
   * <p>RTR is reached by {@link #modifyToReadyToReceive}. A transition to the state it is in does
   * nothing where {@code ibv_modify_qp} allows it.
   *
   * @throws IllegalStateException if there is no such transition, or it is destroyed
   */
  public void modify(QueuePairState target) {
    if (target == QueuePairState.RESET) {
      reset();
      return;
    }
    Actor actor = device.caller();
    synchronized (stateLock) {
      requireTransition(target);
      if (target == QueuePairState.RTR
          || target == QueuePairState.RTS && state == QueuePairState.RTR) {
        throw new IllegalStateException(
            "qp=" + id + " target=" + target + " needs attributes; use its own method");
      }
      if (target == state) {
        return;
      }
      if (target == QueuePairState.RTS) {
        sendErrorAnnounced = false;
        become(actor, target);
      } else if (target == QueuePairState.INIT) {
        become(actor, target);
      } else if (target == QueuePairState.SQD) {
        state = target;
        device.trace().qpState(actor, this, target, Mover.APPLICATION);
      }
    }
    if (target == QueuePairState.ERR) {
      enterError(actor, Mover.APPLICATION);
    } else {
      engine.ring(this);
    }
  }

  /** Whether {@code ibv_modify_qp} has that transition, RESET and ERR included. */
  static boolean isTransition(QueuePairState from, QueuePairState to) {
    if (to == QueuePairState.RESET) {
      return true;
    }
    if (to == QueuePairState.ERR) {
      return from != QueuePairState.RESET;
    }
    return switch (from) {
      case RESET -> to == QueuePairState.INIT;
      case INIT -> to == QueuePairState.INIT || to == QueuePairState.RTR;
      case RTR, SQE -> to == QueuePairState.RTS;
      case RTS, SQD -> to == QueuePairState.RTS || to == QueuePairState.SQD;
      case ERR -> false;
    };
  }

  /** With stateLock held. */
  private void requireTransition(QueuePairState target) {
    if (destroyed || resetting || !isTransition(state, target)) {
      throw noTransition(target);
    }
  }

  private IllegalStateException noTransition(QueuePairState target) {
    return new IllegalStateException(
        destroyed
            ? "qp=" + id + " is destroyed"
            : "qp=" + id + " state=" + state + " target=" + target + " is no transition");
  }

  /**
   * Posts a work request to the send queue. In SQD it waits; in SQE and ERR it is flushed.
   *
   * @throws IllegalStateException if the state is RESET, INIT or RTR
   * @throws IllegalArgumentException if the transport has no such operation, or the request has too
   *     much inline data
   */
  public void post(WorkRequest request) {
    QueuePairState now = state;
    if (now == QueuePairState.RESET || now == QueuePairState.INIT || now == QueuePairState.RTR) {
      throw new IllegalStateException("qp=" + id + " state=" + now + " takes no work requests");
    }
    if (isUnreliable() && (request.fetches() || request instanceof WorkRequest.SendWithInv)) {
      throw new IllegalArgumentException(
          "qp=" + id + " transport=UC has no " + request.operation());
    }
    int maxInline = device.config().transport().maxInline();
    if (request.data() instanceof LocalData.Inline && request.data().length() > maxInline) {
      throw new IllegalArgumentException(
          "inline=" + request.data().length() + " is over max_inline_data=" + maxInline);
    }
    requester.post(device.caller(), request);
    engine.ring(this);
  }

  /**
   * Posts a receive request. In ERR it is flushed.
   *
   * @throws IllegalStateException if the state is RESET, or it takes them from a shared queue
   */
  public void postReceive(ReceiveRequest request) {
    if (options.sharedReceives().isPresent()) {
      throw new IllegalStateException("qp=" + id + " has a shared receive queue");
    }
    QueuePairState now = state;
    if (now == QueuePairState.RESET) {
      throw new IllegalStateException("qp=" + id + " state=" + now + " takes no receive requests");
    }
    receives.post(device.caller(), request);
    if (isSilent()) {
      engine.ring(this);
    }
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
    quiesce();
    Actor actor = device.caller();
    device.trace().qpState(actor, this, QueuePairState.RESET, Mover.APPLICATION);
    device.trace().qpDestroy(actor, id);
    device.forget(this);
  }

  private void reset() {
    synchronized (stateLock) {
      requireTransition(QueuePairState.RESET);
      resetting = true;
      state = QueuePairState.RESET;
    }
    quiesce();
    synchronized (stateLock) {
      errorAnnounced = false;
      sendErrorAnnounced = false;
      requester = new Requester(this, engine);
      responder = new Responder(this, engine);
      device.trace().qpState(device.caller(), this, QueuePairState.RESET, Mover.APPLICATION);
      resetting = false;
    }
  }

  /** Waits until the device has let go of it, and forgets what it has completed. */
  private void quiesce() {
    CountDownLatch done = new CountDownLatch(1);
    engine.retire(this, done);
    device.await(done);
    receives.clear();
    sendCompletions().discard(id);
    if (receiveCompletions() != sendCompletions()) {
      receiveCompletions().discard(id);
    }
  }

  private void become(Actor actor, QueuePairState next) {
    device.trace().qpState(actor, this, next, Mover.APPLICATION);
    state = next;
  }

  /** Goes to ERR and says so; false if it is there, or destroyed, already. */
  boolean enterError(Actor actor, Mover by) {
    synchronized (stateLock) {
      if (destroyed || resetting || state == QueuePairState.ERR) {
        return false;
      }
      state = QueuePairState.ERR;
      device.trace().qpState(actor, this, QueuePairState.ERR, by);
      errorAnnounced = true;
      sendErrorAnnounced = true;
    }
    engine.ring(this);
    if (options.sharedReceives().isPresent()) {
      device.raise(actor, Optional.of(id), AsyncEventType.QP_LAST_WQE_REACHED);
    }
    return true;
  }

  /** Goes from RTS or SQD to SQE, where only the send queue stands still. */
  void enterSendQueueError(Actor actor) {
    synchronized (stateLock) {
      if (state == QueuePairState.RTS || state == QueuePairState.SQD) {
        state = QueuePairState.SQE;
        device.trace().qpState(actor, this, QueuePairState.SQE, Mover.DEVICE);
        sendErrorAnnounced = true;
      }
    }
  }

  /** Whether ERR was entered and traced. */
  boolean isErrorAnnounced() {
    return errorAnnounced;
  }

  /** Whether ERR or SQE was entered and traced. */
  boolean isSendErrorAnnounced() {
    return sendErrorAnnounced;
  }

  /** Whether it may not send anything any more. */
  boolean isSilent() {
    QueuePairState now = state;
    return now == QueuePairState.ERR || now == QueuePairState.RESET;
  }

  /** Whether it executes requests (row E13). */
  boolean takesRequests() {
    return switch (state) {
      case RTR, RTS, SQD, SQE -> true;
      case RESET, INIT, ERR -> false;
    };
  }

  boolean isUnreliable() {
    return options.transport() == Transport.UC;
  }

  boolean signalsAll() {
    return options.signalAll();
  }

  /** The first request has arrived. */
  void communicationEstablished(Actor actor) {
    if (state == QueuePairState.RTR) {
      device.raise(actor, Optional.of(id), AsyncEventType.COMM_EST);
    }
  }

  /** The receive request for the next message, or null. */
  ReceiveRequest takeReceive(Actor actor) {
    return options.sharedReceives().isPresent()
        ? options.sharedReceives().get().take(actor, this)
        : receives.take();
  }

  /** On the engine: a packet has arrived. */
  void arrived(Wire.Frame frame) {
    QueuePairState now = state;
    if (now == QueuePairState.RESET || now == QueuePairState.INIT) {
      return;
    }
    boolean mine =
        isUnreliable()
            ? frame.header().opcode().isUnreliableConnection()
            : frame.header().opcode().isReliableConnection();
    if (!mine) {
      return;
    }
    device.trace().rx(engine.actor(), this, frame.header());
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

  /** What orders the events of its packets and states. */
  TraceOrder order() {
    return order;
  }

  Connection connection() {
    return connection;
  }

  RetrySettings retries() {
    return retries;
  }

  ReceiveQueue receives() {
    return receives;
  }

  SoftRnic device() {
    return device;
  }

  CompletionQueue sendCompletions() {
    return options.sendCompletions();
  }

  CompletionQueue receiveCompletions() {
    return options.receiveCompletions();
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
