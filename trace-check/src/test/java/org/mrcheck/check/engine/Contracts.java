package org.mrcheck.check.engine;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.mrcheck.check.verdict.CheckResult;
import org.mrcheck.check.verdict.Verdict;
import org.mrcheck.lang.diagnostic.SyntaxException;

/** The bundled contracts, opened once for all tests. */
final class Contracts {
  private static final class Holder {
    static final ContractCatalogue CATALOGUE = open();

    private static ContractCatalogue open() {
      try {
        return ContractCatalogue.bundled();
      } catch (CatalogueException failure) {
        throw new IllegalStateException(failure);
      }
    }
  }

  private Contracts() {}

  static ContractCatalogue bundled() {
    return Holder.CATALOGUE;
  }

  static CheckResult check(List<String> lines) throws IOException {
    return check(String.join("\n", lines) + "\n");
  }

  static CheckResult check(String text) throws IOException {
    try {
      return new TraceChecker(bundled())
          .check(
              new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)),
              "example.mrtrace",
              CheckOptions.DEFAULT,
              CheckProgress.silent());
    } catch (SyntaxException | CatalogueException failure) {
      throw new IllegalStateException(failure);
    }
  }

  static long violations(CheckResult result, String contract) {
    return result.contract(contract).orElseThrow().counts().of(Verdict.Kind.VIOLATION);
  }

  static long violations(CheckResult result) {
    return result.counts().of(Verdict.Kind.VIOLATION);
  }
}
