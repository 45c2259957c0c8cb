/**
 * The bridge to TLC: values, constant-level evaluation, explanations and model checking behind an
 * API that shows none of TLC's classes, static state, printing or exits.
 */
package org.mrcheck.spec;
