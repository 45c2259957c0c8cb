package org.mrcheck.check.ledger;

/**
 * What an access acts on: a region, or one binding of a window. Immutable.
 *
 * @param mr the region, or the window's region
 * @param binding number of the window's holder; {@link #REGION} for a region
 */
record Target(String host, long mr, long binding) {
  static final long REGION = -1;
  private static final long NOBODY = -2;

  /** Of a key that nobody had. */
  static Target nobody() {
    return new Target("", 0, NOBODY);
  }

  static Target of(String host, KeyTable.Holder holder) {
    return holder.isWindow()
        ? new Target(host, holder.parent.orElse(0), holder.order)
        : new Target(host, holder.number, REGION);
  }

  /** For people: {@code mr 3}. */
  String title() {
    if (binding == NOBODY) {
      return "nobody";
    }
    return (binding == REGION ? "mr " : "a window on mr ") + Long.toUnsignedString(mr);
  }
}
