/**
 * The suite of models: every profile, every contract, what TLC found and what was expected, and the
 * matrix that follows from it.
 */
package org.mrcheck.spec.suite;
