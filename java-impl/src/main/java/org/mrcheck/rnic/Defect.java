package org.mrcheck.rnic;

import java.util.Optional;

/**
 * A known wrong behaviour that can be switched on in a device, so that a checker can show that it
 * sees it. The names are those of the model's mutants.
 */
public enum Defect {
  /**
   * Deregistration makes the key invalid and returns at once, without waiting for packets that have
   * passed their key check and wait for the DMA stage. Memory is then accessed after the owner was
   * told that nobody can access it any more (rows D5, D6).
   */
  DEREG_DOES_NOT_DRAIN("DeregDoesNotDrain");

  private final String text;

  Defect(String text) {
    this.text = text;
  }

  /** The name, as mutants and the command line write it. */
  public String text() {
    return text;
  }

  /** The defect of that name; empty if there is none. */
  public static Optional<Defect> named(String text) {
    for (Defect defect : values()) {
      if (defect.text.equals(text)) {
        return Optional.of(defect);
      }
    }
    return Optional.empty();
  }
}
