package org.mrcheck.cli;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/** Standard output for writers that close what they write to: it stays open. */
final class UnclosedOutput extends FilterOutputStream {
  UnclosedOutput(OutputStream standard) {
    super(standard);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    out.write(bytes, offset, length);
  }

  @Override
  public void close() throws IOException {
    out.flush();
  }
}
