package org.mrcheck.spec.spi;

import java.util.List;
import org.mrcheck.spec.Explanation;
import org.mrcheck.spec.SpecValue;

/** Loaded modules. Thread-safe. */
public interface TlcSession extends AutoCloseable {

  /** The value of an operator; see {@link org.mrcheck.spec.Evaluator#evaluate}. */
  SpecValue evaluate(String module, String operator, List<SpecValue> arguments);

  /** How an operator came to its value; see {@link org.mrcheck.spec.Evaluator#explain}. */
  Explanation explain(String module, String operator, List<SpecValue> arguments);

  @Override
  void close();
}
