package org.mrcheck.spec.tlc;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.mrcheck.spec.Explanation;
import org.mrcheck.spec.SourceLocation;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecValue;
import org.mrcheck.spec.spi.TlcSession;
import tla2sany.semantic.FormalParamNode;
import tla2sany.semantic.ModuleNode;
import tla2sany.semantic.OpDefNode;
import tlc2.tool.EvalControl;
import tlc2.tool.TLCState;
import tlc2.tool.coverage.CostModel;
import tlc2.tool.impl.CallStackTool;
import tlc2.tool.impl.FastTool;
import tlc2.tool.impl.Tool;
import tlc2.util.Context;
import util.UniqueString;

/**
 * Modules loaded into the TLC beside this class. One lock around every evaluation: TLC normalizes
 * shared constant values in place.
 */
final class InProcessSession implements TlcSession {
  private final FastTool tool;
  private final SourceTexts texts;
  private final Map<String, Map<String, OpDefNode>> operators = new HashMap<>();
  private final ReentrantLock lock = new ReentrantLock();
  private boolean closed;

  InProcessSession(FastTool tool, SourceTexts texts, List<String> modules) {
    this.tool = tool;
    this.texts = texts;
    for (String module : modules) {
      ModuleNode node =
          tool.getSpecProcessor().getModuleTbl().getModuleNode(UniqueString.of(module));
      Map<String, OpDefNode> definitions = new HashMap<>();
      for (OpDefNode definition : node.getOpDefs()) {
        definitions.put(definition.getName().toString(), definition);
      }
      operators.put(module, definitions);
    }
  }

  @Override
  public SpecValue evaluate(String module, String operator, List<SpecValue> arguments) {
    return locked(
        () -> {
          OpDefNode definition = find(module, operator, arguments.size());
          Context bound = bind(definition, arguments);
          try {
            return Values.fromTlc(evaluate(tool, definition, bound));
          } catch (RuntimeException | StackOverflowError e) {
            throw explainFailure(e, definition, bound, module + "!" + operator);
          }
        });
  }

  @Override
  public Explanation explain(String module, String operator, List<SpecValue> arguments) {
    return locked(
        () -> {
          OpDefNode definition = find(module, operator, arguments.size());
          Context bound = bind(definition, arguments);
          try {
            return new Explainer(tool, texts).explain(definition, bound);
          } catch (RuntimeException | StackOverflowError e) {
            throw explainFailure(e, definition, bound, module + "!" + operator);
          }
        });
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
    } finally {
      lock.unlock();
    }
  }

  private <T> T locked(Supplier<T> action) {
    lock.lock();
    try {
      if (closed) {
        throw new IllegalStateException("this evaluator is closed");
      }
      return action.get();
    } finally {
      lock.unlock();
    }
  }

  private OpDefNode find(String module, String operator, int arguments) {
    Map<String, OpDefNode> definitions = operators.get(module);
    if (definitions == null) {
      throw new IllegalArgumentException("module " + module + " was not opened");
    }
    OpDefNode definition = definitions.get(operator);
    SourceLocation file = SourceLocation.of(module + ".tla");
    if (definition == null) {
      throw new SpecException(
          SpecException.Kind.NO_SUCH_OPERATOR, file, "does not define " + operator);
    }
    if (definition.getArity() != arguments) {
      throw new SpecException(
          SpecException.Kind.NO_SUCH_OPERATOR,
          SourceTexts.location(definition),
          "%s takes %d arguments, not %d".formatted(operator, definition.getArity(), arguments));
    }
    return definition;
  }

  private static Context bind(OpDefNode definition, List<SpecValue> arguments) {
    Context bound = Context.Empty;
    FormalParamNode[] formals = definition.getParams();
    for (int i = 0; i < formals.length; i++) {
      bound = bound.cons(formals[i], Values.toTlc(arguments.get(i)));
    }
    return bound;
  }

  private static tlc2.value.impl.Value evaluate(Tool tool, OpDefNode definition, Context bound) {
    return tool.eval(
        definition.getBody(),
        bound,
        TLCState.Empty,
        TLCState.Empty,
        EvalControl.Clear,
        CostModel.DO_NOT_RECORD);
  }

  /** Evaluates again with TLC's slower tool that knows where it is. */
  private SpecException explainFailure(
      Throwable thrown, OpDefNode definition, Context bound, String operator) {
    if (thrown instanceof SpecException unfit) {
      return new SpecException(
          unfit.kind(), SourceTexts.location(definition), operator + " is " + unfit.getMessage());
    }
    CallStackTool tracing = new CallStackTool(tool);
    try {
      Values.fromTlc(evaluate(tracing, definition, bound));
    } catch (RuntimeException | StackOverflowError again) {
      // Expected: the first failure once more, this time with its place on record.
    }
    String callStack = thrown instanceof StackOverflowError ? "" : tracing.toString();
    return SpecFailures.whileEvaluating(thrown, callStack, operator);
  }
}
