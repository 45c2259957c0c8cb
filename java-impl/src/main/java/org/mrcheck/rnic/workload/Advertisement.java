package org.mrcheck.rnic.workload;

import org.mrcheck.lang.trace.AccessFlags;
import org.mrcheck.lang.trace.MemoryKey;

/**
 * What an owner tells its peers of a region or a window.
 *
 * @param key its rkey
 * @param iova its first address, unsigned
 * @param length bytes
 * @param rights what it allows
 */
record Advertisement(MemoryKey key, long iova, int length, AccessFlags rights) {}
