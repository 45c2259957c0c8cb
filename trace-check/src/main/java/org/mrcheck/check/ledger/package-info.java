/**
 * The memory of what a recording showed, and the truth values that contracts look at: the Java twin
 * of {@code Derive.tla} on exact 64-bit addresses and 24-bit PSNs. What was not recorded is
 * unknown, with the reason and the class of events that would decide it.
 */
package org.mrcheck.check.ledger;
