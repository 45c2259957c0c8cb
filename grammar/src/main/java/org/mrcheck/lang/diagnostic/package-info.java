/** What a person is told about malformed input, and the one way in which it is written. */
package org.mrcheck.lang.diagnostic;
