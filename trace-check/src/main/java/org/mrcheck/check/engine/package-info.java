/**
 * The trace engine: lazily determinised contracts, instances told apart by parameters, and the pass
 * over a trace that steps them.
 */
package org.mrcheck.check.engine;
