package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/// What is set is a setting of the program that runs there, and what must be set is.
final class Configuration implements Check {
    private static final Set<String> OF_KAFKA = Set.of(
            "kafka.bootstrap.servers",
            "kafka.security.protocol",
            "kafka.sasl.mechanism",
            "kafka.sasl.jaas.config",
            "kafka.ssl.truststore.location",
            "kafka.ssl.truststore.password",
            "kafka.ssl.truststore.type",
            "kafka.ssl.truststore.certificates",
            "kafka.ssl.keystore.location",
            "kafka.ssl.keystore.password",
            "kafka.ssl.keystore.type",
            "kafka.client.rack");

    /// Of Quarkus, at run time, beside those that a service's `application.properties` has.
    private static final Set<String> OF_QUARKUS = Set.of(
            "quarkus.shutdown.timeout",
            "quarkus.log.level",
            "quarkus.log.console.level",
            "quarkus.thread-pool.max-threads",
            "quarkus.otel.exporter.otlp.endpoint",
            "quarkus.otel.exporter.otlp.protocol",
            "quarkus.otel.traces.sampler.arg",
            "quarkus.otel.resource.attributes",
            "smallrye.config.locations");

    /// In an `application.properties`, but fixed when the service is built.
    private static final Set<String> BUILT_IN = Set.of(
            "quarkus.application.name",
            "quarkus.rest.path",
            "quarkus.smallrye-health.root-path",
            "quarkus.micrometer.export.prometheus.path",
            "quarkus.micrometer.binder.http-server.enabled",
            "quarkus.micrometer.binder.vertx.enabled");

    private static final Set<String> OF_OTHERS = Set.of(
            "TZ", "LC_ALL", "LANG", "AWS_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "MALLOC_ARENA_MAX");

    private static final Set<String> LOOPBACK = Set.of("127.0.0.1", "localhost", "::1");
    private static final Pattern HOST = Pattern.compile("(?:https?://)?(\\[[^]]*]|[^:/,]+)(?::\\d+)?");

    @Override
    public String name() {
        return "configuration";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        for (var run : manifests.runs()) {
            known(run, findings);
            if (run.pods().isService()) {
                required(run, findings);
            }
        }
        for (var pods : manifests.pods()) {
            pods.allContainers().forEach(container -> variables(pods, container, findings));
        }
        return findings;
    }

    private static void variables(Pods pods, JsonNode container, List<String> findings) {
        var before = new HashSet<String>();
        for (var variable : container.path("env").valueStream().toList()) {
            var name = variable.path("name").asText();
            Settings.REFERENCE
                    .matcher(variable.path("value").asText())
                    .results()
                    .forEach(match -> {
                        if (!before.contains(match.group(1))) {
                            findings.add(pods.title() + ": " + name + " refers to " + match.group(1)
                                    + ", which is not set above it");
                        }
                    });
            if (!before.add(name)) {
                findings.add(pods.title() + ": " + name + " is set twice");
            }
        }
    }

    private static void known(Run run, List<String> findings) {
        var program = run.program();
        var settings = run.settings();
        var keys = keys(program);
        var names = keys.stream().map(Keys::environment).collect(Collectors.toSet());
        var referred = Settings.REFERENCE
                .matcher(run.container().toString())
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toSet());
        for (var name : settings.variables().keySet()) {
            if (!names.contains(name)
                    && !OF_OTHERS.contains(name)
                    && !Settings.OF_JVM.contains(name)
                    && !referred.contains(name)
                    && !ofSource(program, name)) {
                findings.add(run.title() + ": " + name + " is no setting of " + program.name());
            }
        }
        for (var key : settings.properties().keySet()) {
            var pattern = key.replaceFirst("^tarpon\\.sources\\.[^.]+\\.", "tarpon.sources.*.");
            if (key.matches("(tarpon|quarkus|kafka|mp|smallrye)\\..*") && !keys.contains(pattern)) {
                findings.add(run.title() + ": " + key + " is no setting of " + program.name());
            }
        }
    }

    private static Set<String> keys(Product.Program program) {
        var keys = new HashSet<>(program.keys().defaults().keySet());
        keys.addAll(program.defaults().stringPropertyNames());
        keys.addAll(OF_QUARKUS);
        // Each channel can be off.
        program.defaults().stringPropertyNames().stream()
                .filter(key -> key.startsWith("mp.messaging.") && key.endsWith(".connector"))
                .forEach(key -> keys.add(key.replaceFirst("connector$", "enabled")));
        var byName = program.readByName();
        keys.addAll(byName);
        // Messaging gives its channels all of them; who makes clients by hand may be given these, too.
        if (!program.groups().isEmpty() || byName.contains(Product.Program.ALL_OF_KAFKA)) {
            keys.addAll(OF_KAFKA);
        }
        keys.removeAll(BUILT_IN);
        return keys;
    }

    /// `TARPON_SOURCES_RAW_KIND`, where the name of the source stands for itself.
    private static boolean ofSource(Product.Program program, String variable) {
        return program.keys().defaults().keySet().stream()
                .filter(key -> key.contains("*"))
                .map(key -> Keys.environment(key.replace("*", "x")).replace("_X_", "_[A-Z0-9]+_"))
                .anyMatch(variable::matches);
    }

    private static void required(Run run, List<String> findings) {
        for (var key : run.program().keys().required()) {
            if (!key.contains("*")) {
                need(run, key, findings);
            }
        }
        for (var key : List.of("tarpon.bind", "tarpon.metadata.url", "kafka.bootstrap.servers", "tarpon.node.url")) {
            var value = run.value(key);
            if (HOST.matcher(value).results().anyMatch(match -> LOOPBACK.contains(match.group(1)))) {
                findings.add(run.title() + ": " + key + " is " + value + ", which is the pod itself");
            }
        }
        if (run.settings().set("tarpon.token-file").isEmpty()) {
            findings.add(run.title() + ": tarpon.token-file is not set: commands are refused");
        }
        need(
                run,
                run.value("tarpon.store.kind").equals("s3") ? "tarpon.store.s3.bucket" : "tarpon.store.directory.root",
                findings);
        switch (run.program().name()) {
            case "block-svc" -> {
                own(run, "tarpon.node.id", "<metadata.name>", findings);
                own(run, "tarpon.node.host", "<spec.nodeName>", findings);
                own(run, "tarpon.node.url", "<metadata.name>", findings);
            }
            case "metadata-svc" -> {
                var replicas = run.pods().replicas();
                if (replicas > 1 && !run.value("tarpon.metadata.log").equals("kafka")) {
                    findings.add(run.title() + ": has " + replicas + " replicas, and tarpon.metadata.log is not kafka");
                }
            }
            default -> {}
        }
    }

    private static void need(Run run, String key, List<String> findings) {
        if (run.value(key).isEmpty()) {
            findings.add(run.title() + ": " + key + " must be set");
        }
    }

    /// What each pod must have of its own.
    private static void own(Run run, String key, String field, List<String> findings) {
        if (!run.settings().set(key).orElse("").contains(field)) {
            findings.add(run.title() + ": " + key + " is to be of the pod's " + field);
        }
    }
}
