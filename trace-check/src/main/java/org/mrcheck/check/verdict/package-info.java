/** Verdicts, exit codes and the result of a check. No engine, no files. */
package org.mrcheck.check.verdict;
