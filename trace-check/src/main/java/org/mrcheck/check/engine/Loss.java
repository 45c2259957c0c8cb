package org.mrcheck.check.engine;

/**
 * Events that are missing from a trace.
 *
 * @param before sequence number of the first event after them
 * @param count how many, 0 where nobody can say
 * @param text for people, a clause such as {@code 1 event is missing before line 12 (seq 11)}
 */
record Loss(long before, long count, String text) {}
