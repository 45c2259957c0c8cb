package org.mrcheck.lang.trace.binary;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import org.mrcheck.lang.file.WholeFile;
import org.mrcheck.lang.trace.Actor;
import org.mrcheck.lang.trace.TraceEvent;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.lang.trace.TraceOutput;
import org.mrcheck.lang.trace.text.TracePrinter;

/**
 * Writes a trace in the {@linkplain BinaryLayout binary encoding}, whole records at a time.
 * Sequence numbers are written as the events carry them. Values that the language cannot express
 * are refused with an {@link IllegalArgumentException}, and nothing of that event is written.
 *
 * <p>Not safe for use by several threads at once: order of records is order of events.
 */
public final class BinaryTraceWriter implements TraceOutput {
  private static final int FLUSH_BYTES = 1 << 17;

  private final OutputStream out;

  /** Absent for a stream. */
  private final WholeFile file;

  private final RecordEncoder encoder = new RecordEncoder();
  private final Map<Actor, Integer> numbers = new HashMap<>();
  private final BitSet defined = new BitSet();
  private byte[][] actors = new byte[16][];
  private byte[] buffer = new byte[2 * FLUSH_BYTES];
  private int size;

  /** Offset in the file of the buffer's first byte. */
  private long offset;

  private long segmentEnd;
  private Actor lastActor;
  private int lastNumber;
  private boolean open = true;

  private BinaryTraceWriter(OutputStream out, WholeFile file, TraceHeader header) {
    this.out = out;
    this.file = file;
    byte[] text = TracePrinter.print(header).getBytes(StandardCharsets.UTF_8);
    byte[] magic = BinaryLayout.magic();
    System.arraycopy(magic, 0, buffer, 0, magic.length);
    BinaryLayout.putWord(
        buffer, magic.length, BinaryLayout.VERSION | (long) text.length << Integer.SIZE);
    size = magic.length + 8;
    reserve(BinaryLayout.padded(text.length));
    System.arraycopy(text, 0, buffer, size, text.length);
    size += BinaryLayout.padded(text.length);
  }

  /** A writer to a stream, which it closes in the end. It buffers and writes whole records. */
  public static BinaryTraceWriter to(OutputStream out, TraceHeader header) {
    return new BinaryTraceWriter(out, null, header);
  }

  /**
   * A writer to a file that bears its name only when {@link #close} has made it whole.
   *
   * @throws IOException if the file cannot be made
   * @see WholeFile
   */
  public static BinaryTraceWriter create(Path file, TraceHeader header) throws IOException {
    WholeFile whole = WholeFile.create(file);
    boolean opened = false;
    try {
      BinaryTraceWriter writer = new BinaryTraceWriter(whole.out(), whole, header);
      opened = true;
      return writer;
    } finally {
      if (!opened) {
        whole.discard();
      }
    }
  }

  /**
   * Writes the event.
   *
   * @throws UncheckedIOException if the file cannot be written
   * @throws IllegalArgumentException if a value cannot be expressed
   */
  @Override
  public void accept(TraceEvent event) {
    int words = encoder.encode(event, 0);
    long[] record = encoder.words();
    Actor actor = event.stamp().actor();
    int number = actor.equals(lastActor) ? lastNumber : define(actor);
    lastActor = actor;
    lastNumber = number;
    record[0] |= (long) number << 48;
    append(record, 0, words);
  }

  /**
   * The number of an actor, for {@link #append}. It stays the same as long as there are fewer than
   * {@link BinaryLayout#MAX_ACTORS} of them; the writer defines it in each segment that uses it.
   *
   * @throws IllegalArgumentException if the language cannot express its name
   */
  public int define(Actor actor) {
    Integer known = numbers.get(actor);
    if (known != null) {
      return known;
    }
    TracePrinter.requireNames(actor);
    if (numbers.size() == BinaryLayout.MAX_ACTORS) {
      numbers.clear();
      segmentEnd = 0;
    }
    int number = numbers.size();
    numbers.put(actor, number);
    if (number == actors.length) {
      actors = Arrays.copyOf(actors, actors.length * 2);
    }
    actors[number] = (actor.host() + "/" + actor.role()).getBytes(StandardCharsets.UTF_8);
    return number;
  }

  /**
   * Writes an event's record that is already encoded, its check zero and its length in its first
   * word. Its values are not looked at.
   *
   * @param words holds the record
   * @param from index of the record's first word
   * @throws UncheckedIOException if the file cannot be written
   */
  public void append(long[] words, int from) {
    append(words, from, (int) (words[from] >>> 16) & BinaryLayout.MAX_RECORD_WORDS);
  }

  private void append(long[] words, int from, int count) {
    if (offset + size >= segmentEnd) {
      beginSegment();
    }
    int actor = (int) (words[from] >>> 48);
    if (!defined.get(actor)) {
      writeActor(actor);
    }
    put(words, from, count);
    if (size >= FLUSH_BYTES) {
      try {
        drain();
      } catch (IOException failed) {
        throw new UncheckedIOException(failed);
      }
    }
  }

  private void beginSegment() {
    defined.clear();
    long at = offset + size;
    segmentEnd = at + BinaryLayout.SEGMENT_BYTES;
    long[] head = {
      BinaryLayout.firstWord(BinaryLayout.SEGMENT, BinaryLayout.SEGMENT_WORDS, 0, 0),
      BinaryLayout.SEGMENT_MARK,
      at,
      0
    };
    put(head, 0, head.length);
  }

  private void writeActor(int number) {
    byte[] text = actors[number];
    int padded = BinaryLayout.padded(text.length);
    byte[] bytes = Arrays.copyOf(text, padded);
    long[] record = new long[2 + padded / 8];
    record[0] = BinaryLayout.firstWord(BinaryLayout.ACTOR, record.length, 0, number);
    record[1] = text.length;
    for (int index = 0; index < padded; index += 8) {
      record[2 + index / 8] = BinaryLayout.word(bytes, index);
    }
    put(record, 0, record.length);
    defined.set(number);
  }

  private void put(long[] words, int from, int count) {
    reserve(8 * count);
    long mixed = 0;
    for (int index = from; index < from + count; index++) {
      mixed ^= words[index];
    }
    BinaryLayout.putWord(buffer, size, words[from] | (long) BinaryLayout.check(mixed) << 8);
    for (int index = 1; index < count; index++) {
      BinaryLayout.putWord(buffer, size + 8 * index, words[from + index]);
    }
    size += 8 * count;
  }

  private void reserve(int more) {
    if (size + more > buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, size + more));
    }
  }

  @Override
  public void flush() throws IOException {
    drain();
    out.flush();
  }

  /** Writes what is left and gives the file its name. Further calls do nothing. */
  @Override
  public void close() throws IOException {
    if (!open) {
      return;
    }
    open = false;
    boolean whole = false;
    try {
      flush();
      whole = true;
    } finally {
      end(whole);
    }
  }

  @Override
  public void discard() throws IOException {
    if (open) {
      open = false;
      end(false);
    }
  }

  private void end(boolean whole) throws IOException {
    if (file == null) {
      out.close();
    } else if (whole) {
      file.close();
    } else {
      file.discard();
    }
  }

  private void drain() throws IOException {
    out.write(buffer, 0, size);
    offset += size;
    size = 0;
  }
}
