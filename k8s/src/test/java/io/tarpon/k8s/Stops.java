package io.tarpon.k8s;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Pods end by themselves before they are killed, and a drain of a machine can go on.
final class Stops implements Check {
    private static final int GRACE_BY_DEFAULT = 30;

    /// The times that a service takes after SIGTERM, one after the other.
    private static final Map<String, List<String>> TIMES = Map.of(
            "loader-gateway", List.of("tarpon.gateway.drain-notice", "tarpon.gateway.drain"),
            "block-svc", List.of("tarpon.block.drain"),
            "metadata-svc", List.of("tarpon.metadata.read-hold"),
            "ingest-fn", List.of(),
            "shard-fn", List.of());

    @Override
    public String name() {
        return "stops";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        for (var run : manifests.runs()) {
            if (run.pods().isService()) {
                ends(run, findings);
                budget(manifests, run.pods(), findings);
            }
        }
        for (var budget : manifests.of("PodDisruptionBudget")) {
            room(manifests, budget, findings);
        }
        return findings;
    }

    private static void ends(Run run, List<String> findings) {
        var grace = Duration.ofSeconds(
                run.pods().spec().path("terminationGracePeriodSeconds").asInt(GRACE_BY_DEFAULT));
        var sleep = Item.at(run.container(), "lifecycle.preStop.sleep.seconds").asInt();
        var needed = Duration.ofSeconds(sleep);
        for (var key : TIMES.get(run.program().name())) {
            needed = needed.plus(Duration.parse(run.value(key)));
        }
        var shutdown = run.value("quarkus.shutdown.timeout");
        if (!shutdown.isEmpty()) {
            needed = needed.plus(Duration.parse(shutdown.startsWith("P") ? shutdown : "PT" + shutdown));
        }
        // Knative says neither: it stops routing before it stops a pod, and waits for open requests.
        if (grace.compareTo(needed) <= 0 && !run.pods().isKnative()) {
            findings.add(run.title() + ": is killed after " + grace + ", and takes " + needed + " to stop");
        }
        if (sleep == 0 && !run.pods().isKnative()) {
            findings.add(run.title() + ": no preStop.sleep lets others forget it before it stops");
        }
    }

    private static void budget(Manifests manifests, Pods pods, List<String> findings) {
        var budgets = manifests.of("PodDisruptionBudget").stream()
                .filter(budget -> Labels.match(budget.at("spec.selector"), pods.labels()))
                .toList();
        var isScaled = manifests.of("ScaledObject").stream()
                .anyMatch(scaled -> scaled.at("spec.scaleTargetRef.name")
                        .asText()
                        .equals(pods.owner().name()));
        if (isScaled && !budgets.isEmpty()) {
            findings.add(pods.title() + ": is scaled to none, and "
                    + budgets.getFirst().title() + " holds up drains of its last pod");
        }
        if (pods.owner().kind().equals("StatefulSet") && pods.replicas() > 1 && budgets.isEmpty()) {
            findings.add(pods.title() + ": no PodDisruptionBudget keeps a drain from taking all of its pods");
        }
    }

    private static void room(Manifests manifests, Item budget, List<String> findings) {
        for (var pods : manifests.pods()) {
            if (!Labels.match(budget.at("spec.selector"), pods.labels())) {
                continue;
            }
            var least = budget.at("spec.minAvailable");
            var most = budget.at("spec.maxUnavailable");
            var replicas = pods.replicas();
            if (most.asText().matches("0%?") || least.asText().equals("100%") || least.asInt() >= replicas) {
                findings.add(budget.title() + ": no pod of " + pods.title()
                        + " may ever go, so that no machine can be drained");
            }
            if (most.asInt() > 1 || most.asText().endsWith("%")) {
                findings.add(budget.title() + ": more than one pod of " + pods.title() + " may go at a time");
            }
        }
    }
}
