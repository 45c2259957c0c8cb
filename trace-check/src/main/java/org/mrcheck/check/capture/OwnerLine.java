package org.mrcheck.check.capture;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.MemoryKey;

/**
 * A line of a host's log about its regions, windows and queue pairs, without the time before it;
 * the text of a mark is such a line.
 */
sealed interface OwnerLine {
  /** {@code mr_reg LABEL pd P va V len L lkey K rkey K acc FLAGS}: a registration returned. */
  record Registered(
      String label,
      long pd,
      long va,
      long length,
      MemoryKey lkey,
      MemoryKey key,
      AccessFlags rights)
      implements OwnerLine {}

  /** {@code mr_dereg_call LABEL rkey K}. */
  record DeregistrationCalled(String label, MemoryKey key) implements OwnerLine {}

  /** {@code mr_dereg_return LABEL rkey K}. */
  record DeregistrationReturned(String label, MemoryKey key) implements OwnerLine {}

  /** {@code mw_bind_post LABEL mr LABEL pd P va V len L rkey K acc FLAGS type T [qp Q]}. */
  record BindPosted(
      String label,
      String region,
      long va,
      long length,
      MemoryKey key,
      AccessFlags rights,
      int type,
      OptionalInt queuePair)
      implements OwnerLine {}

  /**
   * {@code mw_bind_wc LABEL rkey K status S}.
   *
   * @param status rdma-core's number; empty where no completion came
   */
  record BindCompleted(String label, MemoryKey key, OptionalInt status) implements OwnerLine {}

  /** {@code local_inv_post rkey K}. */
  record InvalidatePosted(MemoryKey key) implements OwnerLine {}

  /** {@code local_inv_wc rkey K status S}. */
  record InvalidateCompleted(MemoryKey key, OptionalInt status) implements OwnerLine {}

  /**
   * {@code qp Q peer Q pd P acc FLAGS psn N peer_psn N}: a queue pair was created and connected.
   *
   * @param receivePsn the first PSN it expects
   * @param sendPsn the first PSN it sends
   */
  record QueuePairReady(
      int number, int peer, long pd, AccessFlags rights, int receivePsn, int sendPsn)
      implements OwnerLine {}

  /** {@code QP Q -> Q}: the requester's queue pair was connected. */
  record Connected(int number, int peer) implements OwnerLine {}

  /** Whether the line is about a registration, a window or an invalidation. */
  default boolean isRegistration() {
    return !(this instanceof QueuePairReady) && !(this instanceof Connected);
  }

  /** Reads a line; empty where it is of no known kind or a value is out of range. */
  static Optional<OwnerLine> parse(String text) {
    String[] words = text.strip().split("\\s+");
    try {
      return Optional.ofNullable(parse(words));
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private static OwnerLine parse(String[] words) {
    return switch (words[0]) {
      case "mr_reg" -> {
        Fields fields = Fields.of(words, 2);
        yield new Registered(
            words[1],
            fields.number("pd"),
            fields.number("va"),
            fields.number("len"),
            fields.has("lkey") ? fields.key("lkey") : fields.key("rkey"),
            fields.key("rkey"),
            fields.rights());
      }
      case "mr_dereg_call" -> new DeregistrationCalled(words[1], Fields.of(words, 2).key("rkey"));
      case "mr_dereg_return" ->
          new DeregistrationReturned(words[1], Fields.of(words, 2).key("rkey"));
      case "mw_bind_post" -> {
        Fields fields = Fields.of(words, 2);
        yield new BindPosted(
            words[1],
            fields.text("mr"),
            fields.number("va"),
            fields.number("len"),
            fields.key("rkey"),
            fields.rights(),
            fields.bits("type", 2),
            fields.has("qp") ? OptionalInt.of(fields.bits("qp", 24)) : OptionalInt.empty());
      }
      case "mw_bind_wc" -> {
        Fields fields = Fields.of(words, 2);
        yield new BindCompleted(words[1], fields.key("rkey"), fields.status());
      }
      case "local_inv_post" -> new InvalidatePosted(Fields.of(words, 1).key("rkey"));
      case "local_inv_wc" -> {
        Fields fields = Fields.of(words, 1);
        yield new InvalidateCompleted(fields.key("rkey"), fields.status());
      }
      case "qp" -> {
        Fields fields = Fields.of(words, 2);
        yield new QueuePairReady(
            bits(words[1], 24),
            fields.bits("peer", 24),
            fields.number("pd"),
            fields.rights(),
            fields.bits("psn", 24),
            fields.bits("peer_psn", 24));
      }
      case "QP" ->
          words.length >= 4 && words[2].equals("->")
              ? new Connected(bits(words[1], 24), bits(words[3], 24))
              : null;
      default -> null;
    };
  }

  /** An unsigned number, decimal or 0x hexadecimal. */
  static long number(String word) {
    return word.startsWith("0x") || word.startsWith("0X")
        ? Long.parseUnsignedLong(word.substring(2), 16)
        : Long.parseUnsignedLong(word);
  }

  /** An unsigned number of at most so many bits. */
  static int bits(String word, int width) {
    long value = number(word);
    if (value >>> width != 0) {
      throw new NumberFormatException(word);
    }
    return (int) value;
  }

  /** The pairs of a name and a value that follow the words a line begins with. */
  record Fields(Map<String, String> values) {
    static Fields of(String[] words, int from) {
      Map<String, String> values = new HashMap<>();
      for (int i = from; i + 1 < words.length; i += 2) {
        values.putIfAbsent(words[i], words[i + 1]);
      }
      return new Fields(values);
    }

    boolean has(String name) {
      return values.containsKey(name);
    }

    String text(String name) {
      String value = values.get(name);
      if (value == null) {
        throw new NumberFormatException("no " + name);
      }
      return value;
    }

    long number(String name) {
      return OwnerLine.number(text(name));
    }

    int bits(String name, int width) {
      return OwnerLine.bits(text(name), width);
    }

    MemoryKey key(String name) {
      return new MemoryKey(bits(name, 32));
    }

    AccessFlags rights() {
      return new AccessFlags(bits("acc", 31));
    }

    OptionalInt status() {
      return text("status").equals("none")
          ? OptionalInt.empty()
          : OptionalInt.of(bits("status", 8));
    }
  }
}
