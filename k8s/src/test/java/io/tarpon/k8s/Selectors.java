package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/// Whatever selects by labels selects what it is for.
final class Selectors implements Check {
    @Override
    public String name() {
        return "selectors";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        for (var pods : manifests.pods()) {
            workload(manifests, pods, findings);
        }
        for (var service : manifests.services()) {
            if (!service.at("spec.type").asText().equals("ExternalName")) {
                one(service, selected(manifests, service), findings);
            }
        }
        for (var budget : manifests.of("PodDisruptionBudget")) {
            var selector = budget.at("spec.selector");
            one(
                    budget,
                    manifests.pods().stream()
                            .filter(pods -> Labels.match(selector, pods.labels()))
                            .toList(),
                    findings);
        }
        monitors(manifests, findings);
        return findings;
    }

    static List<Pods> selected(Manifests manifests, Item service) {
        var selector = service.at("spec.selector");
        return selector.isEmpty()
                ? List.of()
                : manifests.pods().stream()
                        .filter(pods -> Labels.all(selector, pods.labels()))
                        .toList();
    }

    private static void workload(Manifests manifests, Pods pods, List<String> findings) {
        var selector = pods.owner().at("spec.selector");
        if (List.of("Deployment", "StatefulSet", "DaemonSet")
                .contains(pods.owner().kind())) {
            if (selector.isEmpty() || !Labels.match(selector, pods.labels())) {
                findings.add(
                        pods.title() + ": its selector " + selector + " does not select its pods " + pods.labels());
            }
            manifests.pods().stream()
                    .filter(other -> !other.title().equals(pods.title()) && Labels.match(selector, other.labels()))
                    .forEach(other ->
                            findings.add(pods.title() + ": its selector selects the pods of " + other.title()));
        }
        pods.spec().path("topologySpreadConstraints").valueStream().forEach(spread -> own(pods, spread, findings));
        pods.spec()
                .at("/affinity/podAntiAffinity/requiredDuringSchedulingIgnoredDuringExecution")
                .valueStream()
                .forEach(term -> own(pods, term, findings));
        pods.spec()
                .at("/affinity/podAntiAffinity/preferredDuringSchedulingIgnoredDuringExecution")
                .valueStream()
                .forEach(term -> own(pods, term.path("podAffinityTerm"), findings));
    }

    private static void own(Pods pods, JsonNode term, List<String> findings) {
        var selector = term.path("labelSelector");
        if (selector.isEmpty() || !Labels.match(selector, pods.labels())) {
            findings.add(pods.title() + ": is to be spread away from its own pods, and " + selector
                    + " does not select them");
        }
    }

    private static void one(Item item, List<Pods> selected, List<String> findings) {
        if (selected.size() != 1) {
            findings.add(item.title() + ": selects the pods of "
                    + selected.stream().map(Pods::title).toList() + ", and is to select those of one workload");
        }
    }

    private static void monitors(Manifests manifests, List<String> findings) {
        for (var monitor : manifests.of("ServiceMonitor")) {
            var services = manifests.services().stream()
                    .filter(service -> Labels.match(monitor.at("spec.selector"), service.labels()))
                    .toList();
            if (services.isEmpty()) {
                findings.add(monitor.title() + ": selects no Service");
            }
            for (var service : services) {
                for (var endpoint : monitor.at("spec.endpoints").valueStream().toList()) {
                    var port = endpoint.path("port").asText();
                    if (service.at("spec.ports")
                            .valueStream()
                            .noneMatch(it -> it.path("name").asText().equals(port))) {
                        findings.add(monitor.title() + ": " + service.title() + " has no port named " + port);
                    }
                }
            }
        }
        for (var monitor : manifests.of("PodMonitor")) {
            var selected = manifests.pods().stream()
                    .filter(pods -> Labels.match(monitor.at("spec.selector"), pods.labels()))
                    .toList();
            if (selected.isEmpty()) {
                findings.add(monitor.title() + ": selects no pods");
            }
            for (var pods : selected) {
                for (var endpoint :
                        monitor.at("spec.podMetricsEndpoints").valueStream().toList()) {
                    if (pods.port(endpoint.path("port")).isEmpty()) {
                        findings.add(monitor.title() + ": " + pods.title() + " has no port named "
                                + endpoint.path("port").asText());
                    }
                }
            }
        }
    }
}
