package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// Policies let through what must talk, on both sides, and nothing else.
final class Network implements Check {
    private static final Pattern BROKER = Pattern.compile("([^:/,\\s]+):(\\d+)");
    private static final Pattern URL = Pattern.compile("(https?)://([^:/,\\s]+)(?::(\\d+))?.*");

    private static final Party DNS = Party.elsewhere("DNS", "kube-system", Map.of("k8s-app", "kube-dns"));
    private static final Party PROMETHEUS =
            Party.elsewhere("Prometheus", "monitoring", Map.of("app.kubernetes.io/name", "prometheus"));
    private static final Party LOADER =
            Party.elsewhere("a pod that loads", "training", Map.of("tarpon.io/access", "loader"));
    private static final Party UPLOADER =
            Party.elsewhere("a pod that uploads", "training", Map.of("tarpon.io/access", "uploader"));
    private static final Party PUBLIC = new Party("a public address", Map.of(), "", true);
    private static final List<Party> STRANGERS = List.of(
            new Party("any pod of the namespace", Map.of(), "", false),
            Party.elsewhere("any pod of another namespace", "other", Map.of()));

    /// Of strangers that nobody should reach, whatever listens there.
    private static final List<Integer> PORTS = Stream.concat(
                    Product.PROGRAMS.stream()
                            .map(program -> Integer.parseInt(program.defaults().getProperty("quarkus.http.port"))),
                    Stream.of(80, 443, 9092, 9093))
            .toList();

    /// Who talks or is talked to.
    ///
    /// @param namespace empty for our own
    private record Party(String name, Map<String, String> labels, String namespace, boolean isAddress) {
        static Party of(Pods pods) {
            return new Party(pods.title(), pods.labels(), "", false);
        }

        static Party elsewhere(String name, String namespace, Map<String, String> labels) {
            return new Party(name, labels, namespace, false);
        }

        boolean isOf(JsonNode peer) {
            if (peer.has("ipBlock") || isAddress) {
                return isAddress && peer.has("ipBlock");
            }
            var isThere = peer.has("namespaceSelector")
                    ? Labels.match(peer.path("namespaceSelector"), Map.of("kubernetes.io/metadata.name", namespace))
                    : namespace.isEmpty();
            return isThere && (!peer.has("podSelector") || Labels.match(peer.path("podSelector"), labels));
        }
    }

    private enum Way {
        INGRESS("ingress", "from", "Ingress"),
        EGRESS("egress", "to", "Egress");

        private final String rules;
        private final String peers;
        private final String type;

        Way(String rules, String peers, String type) {
            this.rules = rules;
            this.peers = peers;
            this.type = type;
        }
    }

    @Override
    public String name() {
        return "network";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        if (manifests.isLocal() && manifests.of("NetworkPolicy").isEmpty()) {
            return findings;
        }
        var runs = manifests.runs();
        var talk = new Talk(manifests, runs, findings);
        for (var run : runs) {
            talk.isolated(run.pods());
            talk.outwards(run);
            talk.inwards(run);
            runs.stream().filter(other -> !other.pods().isKnative()).forEach(other -> talk.between(run, other));
        }
        for (var policy : manifests.of("NetworkPolicy")) {
            rules(policy, findings);
        }
        return findings.stream().distinct().toList();
    }

    private static void rules(Item policy, List<String> findings) {
        for (var way : Way.values()) {
            for (var rule : policy.at("spec." + way.rules).valueStream().toList()) {
                if (rule.path(way.peers).isEmpty() || rule.path("ports").isEmpty()) {
                    findings.add(
                            policy.title() + ": a rule for " + way.rules + " names no peers or no ports, which is all");
                }
                for (var peer : rule.path(way.peers).valueStream().toList()) {
                    var block = peer.path("ipBlock");
                    if (block.path("cidr").asText().endsWith("/0")
                            && !Item.texts(block.path("except")).containsAll(List.of("10.0.0.0/8", "169.254.0.0/16"))) {
                        findings.add(policy.title()
                                + ": all addresses are those of pods and of the machine's services, too");
                    }
                }
            }
        }
    }

    private record Talk(Manifests manifests, List<Run> runs, List<String> findings) {
        /// By a policy of its own, so that no other one has to be there for it.
        void isolated(Pods pods) {
            for (var way : Way.values()) {
                if (policies(pods, way).stream()
                        .noneMatch(policy -> policy.at("spec." + way.rules).isEmpty())) {
                    findings.add(pods.title() + ": no NetworkPolicy denies all its " + way.rules);
                }
            }
        }

        void outwards(Run run) {
            var pods = run.pods();
            must(pods, DNS, 53, "UDP", Way.EGRESS);
            must(pods, DNS, 53, "TCP", Way.EGRESS);
            if (Product.KAFKA_CLIENTS.contains(run.program().name())) {
                BROKER.matcher(run.value("kafka.bootstrap.servers")).results().forEach(broker -> {
                    int port = Integer.parseInt(broker.group(2));
                    reach(pods, broker.group(1), port);
                });
            }
            var endpoint = URL.matcher(run.value("tarpon.store.s3.endpoint"));
            if (endpoint.matches()) {
                int standard = endpoint.group(1).equals("https") ? 443 : 80;
                reach(
                        pods,
                        endpoint.group(2),
                        endpoint.group(3) == null ? standard : Integer.parseInt(endpoint.group(3)));
            } else if (run.value("tarpon.store.kind").equals("s3")) {
                must(pods, PUBLIC, 443, "TCP", Way.EGRESS);
            }
            for (var stranger : STRANGERS) {
                for (var port : PORTS) {
                    if (isAllowed(pods, stranger, port, "TCP", Way.EGRESS)) {
                        findings.add(pods.title() + ": may talk to port " + port + " of " + stranger.name());
                    }
                }
            }
        }

