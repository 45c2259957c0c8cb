package org.mrcheck.spec.suite;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.mrcheck.spec.ModelProgress;
import org.mrcheck.spec.ModelRun;

/**
 * Results of runs, kept in a folder under the hash of everything that determines them: the root
 * module, every module that it may import, the configuration file, the jar of TLC, the number of
 * workers and the form of this file. A result that cannot be read is as good as none.
 *
 * <p>Files are written beside and then renamed, so that two processes may share the folder.
 *
 * @param folder where the results are; it is made when the first is written
 */
public record ResultStore(Path folder) {
  private static final String FORM = "mrcheck-model-results-1";
  private static final ObjectMapper JSON = new ObjectMapper();

  public ResultStore {
    Objects.requireNonNull(folder, "folder");
  }

  /** The key of a run. */
  static String key(ModelRun run, String property) throws IOException {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
    List<String> parts =
        new ArrayList<>(
            List.of(FORM, run.module(), run.config(), property, run.workers() == 1 ? "1" : "n"));
    run.texts()
        .forEach(
            (file, text) -> {
              parts.add(file);
              parts.add(text);
            });
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
      digest.update(bytes);
    }
    digest.update(Files.readAllBytes(run.tools().jar()));
    return HexFormat.of().formatHex(digest.digest()).substring(0, 32);
  }

  /** The result kept under a key. */
  Optional<ModelFindings> find(String key) {
    Path file = file(key);
    if (!Files.isRegularFile(file)) {
      return Optional.empty();
    }
    try {
      JsonNode root = JSON.readTree(Files.readAllBytes(file));
      return root.path("form").asText().equals(FORM) ? Optional.of(read(root)) : Optional.empty();
    } catch (IOException | RuntimeException unreadable) {
      return Optional.empty();
    }
  }

  /** Keeps a result under a key. */
  void keep(String key, ModelFindings findings) throws IOException {
    Files.createDirectories(folder);
    Path beside = Files.createTempFile(folder, key, ".new");
    try {
      Files.write(beside, JSON.writeValueAsBytes(write(findings)));
      try {
        Files.move(
            beside, file(key), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } catch (AtomicMoveNotSupportedException e) {
        Files.move(beside, file(key), StandardCopyOption.REPLACE_EXISTING);
      }
    } finally {
      Files.deleteIfExists(beside);
    }
  }

  private Path file(String key) {
    return folder.resolve(key + ".json");
  }

  private static ObjectNode write(ModelFindings findings) {
    ObjectNode root = JSON.createObjectNode();
    root.put("form", FORM).put("model", findings.model());
    ModelSettings about = findings.settings();
    texts(about.opened(), root.putArray("opened"));
    texts(about.watched(), root.putArray("watched"));
    texts(about.probes(), root.putArray("probes"));
    texts(about.profiles(), root.putArray("profiles"));
    texts(about.defects(), root.putArray("defects"));
    ArrayNode ran = root.putArray("ran");
    about.ran().forEach(choice -> write(choice, ran.addObject()));
    findings(findings.broken(), root.putArray("broken"));
    findings(findings.reached(), root.putArray("reached"));
    root.put("depth", findings.counts().depth())
        .put("generated", findings.counts().generated())
        .put("distinct", findings.counts().distinct())
        .put("millis", findings.elapsed().toMillis());
    return root;
  }

  private static void write(Choice choice, ObjectNode node) {
    ObjectNode policy = node.putObject("policy");
    choice.policy().forEach(policy::put);
    node.put("defect", choice.defect());
  }

  private static void texts(SortedSet<String> texts, ArrayNode array) {
    texts.forEach(array::add);
  }

  private static void findings(List<Finding> findings, ArrayNode array) {
    for (Finding finding : findings) {
      ObjectNode node = array.addObject().put("name", finding.name());
      write(finding.choice(), node.putObject("choice"));
      finding.actions().forEach(node.putArray("actions")::add);
    }
  }

  private static ModelFindings read(JsonNode root) {
    TreeSet<Choice> ran = new TreeSet<>();
    root.path("ran").forEach(node -> ran.add(choice(node)));
    return new ModelFindings(
        root.path("model").asText(),
        new ModelSettings(
            texts(root.path("opened")),
            texts(root.path("watched")),
            texts(root.path("probes")),
            texts(root.path("profiles")),
            texts(root.path("defects")),
            ran),
        findings(root.path("broken")),
        findings(root.path("reached")),
        new ModelProgress(
            root.path("depth").asInt(),
            root.path("generated").asLong(),
            root.path("distinct").asLong(),
            0),
        Duration.ofMillis(root.path("millis").asLong()),
        Optional.empty(),
        ModelFindings.Kind.EXPLORED);
  }

  private static Choice choice(JsonNode node) {
    TreeMap<String, String> policy = new TreeMap<>();
    node.path("policy")
        .fields()
        .forEachRemaining(field -> policy.put(field.getKey(), field.getValue().asText()));
    return new Choice(policy, node.path("defect").asText());
  }

  private static SortedSet<String> texts(JsonNode array) {
    TreeSet<String> texts = new TreeSet<>();
    array.forEach(element -> texts.add(element.asText()));
    return texts;
  }

  private static List<Finding> findings(JsonNode array) {
    List<Finding> findings = new ArrayList<>();
    for (JsonNode node : array) {
      List<String> actions = new ArrayList<>();
      node.path("actions").forEach(action -> actions.add(action.asText()));
      findings.add(new Finding(node.path("name").asText(), choice(node.path("choice")), actions));
    }
    return findings;
  }
}
