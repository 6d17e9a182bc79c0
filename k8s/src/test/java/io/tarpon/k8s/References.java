package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// What an object names is in the render, or comes from elsewhere: from Strimzi, which makes a Secret for
/// each KafkaUser and one with the certificate of its cluster, or from whoever installs, as a line of
/// `k8s/README.md` says that has its name and its kind.
final class References implements Check {
    private static final Pattern URL = Pattern.compile("https?://([^:/,\\s]+)(?::(\\d+))?");
    private static final Pattern BROKER = Pattern.compile("([^:/,\\s]+):(\\d+)");
    private static final Pattern QUOTED = Pattern.compile("`([a-z0-9.-]+)`");
    private static final String ITSELF = "own-name";
    private static final String OF_THE_CLUSTER = "(.+)\\.(svc|svc\\.cluster\\.local)";

    @Override
    public String name() {
        return "references";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        var elsewhere = fromElsewhere(manifests);
        var used = new TreeSet<String>();
        for (var pods : manifests.pods()) {
            var search = new Search(manifests, pods.owner(), elsewhere, used, findings);
            search.walk(pods.spec());
            mounts(pods, search);
            hosts(manifests, pods, elsewhere, findings);
        }
        for (var item : manifests.of("TriggerAuthentication", "ServiceMonitor", "Kafka", "Ingress", "KafkaSource")) {
            new Search(manifests, item, elsewhere, used, findings).walk(item.json());
        }
        for (var item : manifests.of("StatefulSet")) {
            if (manifests
                    .find("Service", item.at("spec.serviceName").asText())
                    .filter(service -> service.at("spec.clusterIP").asText().equals("None"))
                    .isEmpty()) {
                findings.add(item.title() + ": there is no headless Service " + item.at("spec.serviceName"));
            }
        }
        unused(manifests, used, elsewhere, findings);
        return findings.stream().distinct().toList();
    }

