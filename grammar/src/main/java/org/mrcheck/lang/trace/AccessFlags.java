package org.mrcheck.lang.trace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Rights of a memory region, a memory window or a queue pair, with rdma-core's bits ({@code
 * ibv_access_flags}). Written as names joined by a bar, {@code local_write|remote_read}, or {@code
 * none}.
 *
 * @param bits the flags as rdma-core numbers them
 */
public record AccessFlags(int bits) {
  /** One right. */
  public enum Flag {
    LOCAL_WRITE(1),
    REMOTE_WRITE(1 << 1),
    REMOTE_READ(1 << 2),
    REMOTE_ATOMIC(1 << 3),
    MW_BIND(1 << 4),
    ZERO_BASED(1 << 5),
    ON_DEMAND(1 << 6),
    HUGETLB(1 << 7),
    RELAXED_ORDERING(1 << 20);

    private final int bit;

    Flag(int bit) {
      this.bit = bit;
    }

    /** rdma-core's bit. */
    public int bit() {
      return bit;
    }

    /** The word in a trace. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** No right at all. */
  public static final AccessFlags NONE = new AccessFlags(0);

  /** The union of the given rights. */
  public static AccessFlags of(Flag... flags) {
    int bits = 0;
    for (Flag flag : flags) {
      bits |= flag.bit();
    }
    return new AccessFlags(bits);
  }

  /** Whether the right is among these. */
  public boolean has(Flag flag) {
    return (bits & flag.bit()) != 0;
  }

  @Override
  public String toString() {
    if (bits == 0) {
      return "none";
    }
    List<String> names = new ArrayList<>();
    int rest = bits;
    for (Flag flag : Flag.values()) {
      if (has(flag)) {
        names.add(flag.text());
        rest &= ~flag.bit();
      }
    }
    if (rest != 0) {
      names.add("0x" + Integer.toHexString(rest));
    }
    return String.join("|", names);
  }
}
