package org.mrcheck.cli;

import org.mrcheck.lang.trace.TraceHeader;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    return new String[] {
      "mrcheck 0.1.0-SNAPSHOT",
      "reads and writes trace version " + TraceHeader.CURRENT_VERSION,
      "Java " + Runtime.version()
    };
  }
}
