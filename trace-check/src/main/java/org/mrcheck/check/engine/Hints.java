package org.mrcheck.check.engine;

import org.mrcheck.lang.trace.TraceEvent;

/** Where to look first: who did the event that was refused. */
final class Hints {
  private Hints() {}

  static String hint(TraceEvent event) {
    String actor = event.stamp().actor().toString();
    String host = event.stamp().actor().host();
    return switch (event.name().eventClass()) {
      case DMA -> "the device of " + host + ": its " + actor + " touched memory here";
      case CHECK -> "the key check of the device of " + host + ", made by " + actor;
      case CACHE -> "the key cache of the device of " + host;
      case WIRE ->
          switch (event.name()) {
            case ACK, NAK -> "the responder of " + host + ", which sent this answer";
            case TX -> "the queue pair on " + host + ", which sent this packet";
            default -> "the sender of this packet, or the queue pair on " + host;
          };
      case REGISTRATION -> "the driver or device of " + host + " that ended this call";
      case POSTING ->
          event.name() == org.mrcheck.lang.trace.EventName.WC
              ? "the requester's device or provider on " + host + ", which made this completion"
              : "the application on " + host;
      case QUEUE_PAIR -> "the driver of " + host + ", which moved the queue pair";
      case RECORDING -> "the recorder on " + host;
    };
  }
}
