/**
 * Traces in the compact binary encoding, version 1: the same records as the text language, for
 * high-rate capture and fast reading. The layout is described in {@link
 * org.mrcheck.lang.trace.binary.BinaryLayout}.
 */
package org.mrcheck.lang.trace.binary;
