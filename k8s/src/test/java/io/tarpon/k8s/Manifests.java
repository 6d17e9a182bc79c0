package io.tarpon.k8s;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// What kustomize renders of one overlay.
record Manifests(String overlay, List<Item> items) {
    private static final Path OVERLAYS = Product.ROOT.resolve("k8s/overlays");
    private static final int SECONDS = 20;

    static List<String> overlays() {
        try (var folders = Files.list(OVERLAYS)) {
            return folders.map(folder -> folder.getFileName().toString())
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Manifests render(String overlay) {
        return render(overlay, OVERLAYS.resolve(overlay));
    }

    /// The base with components of it and no overlay: what these say themselves.
    ///
    /// @param scratch takes the kustomization
    static Manifests renderBase(Path scratch, String... components) throws IOException {
        var here = scratch.toRealPath().relativize(Product.ROOT.resolve("k8s").toRealPath());
        var lines = new ArrayList<>(List.of(
                "apiVersion: kustomize.config.k8s.io/v1beta1",
                "kind: Kustomization",
                "resources: [" + here.resolve("base") + "]",
                "components:"));
        for (var component : components) {
            lines.add("  - " + here.resolve("components").resolve(component));
        }
        Files.write(scratch.resolve("kustomization.yaml"), lines);
        return render("base with " + String.join(", ", components), scratch);
    }

    private static Manifests render(String overlay, Path from) {
        var folder = from.toString();
        for (var command : List.of(List.of("kubectl", "kustomize", folder), List.of("kustomize", "build", folder))) {
            var process = start(command);
            if (process.isPresent()) {
                return new Manifests(overlay, read(output(command, process.get())));
            }
        }
        throw new AssertionError(
                "the manifests are rendered with kubectl, 1.32 or later, or with kustomize, 5.5 or later,"
                        + " and neither starts here: install one of them");
    }

    private static Optional<Process> start(List<String> command) {
        try {
            return Optional.of(new ProcessBuilder(command).start());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /// What it says beside its output is little, and is a fault, warnings too.
    private static String output(List<String> command, Process process) {
        try (var output = process.getInputStream();
                var errors = process.getErrorStream()) {
            var rendered = new String(output.readAllBytes(), StandardCharsets.UTF_8);
            var said = new String(errors.readAllBytes(), StandardCharsets.UTF_8);
            if (!process.waitFor(SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0 || !said.isEmpty()) {
                throw new AssertionError(String.join(" ", command) + ": " + said);
            }
            return rendered;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /// @param yaml documents
    static List<Item> read(String yaml) {
        var mapper = new ObjectMapper(new YAMLFactory());
        try (var documents = mapper.readerFor(ObjectNode.class).<ObjectNode>readValues(yaml)) {
            return documents.readAll().stream().map(Item::new).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Manifests copy() {
        return new Manifests(
                overlay,
                items.stream().map(item -> new Item(item.json().deepCopy())).toList());
    }

    /// For one person's cluster on one machine: one broker, and no policies.
    boolean isLocal() {
        return overlay.equals("local");
    }

    List<Item> of(String... kinds) {
        var wanted = Arrays.asList(kinds);
        return items.stream().filter(item -> wanted.contains(item.kind())).toList();
    }

    Optional<Item> find(String kind, String name) {
        return of(kind).stream().filter(item -> item.name().equals(name)).findFirst();
    }

    List<Pods> pods() {
        return items.stream().flatMap(item -> Pods.of(item).stream()).toList();
    }

    List<Run> runs() {
        return pods().stream().flatMap(pods -> pods.runs(this).stream()).toList();
    }

    /// Those of a core Service, which only says where pods are.
    List<Item> services() {
        return of("Service").stream()
                .filter(item -> item.apiVersion().equals("v1"))
                .toList();
    }
}
