package org.mrcheck.spec;

/**
 * How far a breadth-first search is, or was when it ended.
 *
 * @param depth levels of the state graph, initial states being level 1
 * @param generated states computed, duplicates included
 * @param distinct different states found
 * @param queued states found whose successors are still to be computed
 */
public record ModelProgress(int depth, long generated, long distinct, long queued) {}
