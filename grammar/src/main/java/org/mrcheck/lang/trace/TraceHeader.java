package org.mrcheck.lang.trace;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a recording says about itself before its first event.
 *
 * @param version version of the trace language, 1
 * @param hosts the hosts it speaks of
 * @param transport such as {@code rocev2}, {@code infiniband} or {@code memory}
 * @param source what the recording was made from or by, for people
 * @param observed which event classes were recorded on which host, and how fully
 * @param attributes declared properties of devices or of the recording, such as {@code
 *     dereg=relaxed}
 */
public record TraceHeader(
    int version,
    List<Host> hosts,
    Optional<String> transport,
    Optional<String> source,
    List<Observation> observed,
    Map<String, String> attributes) {

  /** The version this build writes and reads. */
  public static final int CURRENT_VERSION = 1;

  /**
   * One host.
   *
   * @param name as in {@link Actor#host}
   * @param process operating system process, 0 where unknown
   * @param generation boot or process generation, from 1
   * @param clock the clock domain; stamps of different domains are not comparable
   * @param byteOrder {@code little} or {@code big}
   */
  public record Host(String name, long process, int generation, String clock, String byteOrder) {}

  /** How fully a class of events was recorded. */
  public enum Completeness {
    /** Every event of the class on that host since the host's objects came into being. */
    COMPLETE,
    /** Some events of the class may be missing, before the beginning or in between. */
    PARTIAL
  }

  /**
   * One class of events on one host.
   *
   * @param host a host's name, or {@code *} for every host
   */
  public record Observation(EventClass eventClass, String host, Completeness completeness) {}

  /** How fully a class was recorded on a host; empty if it was not recorded. */
  public Optional<Completeness> completeness(EventClass eventClass, String host) {
    Optional<Completeness> found = Optional.empty();
    for (Observation observation : observed) {
      if (observation.eventClass() == eventClass) {
        if (observation.host().equals(host)) {
          return Optional.of(observation.completeness());
        }
        if (observation.host().equals("*")) {
          found = Optional.of(observation.completeness());
        }
      }
    }
    return found;
  }
}
