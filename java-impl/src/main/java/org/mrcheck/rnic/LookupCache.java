package org.mrcheck.rnic;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.BooleanSupplier;
import org.mrcheck.rnic.Policies.CacheFillGuard;

/**
 * A cache in front of a table in memory: direct mapped, as many lines as asked for, indices of the
 * table that share a line push each other out.
 *
 * <h2>Concurrency</h2>
 *
 * <p>A line's state is one reference to an immutable pair (version, value), read without a lock. An
 * invalidation makes the version greater and leaves no value. A fill reads the state, then the
 * table, and then installs what it read; between the two there may be an invalidation, which it
 * must not undo (L46). The guard says how that is prevented.
 *
 * <dl>
 *   <dt>VERSION
 *   <dd>installs by compare-and-set on the state it read first. The table is changed before the
 *       line is invalidated. So a fill that read the table before the change read the state before
 *       the invalidation: either its compare-and-set fails, or it comes before the invalidation,
 *       which then removes it.
 *   <dt>BLOCKED
 *   <dd>installs under the line's lock, and only if the table still says the same then. An
 *       invalidation takes the same lock after the table was changed: a fill before it is removed
 *       by it, a fill after it sees the change.
 *   <dt>NONE
 *   <dd>installs whatever it read. This is the race.
 * </dl>
 */
final class LookupCache<V> {
  /** What a line holds; {@code value} may be null. */
  static final class State<V> {
    private final long version;
    final V value;

    private State(long version, V value) {
      this.version = version;
      this.value = value;
    }
  }

  /** A line, on a cache line of the machine for itself. */
  private static final class Line<V> {
    private static final VarHandle STATE;

    static {
      try {
        STATE = MethodHandles.lookup().findVarHandle(Line.class, "state", State.class);
      } catch (ReflectiveOperationException impossible) {
        throw new ExceptionInInitializerError(impossible);
      }
    }

    volatile State<V> state = new State<>(0, null);

    // Keeps the next line's state away.
    @SuppressWarnings("unused")
    private long pad0;

    @SuppressWarnings("unused")
    private long pad1;

    @SuppressWarnings("unused")
    private long pad2;

    @SuppressWarnings("unused")
    private long pad3;

    @SuppressWarnings("unused")
    private long pad4;

    @SuppressWarnings("unused")
    private long pad5;

    boolean replace(State<V> old, State<V> next) {
      return STATE.compareAndSet(this, old, next);
    }
  }

  private final Line<V>[] lines;
  private final CacheFillGuard guard;

  /**
   * An empty cache.
   *
   * @param size lines, a power of two
   */
  @SuppressWarnings({"unchecked", "rawtypes"})
  LookupCache(int size, CacheFillGuard guard) {
    lines = new Line[size];
    for (int i = 0; i < size; i++) {
      lines[i] = new Line<>();
    }
    this.guard = guard;
  }

  private Line<V> line(int index) {
    return lines[index & lines.length - 1];
  }

  /** What the line for that index holds now. */
  State<V> state(int index) {
    return line(index).state;
  }

  /**
   * Installs what was read from the table after {@code before} was read.
   *
   * @param unchanged whether the table still says the same; asked under the guard BLOCKED
   * @return whether the line now holds it
   */
  boolean fill(int index, State<V> before, V value, BooleanSupplier unchanged) {
    Line<V> line = line(index);
    switch (guard) {
      case VERSION:
        return line.replace(before, new State<>(before.version, value));
      case BLOCKED:
        synchronized (line) {
          if (!unchanged.getAsBoolean()) {
            return false;
          }
          install(line, value);
          return true;
        }
      default:
        install(line, value);
        return true;
    }
  }

  private static <V> void install(Line<V> line, V value) {
    State<V> now = line.state;
    while (!line.replace(now, new State<>(now.version, value))) {
      now = line.state;
    }
  }

  /**
   * Drops the value from its line, if it is there, and makes fills that began before fail.
   *
   * @return whether it was there
   */
  boolean invalidate(int index, V value) {
    Line<V> line = line(index);
    if (guard == CacheFillGuard.BLOCKED) {
      synchronized (line) {
        return drop(line, value);
      }
    }
    return drop(line, value);
  }

  private static <V> boolean drop(Line<V> line, V value) {
    while (true) {
      State<V> now = line.state;
      boolean present = now.value == value;
      if (line.replace(now, new State<>(now.version + 1, present ? null : now.value))) {
        return present;
      }
    }
  }
}
