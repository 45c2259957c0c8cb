package org.mrcheck.spec.tlc;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.mrcheck.spec.Explanation;
import org.mrcheck.spec.Explanation.Conjunct;
import org.mrcheck.spec.Explanation.Decision;
import org.mrcheck.spec.Explanation.Term;
import org.mrcheck.spec.Explanation.Truth;
import org.mrcheck.spec.SourceLocation;
import org.mrcheck.spec.SpecValue;
import tla2sany.semantic.ExprNode;
import tla2sany.semantic.ExprOrOpArgNode;
import tla2sany.semantic.FormalParamNode;
import tla2sany.semantic.LabelNode;
import tla2sany.semantic.LetInNode;
import tla2sany.semantic.OpApplNode;
import tla2sany.semantic.OpDefNode;
import tla2sany.semantic.SemanticNode;
import tla2sany.semantic.Subst;
import tla2sany.semantic.SubstInNode;
import tlc2.tool.BuiltInOPs;
import tlc2.tool.EvalControl;
import tlc2.tool.IContextEnumerator;
import tlc2.tool.TLCState;
import tlc2.tool.ToolGlobals;
import tlc2.tool.coverage.CostModel;
import tlc2.tool.impl.FastTool;
import tlc2.util.Context;
import tlc2.value.impl.BoolValue;
import tlc2.value.impl.LazyValue;
import tlc2.value.impl.Value;

/**
 * Walks an operator's body the way TLC evaluated it, and takes the conditions on the way apart.
 * Every value comes from TLC; only the choice of which expressions to evaluate is made here.
 */
final class Explainer {
  /** Deeper nests of operators are shown unopened; no contract comes near. */
  private static final int DEEPEST = 24;

  /** Infix operators of the standard modules whose two sides decide the outcome. */
  private static final Set<String> ORDERINGS = Set.of("<", ">", "\\leq", "\\geq");

  private final FastTool tool;
  private final SourceTexts texts;
  private final List<Decision> decisions = new ArrayList<>();
  private String arm = "";
  private SourceLocation armLocation;

  Explainer(FastTool tool, SourceTexts texts) {
    this.tool = tool;
    this.texts = texts;
  }

  /** How the body of {@code definition} gets its value when its parameters are bound. */
  Explanation explain(OpDefNode definition, Context bound) {
    armLocation = SourceTexts.location(definition.getBody());
    Value result = eval(definition.getBody(), bound);
    walk(definition.getBody(), bound, 0);
    return new Explanation(arm, armLocation, decisions, Values.fromTlc(result));
  }

  /** An expression with what its names stand for. */
  private record Scoped(SemanticNode node, Context context) {}

  private void walk(SemanticNode start, Context outer, int depth) {
    Scoped scoped = unwrap(start, outer);
    if (!(scoped.node instanceof OpApplNode application) || depth > DEEPEST) {
      return;
    }
    Context context = scoped.context;
    ExprOrOpArgNode[] arguments = application.getArgs();
    switch (opcode(application)) {
      case ToolGlobals.OPCODE_ite -> {
        boolean holds = truth(arguments[0], context) == Truth.TRUE;
        decide(arguments[0], context, holds);
        walk(arguments[holds ? 1 : 2], context, depth + 1);
      }
      case ToolGlobals.OPCODE_case -> walkCase(application, context, depth);
      case ToolGlobals.OPCODE_cup -> {
        walk(arguments[0], context, depth + 1);
        walk(arguments[1], context, depth + 1);
      }
      default ->
          opened(application, context).ifPresent(body -> walk(body.node, body.context, depth + 1));
    }
  }

  private void walkCase(OpApplNode application, Context context, int depth) {
    for (ExprOrOpArgNode argument : application.getArgs()) {
      ExprOrOpArgNode[] pair = ((OpApplNode) argument).getArgs();
      boolean other = pair[0] == null;
      if (other || truth(pair[0], context) == Truth.TRUE) {
        if (arm.isEmpty()) {
          arm = other ? "OTHER" : texts.text(pair[0]);
          armLocation = SourceTexts.location(other ? pair[1] : pair[0]);
        } else if (!other) {
          decide(pair[0], context, true);
        }
        walk(pair[1], context, depth + 1);
        return;
      }
    }
  }

