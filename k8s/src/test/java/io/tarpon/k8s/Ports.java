package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Ports and paths are those that the services serve.
final class Ports implements Check {
    private static final Map<String, List<String>> PROBES = Map.of(
            "startupProbe", List.of("started", "live", "ready"),
            "livenessProbe", List.of("live"),
            "readinessProbe", List.of("ready"));

    @Override
    public String name() {
        return "ports";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        for (var pods : manifests.pods()) {
            unique(pods, findings);
            for (var container : pods.containers()) {
                probes(pods, container, findings);
            }
        }
        manifests.runs().stream().filter(run -> run.pods().isService()).forEach(run -> listens(run, findings));
        for (var service : manifests.services()) {
            for (var pods : Selectors.selected(manifests, service)) {
                for (var port : service.at("spec.ports").valueStream().toList()) {
                    var target = port.has("targetPort") ? port.path("targetPort") : port.path("port");
                    if (pods.port(target).isEmpty()) {
                        findings.add(service.title() + ": " + pods.title() + " has no port " + target.asText());
                    }
                }
            }
        }
        metrics(manifests, findings);
        return findings;
    }

    private static void unique(Pods pods, List<String> findings) {
        var names = new HashSet<String>();
        for (var port : pods.ports()) {
            if (!names.add(port.path("name").asText())) {
                findings.add(pods.title() + ": two ports are named " + port.path("name"));
            }
        }
    }

    private static void listens(Run run, List<String> findings) {
        if (run.container()
                .path("ports")
                .valueStream()
                .noneMatch(it -> it.path("containerPort").asInt() == run.port())) {
            findings.add(run.title() + ": listens on " + run.port() + ", which is no port of its container");
        }
        for (var probe : PROBES.entrySet()) {
            var get = Item.at(run.container(), probe.getKey() + ".httpGet");
            var path = get.path("path").asText();
            if (get.isMissingNode()) {
                if (probe.getKey().equals("startupProbe") && run.pods().isKnative()) {
                    continue;
                }
                findings.add(run.title() + ": has no " + probe.getKey() + " by HTTP");
            } else if (probe.getValue().stream()
                    .noneMatch(which -> run.program().healthPath(which).equals(path))) {
                findings.add(run.title() + ": its " + probe.getKey() + " asks " + path + ", and it serves "
                        + probe.getValue().stream()
                                .map(run.program()::healthPath)
                                .toList());
            }
            // Knative asks the one port that there is.
            var port = get.has("port") ? run.pods().port(get.path("port")) : Optional.of(run.port());
            if (!get.isMissingNode() && port.isPresent() && port.get() != run.port()) {
                findings.add(run.title() + ": its " + probe.getKey() + " asks port " + port.get()
                        + ", and it listens on " + run.port());
            }
        }
    }

    private static void probes(Pods pods, JsonNode container, List<String> findings) {
        for (var probe : PROBES.keySet()) {
            for (var how : List.of("httpGet", "tcpSocket")) {
                var port = Item.at(container, probe + "." + how + ".port");
                if (!port.isMissingNode() && pods.port(port).isEmpty()) {
                    findings.add(
                            pods.title() + ": its " + probe + " asks port " + port.asText() + ", which it has not");
                }
            }
        }
    }

    private static void metrics(Manifests manifests, List<String> findings) {
        for (var monitor : manifests.of("ServiceMonitor", "PodMonitor")) {
            var endpoints =
                    monitor.at(monitor.kind().equals("PodMonitor") ? "spec.podMetricsEndpoints" : "spec.endpoints");
            for (var endpoint : endpoints.valueStream().toList()) {
                var path = endpoint.path("path").asText("/metrics");
                for (var program : Product.PROGRAMS) {
                    if (!program.metricsPath().equals(path)) {
                        findings.add(monitor.title() + ": asks " + path + ", and " + program.name() + " serves "
                                + program.metricsPath());
                    }
                }
            }
        }
    }
}
