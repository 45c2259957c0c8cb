package org.mrcheck.rnic;

/**
 * What a device counted of the requests it refused for their keys. Counters are read one after the
 * other while the device may run.
 *
 * @param writesRefusedAtFirst WRITEs whose first packet was refused: nothing was written
 * @param writesRefusedInside WRITEs cut short: a prefix of whole packets was written
 * @param readsRefusedAtFirst READs refused before their first response
 * @param readsRefusedInside READs cut short after at least one response
 */
public record RnicCounters(
    long writesRefusedAtFirst,
    long writesRefusedInside,
    long readsRefusedAtFirst,
    long readsRefusedInside) {}