  private void decide(SemanticNode condition, Context context, boolean holds) {
    decisions.add(
        new Decision(
            texts.text(condition),
            holds,
            SourceTexts.location(condition),
            conjuncts(condition, context, 0)));
  }

  private List<Conjunct> conjuncts(SemanticNode start, Context outer, int depth) {
    Scoped scoped = unwrap(start, outer);
    Context context = scoped.context;
    if (!(scoped.node instanceof OpApplNode application) || depth > DEEPEST) {
      return List.of(leaf(scoped.node, context, List.of()));
    }
    ExprOrOpArgNode[] arguments = application.getArgs();
    return switch (opcode(application)) {
      case ToolGlobals.OPCODE_cl, ToolGlobals.OPCODE_land -> {
        List<Conjunct> all = new ArrayList<>();
        for (ExprOrOpArgNode argument : arguments) {
          all.addAll(conjuncts(argument, context, depth + 1));
        }
        yield all;
      }
      case ToolGlobals.OPCODE_dl,
          ToolGlobals.OPCODE_lor,
          ToolGlobals.OPCODE_implies,
          ToolGlobals.OPCODE_equiv,
          ToolGlobals.OPCODE_lnot ->
          List.of(joined(application, List.of(arguments), context, depth));
      case ToolGlobals.OPCODE_ite -> {
        boolean holds = truth(arguments[0], context) == Truth.TRUE;
        yield List.of(
            joined(application, List.of(arguments[0], arguments[holds ? 1 : 2]), context, depth));
      }
      case ToolGlobals.OPCODE_case -> List.of(chosen(application, context, depth));
      case ToolGlobals.OPCODE_bf, ToolGlobals.OPCODE_be ->
          List.of(leaf(application, context, quantifierTerms(application, context)));
      case ToolGlobals.OPCODE_eq,
          ToolGlobals.OPCODE_noteq,
          ToolGlobals.OPCODE_in,
          ToolGlobals.OPCODE_notin,
          ToolGlobals.OPCODE_subseteq ->
          List.of(leaf(application, context, sides(arguments, context)));
      default -> {
        Optional<Scoped> body = opened(application, context);
        if (body.isPresent()) {
          yield conjuncts(body.get().node, body.get().context, depth + 1);
        }
        boolean ordering = ORDERINGS.contains(application.getOperator().getName().toString());
        yield List.of(leaf(application, context, ordering ? sides(arguments, context) : List.of()));
      }
    };
  }

  /** One conjunct for a proposition that must not be flattened, with what it joins as parts. */
  private Conjunct joined(
      OpApplNode whole, List<? extends SemanticNode> joins, Context context, int depth) {
    List<Conjunct> parts = new ArrayList<>();
    for (SemanticNode each : joins) {
      parts.add(part(each, context, depth + 1));
    }
    return conjunct(whole, context, List.of(), parts);
  }

  private Conjunct part(SemanticNode node, Context context, int depth) {
    List<Conjunct> inside = conjuncts(node, context, depth);
    return inside.size() == 1 ? inside.get(0) : conjunct(node, context, List.of(), inside);
  }

  private Conjunct chosen(OpApplNode application, Context context, int depth) {
    for (ExprOrOpArgNode argument : application.getArgs()) {
      ExprOrOpArgNode[] pair = ((OpApplNode) argument).getArgs();
      if (pair[0] == null) {
        return joined(application, List.of(pair[1]), context, depth);
      }
      if (truth(pair[0], context) == Truth.TRUE) {
        return joined(application, List.of(pair), context, depth);
      }
    }
    return leaf(application, context, List.of());
  }

  private Conjunct leaf(SemanticNode node, Context context, List<Term> terms) {
    return conjunct(node, context, terms, List.of());
  }

  private Conjunct conjunct(
      SemanticNode node, Context context, List<Term> terms, List<Conjunct> parts) {
    return new Conjunct(
        texts.text(node),
        truth(node, context),
        SourceTexts.location(node),
        texts.comment(node),
        terms,
        parts);
  }

