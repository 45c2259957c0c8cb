/** Writers of check results: console, JSON and JUnit XML, all from one model. */
package org.mrcheck.check.report;
