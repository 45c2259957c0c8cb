package org.mrcheck.check.ledger;

import java.util.LinkedHashMap;
import java.util.Map;

/** A map in order of insertion that forgets its oldest entry when it grows beyond its limit. */
final class BoundedMap<K, V> extends LinkedHashMap<K, V> {
  private static final long serialVersionUID = 1L;
  private final int limit;
  private boolean forgot;

  BoundedMap(int limit) {
    this.limit = limit;
  }

  /** Whether an entry was pushed out since the map was last cleared. */
  boolean hasForgotten() {
    return forgot;
  }

  @Override
  public void clear() {
    super.clear();
    forgot = false;
  }

  @Override
  protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
    boolean full = size() > limit;
    forgot |= full;
    return full;
  }
}
