package org.mrcheck.check.capture;

import java.util.Optional;

/**
 * A management datagram (IBTA volume 1, chapter 13).
 *
 * @param managementClass such as 0x07, communication management
 * @param attribute attribute identifier, 16 bits
 * @param connection the connection manager's message, where it is one of those that matter here
 */
public record ManagementDatagram(
    int managementClass, int attribute, Optional<ConnectionMessage> connection) {
  /** The class of the connection manager's messages. */
  public static final int COMMUNICATION_MANAGEMENT = 0x07;

  /** A message of the connection manager (IBTA volume 1, section 12.6). */
  public sealed interface ConnectionMessage {
    /** The sender's identifier of the connection being made. */
    int localId();
  }

  /**
   * ConnectRequest.
   *
   * @param queuePair the sender's queue pair number
   * @param startingPsn the first PSN the sender expects to receive
   * @param mtu path MTU in bytes, 0 where the code is reserved
   */
  public record ConnectRequest(int localId, int queuePair, int startingPsn, int mtu)
      implements ConnectionMessage {}

  /**
   * ConnectReply.
   *
   * @param remoteId identifier in the request answered
   * @param queuePair the sender's queue pair number
   * @param startingPsn the first PSN the sender expects to receive
   */
  public record ConnectReply(int localId, int remoteId, int queuePair, int startingPsn)
      implements ConnectionMessage {}

  /** ReadyToUse. */
  public record ReadyToUse(int localId, int remoteId) implements ConnectionMessage {}

  /** ConnectReject. */
  public record ConnectReject(int localId, int remoteId) implements ConnectionMessage {}

  /**
   * DisconnectRequest.
   *
   * @param remoteQueuePair the receiver's queue pair number
   */
  public record DisconnectRequest(int localId, int remoteId, int remoteQueuePair)
      implements ConnectionMessage {}

  /** DisconnectReply. */
  public record DisconnectReply(int localId, int remoteId) implements ConnectionMessage {}
}
