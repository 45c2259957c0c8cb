/**
 * The only code that touches TLC's classes. It is loaded beside a TLC in a class loader or process
 * of its own, never by the application's loader.
 */
package org.mrcheck.spec.tlc;
