package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// Pods are what the Pod Security Standard `restricted` admits, and a little less; none has rights in the cluster.
final class PodSecurity implements Check {
    private static final Set<String> RIGHTS = Set.of("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding");
    private static final Set<String> VOLUMES = Set.of(
            "configMap", "csi", "downwardAPI", "emptyDir", "ephemeral", "persistentVolumeClaim", "projected", "secret");

    @Override
    public String name() {
        return "pod security";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        for (var item : manifests.items()) {
            if (RIGHTS.contains(item.kind())) {
                findings.add(item.title() + ": gives rights in the cluster, and no service calls its API");
            }
            if (item.kind().equals("Namespace")
                    && !"restricted".equals(item.labels().get("pod-security.kubernetes.io/enforce"))) {
                findings.add(item.title() + ": does not enforce the Pod Security Standard restricted");
            }
        }
        for (var pods : manifests.pods()) {
            pod(manifests, pods, findings);
            pods.allContainers().forEach(container -> container(pods, container, findings));
        }
        return findings;
    }

    private static void pod(Manifests manifests, Pods pods, List<String> findings) {
        var spec = pods.spec();
        var account =
                manifests.find("ServiceAccount", spec.path("serviceAccountName").asText("default"));
        var mounts = spec.has("automountServiceAccountToken")
                ? spec.path("automountServiceAccountToken")
                : account.map(it -> it.at("automountServiceAccountToken")).orElse(spec.path("none"));
        if (!mounts.isBoolean() || mounts.asBoolean()) {
            findings.add(pods.title() + ": mounts the token of its service account");
        }
        if (!pods.isKnative()
                && (!spec.path("enableServiceLinks").isBoolean()
                        || spec.path("enableServiceLinks").asBoolean())) {
            findings.add(pods.title() + ": gets variables for each Service of its namespace");
        }
        for (var field : List.of("hostNetwork", "hostPID", "hostIPC")) {
            if (Schemas.isTrue(spec.path(field))) {
                findings.add(pods.title() + ": has " + field);
            }
        }
        for (var volume : spec.path("volumes").valueStream().toList()) {
            volume.fieldNames().forEachRemaining(kind -> {
                if (!kind.equals("name") && !VOLUMES.contains(kind)) {
                    findings.add(
                            pods.title() + ": its volume " + volume.path("name").asText() + " is of kind " + kind);
                }
            });
        }
    }

    private static void container(Pods pods, JsonNode container, List<String> findings) {
        var title = pods.title() + ": container " + container.path("name").asText() + " ";
        var own = container.path("securityContext");
        var ofPod = pods.spec().path("securityContext");
        if (!Schemas.isTrue(either(own, ofPod, "runAsNonRoot"))) {
            findings.add(title + "may run as root");
        }
        if (either(own, ofPod, "runAsUser").asInt(-1) == 0) {
            findings.add(title + "runs as root");
        }
        if (!either(own, ofPod, "seccompProfile").path("type").asText().equals("RuntimeDefault")) {
            findings.add(title + "has no seccomp profile RuntimeDefault");
        }
        var escalation = own.path("allowPrivilegeEscalation");
        if (!escalation.isBoolean() || escalation.asBoolean()) {
            findings.add(title + "may escalate its privileges");
        }
        if (Schemas.isTrue(own.path("privileged"))) {
            findings.add(title + "is privileged");
        }
        if (!Schemas.isTrue(own.path("readOnlyRootFilesystem"))) {
            findings.add(title + "may write to its root");
        }
        if (!Item.texts(Item.at(own, "capabilities.drop")).contains("ALL")
                || !Item.at(own, "capabilities.add").isEmpty()) {
            findings.add(title + "does not drop all capabilities");
        }
        if (container.path("ports").valueStream().anyMatch(port -> port.has("hostPort"))) {
            findings.add(title + "has a port of the machine");
        }
        var image = container.path("image").asText();
        if (!image.matches(".+(:[^:/]+|@sha256:.+)") || image.endsWith(":latest")) {
            findings.add(title + "is of no fixed image: " + image);
        }
    }

    private static JsonNode either(JsonNode own, JsonNode ofPod, String field) {
        return own.has(field) ? own.path(field) : ofPod.path(field);
    }
}
