/**
 * Traces as text, version 1: reader, writer and diagnostics. The language is described in the
 * module's README.
 */
package org.mrcheck.lang.trace.text;
