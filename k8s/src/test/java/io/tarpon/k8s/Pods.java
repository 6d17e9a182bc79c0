package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// The pods that one object makes.
///
/// @param template metadata and spec of each
record Pods(Item owner, JsonNode template) {
    private static final Pattern IMAGE = Pattern.compile("(?:.*/)?([^/:@]+)(?:[:@].*)?");

    static Optional<Pods> of(Item item) {
        return switch (item.kind()) {
            case "Deployment", "StatefulSet", "DaemonSet", "Job" ->
                Optional.of(new Pods(item, item.at("spec.template")));
            case "CronJob" -> Optional.of(new Pods(item, item.at("spec.jobTemplate.spec.template")));
            // The other Service is no workload.
            case "Service" ->
                item.apiVersion().startsWith("serving.knative.dev/")
                        ? Optional.of(new Pods(item, item.at("spec.template")))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }

    String title() {
        return owner.title();
    }

    JsonNode spec() {
        return template.path("spec");
    }

    Map<String, String> labels() {
        return Item.strings(Item.at(template, "metadata.labels"));
    }

    boolean isKnative() {
        return owner.kind().equals("Service");
    }

    /// Whether it runs for good, rather than to its end.
    boolean isService() {
        return !owner.kind().endsWith("Job");
    }

    /// The containers that run a service of ours, which their images are named after.
    List<Run> runs(Manifests manifests) {
        return containers().stream()
                .flatMap(container -> Product.PROGRAMS.stream()
                        .filter(program -> IMAGE.matcher(container.path("image").asText())
                                .replaceAll("$1")
                                .equals(program.name()))
                        .map(program -> new Run(this, container, program, Settings.of(manifests, this, container))))
                .toList();
    }

    List<JsonNode> containers() {
        return spec().path("containers").valueStream().toList();
    }

    List<JsonNode> allContainers() {
        return Stream.concat(spec().path("initContainers").valueStream(), containers().stream())
                .toList();
    }

    List<JsonNode> ports() {
        return containers().stream()
                .flatMap(container -> container.path("ports").valueStream())
                .toList();
    }

    /// The number that a Service, a probe or a policy means by a name or by a number.
    Optional<Integer> port(JsonNode target) {
        return ports().stream()
                .filter(port -> target.isTextual()
                        ? port.path("name").asText().equals(target.asText())
                        : port.path("containerPort").asInt() == target.asInt())
                .map(port -> port.path("containerPort").asInt())
                .findFirst();
    }

    int replicas() {
        return owner.at("spec.replicas").asInt(1);
    }
}