    private static Set<String> fromElsewhere(Manifests manifests) {
        var titles = new TreeSet<String>();
        for (var user : manifests.of("KafkaUser")) {
            titles.add("Secret/" + user.name());
            titles.add("Secret/" + user.labels().get("strimzi.io/cluster") + "-cluster-ca-cert");
        }
        try {
            for (var line : Files.readAllLines(Product.ROOT.resolve("k8s/README.md"))) {
                for (var kind : List.of("Secret", "ConfigMap", "Service")) {
                    if (line.contains(kind)) {
                        QUOTED.matcher(line).results().forEach(match -> titles.add(kind + "/" + match.group(1)));
                    }
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return titles;
    }

    private static void unused(Manifests manifests, Set<String> used, Set<String> elsewhere, List<String> findings) {
        for (var item : manifests.of("ConfigMap", "Secret", "ServiceAccount")) {
            // Dashboards are found by their label.
            if (!used.contains(item.title())
                    && !elsewhere.contains(item.title())
                    && !item.labels().containsKey("grafana_dashboard")) {
                findings.add(item.title() + ": nothing uses it");
            }
        }
    }

    private record Search(
            Manifests manifests, Item by, Set<String> elsewhere, Set<String> used, List<String> findings) {
        void walk(JsonNode node) {
            for (var entry : node.properties()) {
                var value = entry.getValue();
                switch (entry.getKey()) {
                    case "configMapRef", "configMapKeyRef", "configMap" -> named("ConfigMap", value, "name");
                    case "secretRef", "secretKeyRef" -> named("Secret", value, "name");
                    case "secret" -> named("Secret", value, value.has("secretName") ? "secretName" : "name");
                    case "secretTargetRef" -> value.valueStream().forEach(one -> named("Secret", one, "name"));
                    case "configMapTargetRef" -> value.valueStream().forEach(one -> named("ConfigMap", one, "name"));
                    case "serviceAccountName" -> exists("ServiceAccount", value.asText());
                    case "persistentVolumeClaim" -> named("PersistentVolumeClaim", value, "claimName");
                    case "imagePullSecrets" -> value.valueStream().forEach(one -> named("Secret", one, "name"));
                    default -> {}
                }
                walk(value);
            }
            node.valueStream().filter(one -> node.isArray()).forEach(this::walk);
        }

        private void named(String kind, JsonNode reference, String field) {
            var name = reference.path(field).asText();
            exists(kind, name);
            var keys = new ArrayList<String>();
            if (reference.has("key")) {
                keys.add(reference.path("key").asText());
            }
            reference
                    .path("items")
                    .valueStream()
                    .forEach(one -> keys.add(one.path("key").asText()));
            manifests
                    .find(kind, name)
                    .ifPresent(item -> keys.stream()
                            .filter(key -> !item.at("data").has(key)
                                    && !item.at("stringData").has(key)
                                    && !item.at("binaryData").has(key))
                            .forEach(key -> findings.add(by.title() + ": " + item.title() + " has no key " + key)));
        }

        private void exists(String kind, String name) {
            used.add(kind + "/" + name);
            if (manifests.find(kind, name).isEmpty() && !elsewhere.contains(kind + "/" + name)) {
                findings.add(by.title() + ": there is no " + kind + "/" + name);
            }
        }
    }

    private static void mounts(Pods pods, Search search) {
        var volumes = new TreeSet<String>();
        pods.spec()
                .path("volumes")
                .forEach(volume -> volumes.add(volume.path("name").asText()));
        pods.owner()
                .at("spec.volumeClaimTemplates")
                .forEach(claim -> volumes.add(Item.at(claim, "metadata.name").asText()));
        var mounted = new TreeSet<String>();
        for (var container : pods.allContainers()) {
            var paths = new TreeSet<String>();
            for (var mount : container.path("volumeMounts").valueStream().toList()) {
                mounted.add(mount.path("name").asText());
                if (!volumes.contains(mount.path("name").asText())) {
                    search.findings()
                            .add(pods.title() + ": mounts " + mount.path("name") + ", which is no volume of its pods");
                }
                if (!paths.add(mount.path("mountPath").asText())) {
                    search.findings().add(pods.title() + ": mounts two volumes at " + mount.path("mountPath"));
                }
            }
        }
        volumes.removeAll(mounted);
        volumes.forEach(
                volume -> search.findings().add(pods.title() + ": its volume " + volume + " is mounted nowhere"));
    }

    private static void hosts(Manifests manifests, Pods pods, Set<String> elsewhere, List<String> findings) {
        for (var container : pods.containers()) {
            var settings = Settings.of(manifests, pods, container);
            settings.variables().forEach((name, value) -> {
                var pattern = name.endsWith("BOOTSTRAP_SERVERS") ? BROKER : URL;
                pattern.matcher(value.replace("<metadata.name>", ITSELF))
                        .results()
                        .forEach(match -> {
                            if (!answers(manifests, match.group(1), match.group(2))
                                    && !elsewhere.contains(
                                            "Service/" + match.group(1).split("\\.", -1)[0])) {
                                findings.add(pods.title() + ": " + name + " names " + match.group()
                                        + ", where nothing of this render answers");
                            }
                        });
            });
        }
    }

    /// Names with dots that do not end as those of a cluster do are somebody else's.
    private static boolean answers(Manifests manifests, String host, String port) {
        var local = host.replaceFirst(OF_THE_CLUSTER, "$1").split("\\.", -1);
        if (local[0].endsWith("-kafka-bootstrap")
                && manifests.of("KafkaTopic", "KafkaUser").stream()
                        .anyMatch(it -> local[0].equals(it.labels().get("strimzi.io/cluster") + "-kafka-bootstrap"))) {
            return true;
        }
        var services = manifests.services();
        for (var service : services) {
            var headless = service.at("spec.clusterIP").asText().equals("None");
            if (local[0].equals(service.name())) {
                return serves(service, port);
            }
            if (headless && local.length > 1 && local[1].equals(service.name())) {
                return serves(service, port) && isPod(manifests, service, local[0]);
            }
        }
        return local.length > 1 && !host.matches(OF_THE_CLUSTER);
    }

    private static boolean serves(Item service, String port) {
        var wanted = port == null ? "80" : port;
        return service.at("spec.ports")
                .valueStream()
                .anyMatch(it -> it.path("port").asText().equals(wanted));
    }

    private static boolean isPod(Manifests manifests, Item service, String name) {
        return name.equals(ITSELF)
                || Selectors.selected(manifests, service).stream()
                        .filter(pods ->
                                pods.owner().at("spec.serviceName").asText().equals(service.name()))
                        .anyMatch(pods -> name.matches(
                                        Pattern.quote(pods.owner().name()) + "-\\d+")
                                && Integer.parseInt(name.substring(name.lastIndexOf('-') + 1)) < pods.replicas());
    }
}
