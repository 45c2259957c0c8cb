package org.mrcheck.check.engine;

import org.mrcheck.lang.trace.TraceEvent;

/**
 * An event of the trace being checked, with its place.
 *
 * @param event the event
 * @param line its line, from 1; 0 where it is not known
 */
record EventReference(TraceEvent event, long line) {}
