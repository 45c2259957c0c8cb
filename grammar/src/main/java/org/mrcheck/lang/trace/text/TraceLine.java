package org.mrcheck.lang.trace.text;

import org.mrcheck.lang.trace.TraceEvent;

/**
 * An event and where it stands in its trace.
 *
 * @param event the event
 * @param line line number from 1
 * @param offset byte offset of the event's first character in the file
 */
public record TraceLine(TraceEvent event, long line, long offset) {}
