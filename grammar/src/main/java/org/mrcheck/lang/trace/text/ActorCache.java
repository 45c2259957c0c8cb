package org.mrcheck.lang.trace.text;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.mrcheck.lang.trace.Actor;

/** Remembers recent actors by their bytes, so that a trace's few actors are made once. */
final class ActorCache {
  private static final int SIZE = 1024;

  private final byte[][] texts = new byte[SIZE][];
  private final Actor[] actors = new Actor[SIZE];

  /** The actor written {@code host/role}, with the only slash at the given index. */
  Actor actor(byte[] buffer, int from, int slash, int to) {
    int slot = NameTable.hash(buffer, from, to) & SIZE - 1;
    byte[] text = texts[slot];
    if (text != null && NameTable.same(text, buffer, from, to)) {
      return actors[slot];
    }
    Actor actor =
        new Actor(
            new String(buffer, from, slash - from, StandardCharsets.UTF_8),
            new String(buffer, slash + 1, to - slash - 1, StandardCharsets.UTF_8));
    texts[slot] = Arrays.copyOfRange(buffer, from, to);
    actors[slot] = actor;
    return actor;
  }
}
