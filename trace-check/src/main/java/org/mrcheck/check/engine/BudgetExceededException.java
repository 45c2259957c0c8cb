package org.mrcheck.check.engine;

/** A contract needed more states than the budget allows; the message names where. */
public final class BudgetExceededException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  BudgetExceededException(String message) {
    super(message);
  }
}
