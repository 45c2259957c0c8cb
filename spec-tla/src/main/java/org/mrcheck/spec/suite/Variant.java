package org.mrcheck.spec.suite;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.mrcheck.spec.SourceLocation;
import org.mrcheck.spec.SpecException;
import org.mrcheck.spec.SpecLibrary;

/**
 * A model with something changed: a module that extends it and a configuration made from its own.
 *
 * @param library the model's library with the two new files
 * @param module the new root module
 * @param config the new configuration file
 */
record Variant(SpecLibrary library, String module, String config) {
  private static final String NAME = "GeneratedVariant";
  private static final Pattern SECTION =
      Pattern.compile(
          "(?m)^(?=(?:CONSTANTS?|INVARIANTS?|PROPERTY|PROPERTIES|SPECIFICATION|INIT|NEXT|SYMMETRY"
              + "|VIEW|CONSTRAINTS?|ACTION_CONSTRAINTS?|CHECK_DEADLOCK)\\b)");
  private static final Pattern CLAIMS = Pattern.compile("(?:INVARIANT|PROPERT)[\\s\\S]*");
  private static final Pattern PROFILES = Pattern.compile("\\bRunProfiles\\s*=\\s*\\{[^}]*\\}");
  private static final Pattern DEFECTS = Pattern.compile("\\bRunDefects\\s*=\\s*\\{[^}]*\\}");
  private static final Pattern NARRATE = Pattern.compile("\\bNarrate\\s*=\\s*FALSE\\b");

  /** The model with these choices instead of its own. */
  static Variant choosing(
      SpecLibrary library,
      String module,
      String config,
      Collection<Choice> choices,
      Map<String, String> strict) {
    return of(library, module, text(library, config), choices, strict, "", "");
  }

  /** The liveness property of a model, for one choice, telling events. */
  static Variant property(
      SpecLibrary library,
      String module,
      String config,
      String property,
      Choice choice,
      Map<String, String> strict) {
    return of(
        library,
        module,
        alone(choice, text(library, config)),
        choice.isMutant() ? Set.of() : Set.of(choice),
        strict,
        "",
        "PROPERTY " + property + "\n");
  }

  /** The model with one choice, telling events, and ending when the contract is broken. */
  static Variant story(
      SpecLibrary library,
      String module,
      String config,
      Choice choice,
      String contract,
      Map<String, String> strict) {
    return of(
        library,
        module,
        alone(choice, text(library, config)),
        choice.isMutant() ? Set.of() : Set.of(choice),
        strict,
        "GeneratedNeverBroken == \"%s\" \\notin broken \\cup reached\n".formatted(contract),
        "INVARIANT GeneratedNeverBroken\n");
  }

  private static Variant of(
      SpecLibrary library,
      String module,
      String config,
      Collection<Choice> choices,
      Map<String, String> strict,
      String definitions,
      String claims) {
    // A mutant comes from the model's own choices, which know the policies it shows under.
    String instead = choices.isEmpty() ? "" : "CONSTANT Choices <- GeneratedChoices\n";
    String set =
        choices.stream()
            .map(choice -> "    " + choice.toTla(strict))
            .collect(Collectors.joining(",\n", "{\n", "}\n"));
    String root =
        "---- MODULE %s ----\nEXTENDS %s\nGeneratedChoices ==%s%s====\n"
            .formatted(NAME, module, set, definitions);
    String end = config.endsWith("\n") ? "" : "\n";
    return new Variant(
        SpecLibrary.of(Map.of(NAME + ".tla", root, NAME + ".cfg", config + end + instead + claims))
            .orElse(library),
        NAME,
        NAME + ".cfg");
  }

  /** The configuration for one choice, telling events, without claims. */
  private static String alone(Choice choice, String config) {
    String telling = NARRATE.matcher(withoutClaims(config)).replaceAll("Narrate = TRUE");
    return choice.isMutant()
        ? DEFECTS
            .matcher(PROFILES.matcher(telling).replaceAll("RunProfiles = {}"))
            .replaceAll("RunDefects = {\"" + choice.defect() + "\"}")
        : telling;
  }

  private static String withoutClaims(String config) {
    return List.of(SECTION.split(config)).stream()
        .filter(section -> !CLAIMS.matcher(section).matches())
        .collect(Collectors.joining());
  }

  private static String text(SpecLibrary library, String config) {
    return library
        .text(config)
        .orElseThrow(
            () ->
                new SpecException(
                    SpecException.Kind.MISSING_FILE,
                    SourceLocation.of(config),
                    "no such file in " + library.description()));
  }
}