        private void reach(Pods from, String host, int port) {
            var name = host.split("\\.", -1)[0];
            var service = manifests.find("Service", name);
            if (service.isPresent()) {
                for (var to : Selectors.selected(manifests, service.get())) {
                    int target = target(service.get(), to, port);
                    must(from, Party.of(to), target, "TCP", Way.EGRESS);
                    if (!policies(to, Way.INGRESS).isEmpty()) {
                        must(to, Party.of(from), target, "TCP", Way.INGRESS);
                    }
                }
            } else if (name.endsWith("-kafka-bootstrap")) {
                var labels =
                        Map.of("strimzi.io/cluster", name.replace("-kafka-bootstrap", ""), "strimzi.io/kind", "Kafka");
                must(from, Party.elsewhere("Strimzi's brokers", "kafka", labels), port, "TCP", Way.EGRESS);
            } else {
                must(from, PUBLIC, port, "TCP", Way.EGRESS);
            }
        }

        private static int target(Item service, Pods to, int port) {
            return service.at("spec.ports")
                    .valueStream()
                    .filter(it -> it.path("port").asInt() == port)
                    .findFirst()
                    .flatMap(it -> to.port(it.has("targetPort") ? it.path("targetPort") : it.path("port")))
                    .orElse(port);
        }

        void inwards(Run run) {
            var pods = run.pods();
            if (!manifests.of("ServiceMonitor", "PodMonitor").isEmpty() && !pods.isKnative()) {
                must(pods, PROMETHEUS, run.port(), "TCP", Way.INGRESS);
            }
            switch (run.program().name()) {
                case "loader-gateway" -> must(pods, LOADER, run.port(), "TCP", Way.INGRESS);
                case "ingest-fn" -> {
                    if (!pods.isKnative()) {
                        must(pods, UPLOADER, run.port(), "TCP", Way.INGRESS);
                    }
                }
                default -> mustNot(pods, LOADER, run.port());
            }
            STRANGERS.forEach(stranger -> mustNot(pods, stranger, run.port()));
        }

        void between(Run from, Run to) {
            // Containers of one pod are one party: what one of them may, all may.
            var isNeeded = runs.stream()
                    .filter(it -> it.pods().title().equals(from.pods().title()))
                    .anyMatch(it -> Product.CALLS.contains(
                            new Product.Call(it.program().name(), to.program().name())));
            if (isNeeded) {
                must(from.pods(), Party.of(to.pods()), to.port(), "TCP", Way.EGRESS);
                must(to.pods(), Party.of(from.pods()), to.port(), "TCP", Way.INGRESS);
                return;
            }
            if (isAllowed(from.pods(), Party.of(to.pods()), to.port(), "TCP", Way.EGRESS)) {
                findings.add(from.title() + ": may talk to " + to.title() + ", and has nothing to say");
            }
            mustNot(to.pods(), Party.of(from.pods()), to.port());
        }

        private void must(Pods pods, Party other, int port, String protocol, Way way) {
            if (!isAllowed(pods, other, port, protocol, way)) {
                findings.add(pods.title() + ": no NetworkPolicy allows " + way.rules + " " + way.peers + " "
                        + other.name() + " on port " + port + "/" + protocol);
            }
        }

        private void mustNot(Pods pods, Party other, int port) {
            if (isAllowed(pods, other, port, "TCP", Way.INGRESS)) {
                findings.add(
                        pods.title() + ": " + other.name() + " may talk to port " + port + ", and has nothing to say");
            }
        }

        private List<Item> policies(Pods pods, Way way) {
            return manifests.of("NetworkPolicy").stream()
                    .filter(policy -> Labels.match(policy.at("spec.podSelector"), pods.labels()))
                    .filter(policy -> Item.texts(policy.at("spec.policyTypes")).contains(way.type))
                    .toList();
        }

        private boolean isAllowed(Pods pods, Party other, int port, String protocol, Way way) {
            var policies = policies(pods, way);
            return policies.isEmpty()
                    || policies.stream()
                            .flatMap(policy -> policy.at("spec." + way.rules).valueStream())
                            .anyMatch(rule -> isPeer(rule.path(way.peers), other)
                                    && isPort(rule.path("ports"), port, protocol, other, pods, way));
        }

        private static boolean isPeer(JsonNode peers, Party other) {
            return peers.isEmpty() || peers.valueStream().anyMatch(other::isOf);
        }

        private boolean isPort(JsonNode ports, int port, String protocol, Party other, Pods pods, Way way) {
            return ports.isEmpty()
                    || ports.valueStream()
                            .filter(it -> it.path("protocol").asText("TCP").equals(protocol))
                            .anyMatch(it -> it.path("port").isMissingNode()
                                    || number(it.path("port"), other, pods, way)
                                            .filter(found -> found == port)
                                            .isPresent());
        }

        /// A name means the port of whoever is talked to.
        private Optional<Integer> number(JsonNode port, Party other, Pods pods, Way way) {
            if (port.isInt()) {
                return Optional.of(port.asInt());
            }
            var listening = way == Way.INGRESS
                    ? Stream.of(pods)
                    : manifests.pods().stream().filter(it -> it.title().equals(other.name()));
            return listening.flatMap(it -> it.port(port).stream()).findFirst();
        }
    }
}
