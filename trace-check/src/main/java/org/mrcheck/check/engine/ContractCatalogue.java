package org.mrcheck.check.engine;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.mrcheck.check.ledger.Ledger;
import org.mrcheck.lang.binding.Binding;
import org.mrcheck.lang.binding.BindingParser;
import org.mrcheck.lang.binding.BindingSyntaxException;
import org.mrcheck.lang.diagnostic.Suggestion;
import org.mrcheck.lang.trace.TraceHeader;
import org.mrcheck.spec.ContractModule;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;
import org.mrcheck.spec.SpecValue;
import org.mrcheck.spec.TlaTools;

/**
 * The contracts to check, each with its bindings and its lazily filled table. The tables are kept
 * from one trace to the next. Thread-safe.
 */
public final class ContractCatalogue {
  /** The bindings that mrcheck brings, in the order of reports. */
  public static final List<String> BUNDLED =
      List.of(
          "NoAccessAfterReturn",
          "UnpinSafe",
          "SoundCheck",
          "SoundCheckOnWire",
          "SameRegistrationPerMessage",
          "NoAba",
          "RejectHasNoEffect",
          "UmbrellaStatus",
          "NakOnlyAtExpectedPsn",
          "FatalNak",
          "SilentInError",
          "PsnOrder",
          "DuplicateNotExecuted",
          "LocalFaultStaysLocal",
          "CompletionMatchesAnswer",
          "ExactlyOneCompletion",
          "CompletionOrder",
          "SuccessMeansDone",
          "InvalidateIsExact",
          "InvalidateBeforeCompletion",
          "WindowRules",
          "ReregAtomic",
          "LifetimeOrder");

  /** One binding with the automaton behind it. */
  record Entry(Binding binding, TlaAutomaton automaton, BeliefTable<SpecValue> table) {}

  private final List<Entry> entries;
  private final String description;

  private ContractCatalogue(List<Entry> entries, String description) {
    this.entries = List.copyOf(entries);
    this.description = description;
  }

  /** The contracts that mrcheck brings. */
  public static ContractCatalogue bundled() throws CatalogueException {
    return load(SpecLibrary.bundled(), BUNDLED, Budget.DEFAULT);
  }

  /**
   * Loads bindings and opens their contracts.
   *
   * @param library where the {@code .binding} and {@code .tla} files are
   * @param bindings names of bindings, without {@code .binding}
   * @param budget limits for each contract
   * @throws CatalogueException if a file is missing or wrong; the message says where
   */
  public static ContractCatalogue load(
      SpecLibrary library, Collection<String> bindings, Budget budget) throws CatalogueException {
    return load(TlaTools.bundled(), library, bindings, budget);
  }

  /**
   * As {@link #load(SpecLibrary, Collection, Budget)} with a TLC of the caller's choice.
   *
   * @param tools the TLC to evaluate with
   */
  public static ContractCatalogue load(
      TlaTools tools, SpecLibrary library, Collection<String> bindings, Budget budget)
      throws CatalogueException {
    List<Binding> parsed = new ArrayList<>();
    for (String name : bindings) {
      String file = name + ".binding";
      Optional<String> text = library.text(file);
      if (text.isEmpty()) {
        throw new CatalogueException("there is no " + file + " in " + library.description());
      }
      try {
        parsed.add(BindingParser.parse(text.get(), file));
      } catch (BindingSyntaxException malformed) {
        throw new CatalogueException(malformed.getMessage(), malformed);
      }
    }
    Set<String> modules = new LinkedHashSet<>();
    parsed.forEach(binding -> modules.add(binding.module()));
    List<Entry> entries = new ArrayList<>();
    try {
      Map<String, ContractModule> opened = ContractModule.openAll(tools, library, modules);
      for (Binding binding : parsed) {
        TlaAutomaton automaton = new TlaAutomaton(opened.get(binding.module()));
        entries.add(new Entry(binding, automaton, new BeliefTable<>(automaton, budget)));
      }
    } catch (SpecException failure) {
      throw new CatalogueException(failure.getMessage(), failure);
    } catch (BudgetExceededException exceeded) {
      throw new CatalogueException("a contract is too large: " + exceeded.getMessage(), exceeded);
    }
    return new ContractCatalogue(entries, library.description());
  }

  /**
   * Only the contracts of these names.
   *
   * @throws CatalogueException if there is no contract of a name; the message suggests one
   */
  public ContractCatalogue only(Collection<String> contracts) throws CatalogueException {
    List<String> known = contracts();
    for (String contract : contracts) {
      if (!known.contains(contract)) {
        throw new CatalogueException(
            "there is no contract \""
                + contract
                + "\""
                + Suggestion.nearest(contract, known)
                    .map(near -> "; did you mean \"" + near + "\"?")
                    .orElse("; the contracts are " + String.join(", ", known)));
      }
    }
    return new ContractCatalogue(
        entries.stream().filter(entry -> contracts.contains(entry.binding().contract())).toList(),
        description);
  }

  /** Names of the contracts, in the order of reports. */
  public List<String> contracts() {
    return entries.stream().map(entry -> entry.binding().contract()).distinct().toList();
  }

  /** The bindings, in the order of reports. */
  public List<Binding> bindings() {
    return entries.stream().map(Entry::binding).toList();
  }

  /** Where the contracts came from, for reports. */
  public String description() {
    return description;
  }

  List<Entry> entries() {
    return entries;
  }

  /** One pass's instances of an entry. */
  BindingRun run(Entry entry, Ledger ledger, TraceHeader header, int details)
      throws CatalogueException {
    List<Binding> siblings =
        bindings().stream()
            .filter(binding -> binding.contract().equals(entry.binding().contract()))
            .toList();
    return new BindingRun(entry.binding(), siblings, entry.table(), ledger, header, details);
  }
}
