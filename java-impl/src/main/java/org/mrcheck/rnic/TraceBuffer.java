package org.mrcheck.rnic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.mrcheck.lang.trace.Actor;

/**
 * The trace records of one thread on their way to the {@link TraceMerger}: a ring of words with one
 * writer and one reader.
 *
 * <h2>Records</h2>
 *
 * <p>A record is some words in a row. Word 0: kind (8 bits), number of words (8), flags (16), actor
 * (32). Word 1: the stamp. Word 2: the stamp before it of the object it is ordered by. Word 3:
 * number of that object, or 0 (32 bits), and 32 bits for the kind of record. Then what the kind
 * has. The stamps of one buffer go up.
 *
 * <h2>Concurrency</h2>
 *
 * <p>The writer alone moves {@code tail}, with a release store after the words of a whole record;
 * the reader reads it with acquire and therefore sees whole records. The reader alone moves {@code
 * head}, with a release store after it has read; the writer reads it with acquire before it writes
 * over a place. The writer makes sure that there is room <em>before</em> it takes a stamp of an
 * object, so that between a stamp and its record's publication no thread waits for anything: a
 * missing record is always under way. Both positions only grow; the ring's place is the position
 * modulo its size.
 */
final class TraceBuffer {
  static final int HEADER_WORDS = 4;
  static final int MOST_WORDS = 16;

  private static final int WORDS = 1 << 15;
  private static final VarHandle TAIL;
  private static final VarHandle HEAD;
  private static final VarHandle EVENTS;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      TAIL = lookup.findVarHandle(TraceBuffer.class, "tail", long.class);
      HEAD = lookup.findVarHandle(TraceBuffer.class, "head", long.class);
      EVENTS = lookup.findVarHandle(TraceBuffer.class, "events", long.class);
    } catch (ReflectiveOperationException impossible) {
      throw new ExceptionInInitializerError(impossible);
    }
  }

  private final TraceRecording recording;
  private final LongSupplier clock;
  private final Thread owner = Thread.currentThread();
  private final long[] words;
  private final Object[] references;

  // Of the writer.
  private long position;
  private long referencePosition;
  private long knownHead;
  private long lastStamp;
  private Actor lastActor;
  private int lastActorNumber;
  private Actor otherActor;
  private int otherActorNumber;

  @SuppressWarnings("unused") // through EVENTS
  private volatile long events;

  @SuppressWarnings("unused") // through TAIL
  private volatile long tail;

  @SuppressWarnings("unused") // through HEAD
  private volatile long head;

  TraceBuffer(TraceRecording recording, LongSupplier clock) {
    this(recording, clock, WORDS);
  }

  /** With another size, a power of two and at least {@link #MOST_WORDS}. */
  TraceBuffer(TraceRecording recording, LongSupplier clock, int words) {
    this.recording = recording;
    this.clock = clock;
    this.words = new long[words];
    // A record has at most one reference, so that these never run out before the words.
    references = new Object[words / HEADER_WORDS];
  }

  // The writer's side.

  /**
   * Begins a record: waits for room, then takes a stamp.
   *
   * @param order the object it is ordered by, or null
   * @param size words of the record
   * @return false if the recording has stopped; then nothing is to be written
   */
  boolean begin(int kind, int flags, Actor actor, TraceOrder order, int detail, int size) {
    if (position + size - knownHead > words.length && !makeRoom(size) || recording.isStopped()) {
      return false;
    }
    int actorNumber = numberOf(actor);
    long stamp;
    long before = 0;
    int number = 0;
    if (order == null) {
      stamp = Math.max(clock.getAsLong(), lastStamp + 1);
    } else {
      number = order.number();
      long time = Math.max(clock.getAsLong(), lastStamp + 1);
      do {
        before = order.last();
        stamp = order.stamp(before, time);
      } while (stamp == 0);
    }
    lastStamp = stamp;
    put((long) kind | (long) size << 8 | (long) flags << 16 | (long) actorNumber << 32);
    put(stamp);
    put(before);
    put(Integer.toUnsignedLong(number) | (long) detail << 32);
    return true;
  }

  /** The record's next word. */
  void put(long word) {
    words[(int) position & words.length - 1] = word;
    position++;
  }

  /** Something that the record consists of and that is no number; one a record at most. */
  void put(Object reference) {
    references[(int) referencePosition & references.length - 1] = reference;
    referencePosition++;
  }

  /** Lets the reader see the record. */
  void end() {
    EVENTS.setOpaque(this, (long) EVENTS.get(this) + 1);
    TAIL.setRelease(this, position);
  }

  private boolean makeRoom(int size) {
    int turns = 0;
    while (true) {
      knownHead = (long) HEAD.getAcquire(this);
      if (position + size - knownHead <= words.length) {
        return true;
      }
      if (recording.isStopped()) {
        return false;
      }
      if (turns++ < 100) {
        Thread.onSpinWait();
      } else {
        LockSupport.parkNanos(20_000);
      }
    }
  }

  private int numberOf(Actor actor) {
    if (actor == lastActor) {
      return lastActorNumber;
    }
    // A thread that acts on two devices takes turns.
    Actor found = otherActor;
    int number = otherActorNumber;
    otherActor = lastActor;
    otherActorNumber = lastActorNumber;
    lastActor = actor;
    lastActorNumber = actor == found ? number : recording.numberOf(actor);
    return lastActorNumber;
  }

  // The reader's side.

  /** How far the reader may read. */
  long published() {
    return (long) TAIL.getAcquire(this);
  }

  /** The word at a position below {@link #published}. */
  long word(long at) {
    return words[(int) at & words.length - 1];
  }

  /** Takes the reference at that position of the ring of references. */
  Object takeReference(long at) {
    int place = (int) at & references.length - 1;
    Object reference = references[place];
    references[place] = null;
    return reference;
  }

  /** Gives the place of what was read back to the writer. */
  void consumed(long upTo) {
    HEAD.setRelease(this, upTo);
  }

  /** Whether nothing more comes: its thread has ended. */
  boolean isAbandoned() {
    return !owner.isAlive();
  }

  /** Events written so far. */
  long events() {
    return (long) EVENTS.getOpaque(this);
  }
}
