package org.mrcheck.rnic;

import java.nio.ByteBuffer;

/**
 * Where the bytes of a registration are: the host's memory, and its address on the bus. Immutable;
 * what it points to is not. The device reads and writes the memory while its owner does, without
 * synchronisation, as DMA does.
 */
final class Translation {
  private final KeySlot slot;
  private final ByteBuffer memory;
  private final long iova;
  private final long busAddress;

  /**
   * A translation.
   *
   * @param slot whose it is
   * @param memory all of it
   * @param iova the address by which the first byte is named, unsigned
   * @param busAddress the address of the first byte on the bus
   */
  Translation(KeySlot slot, ByteBuffer memory, long iova, long busAddress) {
    this.slot = slot;
    this.memory = memory;
    this.iova = iova;
    this.busAddress = busAddress;
  }

  KeySlot slot() {
    return slot;
  }

  long iova() {
    return iova;
  }

  /** Bytes. */
  long length() {
    return memory.capacity();
  }

  /** Where that address is on the bus, inside or outside of this memory. */
  long busAddress(long va) {
    return busAddress + (va - iova);
  }

  /**
   * Copies out. Bytes outside the memory are 0: a real device would read what lies beside it, which
   * here is nobody's.
   */
  void read(long va, byte[] into, int length) {
    long offset = va - iova;
    if (isInside(offset, length)) {
      memory.get((int) offset, into, 0, length);
      return;
    }
    for (int i = 0; i < length; i++) {
      into[i] = isInside(offset + i, 1) ? memory.get((int) (offset + i)) : 0;
    }
  }

  /** Copies in; bytes outside the memory go nowhere. */
  void write(long va, byte[] from, int length) {
    long offset = va - iova;
    if (isInside(offset, length)) {
      memory.put((int) offset, from, 0, length);
      return;
    }
    for (int i = 0; i < length; i++) {
      if (isInside(offset + i, 1)) {
        memory.put((int) (offset + i), from[i]);
      }
    }
  }

  private boolean isInside(long offset, int length) {
    return offset >= 0 && offset <= memory.capacity() - (long) length;
  }
}
