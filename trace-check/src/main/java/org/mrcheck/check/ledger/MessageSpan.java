package org.mrcheck.check.ledger;

/**
 * Which PSNs a message occupies.
 *
 * @param first PSN of its first packet
 * @param count how many PSNs, at least 1
 */
public record MessageSpan(int first, long count) {}
