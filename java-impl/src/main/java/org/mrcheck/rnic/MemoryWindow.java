package org.mrcheck.rnic;

/** A memory window: a part of a region under a key of its own (rows W1, W2). */
public final class MemoryWindow {
  MemoryWindow() {}
}
