package org.mrcheck.spec.tlc;

import org.mrcheck.spec.Explanation;
import tla2sany.semantic.OpDefNode;
import tlc2.tool.impl.FastTool;
import tlc2.util.Context;

final class Explainer {
  Explainer(FastTool tool, SourceTexts texts) {}

  Explanation explain(OpDefNode definition, Context bound) {
    throw new UnsupportedOperationException();
  }
}
