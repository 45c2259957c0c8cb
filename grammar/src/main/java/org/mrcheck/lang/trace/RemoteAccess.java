package org.mrcheck.lang.trace;

/**
 * Where a request wants to go: the contents of a RETH or an AtomicETH.
 *
 * @param key the rkey
 * @param va unsigned 64-bit virtual address
 * @param length DMA length in bytes, unsigned 32 bits; 8 for an atomic operation
 */
public record RemoteAccess(MemoryKey key, long va, long length) {}
