package org.mrcheck.rnic;

import java.util.Objects;
import java.util.Optional;
import org.mrcheck.lang.trace.AccessFlags;

/**
 * What {@code ibv_create_qp} is asked for.
 *
 * @param sendCompletions where work requests complete
 * @param receiveCompletions where receive requests complete; may be the same queue
 * @param sharedReceives where messages get their receive requests; empty for a queue of its own
 * @param transport RC or UC
 * @param rights which remote operations it takes at all (row C11)
 * @param signalAll whether every work request is reported ({@code sq_sig_all})
 */
public record QueuePairOptions(
    CompletionQueue sendCompletions,
    CompletionQueue receiveCompletions,
    Optional<SharedReceiveQueue> sharedReceives,
    Transport transport,
    AccessFlags rights,
    boolean signalAll) {
  /** A connected transport ({@code IBV_QPT_RC}, {@code IBV_QPT_UC}). */
  public enum Transport {
    /** Reliable connection. */
    RC,
    /** Unreliable connection: no answers, no READs, no atomics. */
    UC
  }

  /** Checks that nothing is missing. */
  public QueuePairOptions {
    Objects.requireNonNull(sendCompletions, "sendCompletions");
    Objects.requireNonNull(receiveCompletions, "receiveCompletions");
    Objects.requireNonNull(sharedReceives, "sharedReceives");
    Objects.requireNonNull(transport, "transport");
    Objects.requireNonNull(rights, "rights");
  }

  /** A reliable one with one queue for all its completions and receive requests of its own. */
  public static QueuePairOptions reliable(CompletionQueue completions, AccessFlags rights) {
    return new QueuePairOptions(
        completions, completions, Optional.empty(), Transport.RC, rights, false);
  }

  /** The same with another queue for the completions of receive requests. */
  public QueuePairOptions withReceiveCompletions(CompletionQueue completions) {
    return new QueuePairOptions(
        sendCompletions, completions, sharedReceives, transport, rights, signalAll);
  }

  /** The same with receive requests out of a shared queue. */
  public QueuePairOptions withSharedReceives(SharedReceiveQueue receives) {
    return new QueuePairOptions(
        sendCompletions, receiveCompletions, Optional.of(receives), transport, rights, signalAll);
  }

  /** The same on another transport. */
  public QueuePairOptions withTransport(Transport other) {
    return new QueuePairOptions(
        sendCompletions, receiveCompletions, sharedReceives, other, rights, signalAll);
  }

  /** The same with every work request reported. */
  public QueuePairOptions withSignalAll() {
    return new QueuePairOptions(
        sendCompletions, receiveCompletions, sharedReceives, transport, rights, true);
  }
}
