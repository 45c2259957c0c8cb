package org.mrcheck.rnic;

import java.util.Objects;
import org.mrcheck.lang.trace.MemoryKey;

/** Where a work request has its data, or wants it: one element, or bytes in the request itself. */
public sealed interface LocalData {
  /** No data. */
  LocalData NOTHING = new Inline(new byte[0]);

  /** Bytes. */
  long length();

  /**
   * A scatter/gather element, as {@code ibv_sge}.
   *
   * @param lkey key of the local region; not looked at when the length is 0 (row C18)
   * @param address first local address, unsigned
   * @param length bytes, 0 to 2^31 (row C4)
   */
  record Sge(MemoryKey lkey, long address, long length) implements LocalData {
    /** Checks the length. */
    public Sge {
      Objects.requireNonNull(lkey, "lkey");
      if (length < 0 || length > 1L << 31) {
        throw new IllegalArgumentException("length=" + length + " not in 0..2^31");
      }
    }
  }

  /**
   * Data that is taken when the request is posted ({@code IBV_SEND_INLINE}): no local key is needed
   * (row C18), and its owner may use the memory again at once.
   */
  record Inline(byte[] bytes) implements LocalData {
    /** Copies the bytes. */
    public Inline {
      bytes = bytes.clone();
    }

    @Override
    public long length() {
      return bytes.length;
    }

    /** A copy. */
    @Override
    public byte[] bytes() {
      return bytes.clone();
    }

    void copy(int from, byte[] target) {
      System.arraycopy(bytes, from, target, 0, target.length);
    }
  }
}