  private List<Term> sides(ExprOrOpArgNode[] arguments, Context context) {
    List<Term> terms = new ArrayList<>();
    for (ExprOrOpArgNode argument : arguments) {
      terms.add(new Term(texts.text(argument), value(argument, context)));
    }
    return terms;
  }

  /** The sets that are quantified over, and for a universal that fails the first counterexample. */
  private List<Term> quantifierTerms(OpApplNode quantified, Context context) {
    List<Term> terms = new ArrayList<>();
    for (ExprNode set : quantified.getBdedQuantBounds()) {
      terms.add(new Term(texts.text(set), value(set, context)));
    }
    if (opcode(quantified) != ToolGlobals.OPCODE_bf) {
      return terms;
    }
    try {
      IContextEnumerator bindings =
          tool.contexts(quantified, context, TLCState.Empty, TLCState.Empty, EvalControl.Clear);
      for (Context binding = bindings.nextElement();
          binding != null;
          binding = bindings.nextElement()) {
        if (truth(quantified.getArgs()[0], binding) == Truth.FALSE) {
          for (FormalParamNode[] variables : quantified.getBdedQuantSymbolLists()) {
            for (FormalParamNode variable : variables) {
              if (binding.lookup(variable) instanceof Value witness) {
                terms.add(new Term(variable.getName().toString(), convert(witness)));
              }
            }
          }
          break;
        }
      }
    } catch (RuntimeException e) {
      // The sets cannot be listed; the proposition itself is then undefined and says so.
    }
    return terms;
  }

  private Optional<SpecValue> value(SemanticNode node, Context context) {
    try {
      return convert(eval(node, context));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static Optional<SpecValue> convert(Value value) {
    try {
      return Optional.of(Values.fromTlc(value));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private Truth truth(SemanticNode node, Context context) {
    try {
      return eval(node, context) instanceof BoolValue bool
          ? bool.val ? Truth.TRUE : Truth.FALSE
          : Truth.UNDEFINED;
    } catch (RuntimeException e) {
      return Truth.UNDEFINED;
    }
  }

  private Value eval(SemanticNode node, Context context) {
    return tool.eval(
        node, context, TLCState.Empty, TLCState.Empty, EvalControl.Clear, CostModel.DO_NOT_RECORD);
  }

  /** Steps inside labels, LET and substitutions of an instance, binding what they bind. */
  private Scoped unwrap(SemanticNode start, Context outer) {
    SemanticNode node = start;
    Context context = outer;
    while (true) {
      if (node instanceof LabelNode label) {
        node = label.getBody();
      } else if (node instanceof LetInNode let) {
        for (OpDefNode definition : let.getLets()) {
          if (definition.getArity() == 0) {
            context =
                context.cons(
                    definition,
                    new LazyValue(definition.getBody(), context, CostModel.DO_NOT_RECORD));
          }
        }
        node = let.getBody();
      } else if (node instanceof SubstInNode instance) {
        Context inside = context;
        for (Subst substitution : instance.getSubsts()) {
          inside =
              inside.cons(substitution.getOp(), tool.getVal(substitution.getExpr(), context, true));
        }
        context = inside;
        node = instance.getBody();
      } else {
        return new Scoped(node, context);
      }
    }
  }

  /** The definition behind an application, if a module other than a standard one gives it. */
  private Optional<Scoped> opened(OpApplNode application, Context context) {
    if (BuiltInOPs.getOpCode(application.getOperator().getName()) != 0) {
      return Optional.empty();
    }
    Object meaning = tool.lookup(application.getOperator(), context, false);
    if (meaning instanceof LazyValue lazy) {
      return Optional.of(new Scoped(lazy.expr, lazy.con));
    }
    if (meaning instanceof OpDefNode definition
        && BuiltInOPs.getOpCode(definition.getName()) == 0
        && definition.getBody() != null
        && !definition.isStandardModule()) {
      Context inside = tool.getOpContext(definition, application.getArgs(), context, true);
      return Optional.of(new Scoped(definition.getBody(), inside));
    }
    return Optional.empty();
  }

  private static int opcode(OpApplNode application) {
    return BuiltInOPs.getOpCode(application.getOperator().getName());
  }
}
