package org.mrcheck.spec.spi;

import java.util.List;
import java.util.Map;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.SpecValue;

/**
 * Loads modules into the TLC that lives in the same class loader as the implementation. That TLC
 * keeps its state in static fields, so {@code open} may be called once a class loader.
 */
public interface TlcBackend {

  /**
   * Loads modules.
   *
   * @param library where the modules are
   * @param modules the names of modules to evaluate
   * @param constants values for the constants of the only module; empty when there are several
   * @throws org.mrcheck.spec.SpecException when a module is missing or malformed
   */
  TlcSession open(SpecLibrary library, List<String> modules, Map<String, SpecValue> constants);
}
