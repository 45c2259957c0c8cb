/**
 * Between the bridge and the code that touches TLC's classes. The interfaces here are seen from
 * both sides of the class loader boundary; users of the bridge do not need them.
 */
package org.mrcheck.spec.spi;
