package io.tarpon.k8s;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.autoscaling.v2.HorizontalPodAutoscalerBehavior;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The fields of KEDA's kinds, as the npm package `@kubernetes-models/keda` 2.0.0 has them; of
/// `TriggerAuthentication` only what Secrets and ConfigMaps of the namespace give.
final class Keda {
    record ScaledObject(
            @JsonProperty(required = true) String apiVersion,
            @JsonProperty(required = true) String kind,
            @JsonProperty(required = true) ObjectMeta metadata,
            @JsonProperty(required = true) Spec spec) {}

    record Spec(
            @Nullable Advanced advanced,
            @Nullable Integer cooldownPeriod,
            @Nullable Fallback fallback,
            @Nullable Integer idleReplicaCount,
            @Nullable Integer initialCooldownPeriod,
            @Nullable Integer maxReplicaCount,
            @Nullable Integer minReplicaCount,
            @Nullable Integer pollingInterval,
            @JsonProperty(required = true) Target scaleTargetRef,
            @JsonProperty(required = true) List<Trigger> triggers) {}

    record Target(
            @Nullable String apiVersion,
            @Nullable String envSourceContainerName,
            @Nullable String kind,
            @JsonProperty(required = true) String name) {}

    record Trigger(
            @Nullable Reference authenticationRef,
            @JsonProperty(required = true) Map<String, String> metadata,
            @Nullable String metricType,
            @Nullable String name,
            @JsonProperty(required = true) String type,
            @Nullable Boolean useCachedMetrics) {}

    record Reference(
            @Nullable String kind,
            @JsonProperty(required = true) String name) {}

    record Fallback(
            @Nullable FallbackBehavior behavior,
            @JsonProperty(required = true) int failureThreshold,
            @JsonProperty(required = true) int replicas) {}

    enum FallbackBehavior {
        @JsonProperty("static")
        STATIC,
        @JsonProperty("currentReplicas")
        CURRENT_REPLICAS,
        @JsonProperty("currentReplicasIfHigher")
        CURRENT_REPLICAS_IF_HIGHER,
        @JsonProperty("currentReplicasIfLower")
        CURRENT_REPLICAS_IF_LOWER
    }

    record Advanced(
            @Nullable Autoscaler horizontalPodAutoscalerConfig,
            @Nullable Boolean restoreToOriginalReplicaCount) {}

    record Autoscaler(
            @Nullable HorizontalPodAutoscalerBehavior behavior,
            @Nullable String name) {}

    record TriggerAuthentication(
            @JsonProperty(required = true) String apiVersion,
            @JsonProperty(required = true) String kind,
            @JsonProperty(required = true) ObjectMeta metadata,
            @JsonProperty(required = true) Sources spec) {}

    record Sources(
            @Nullable List<Source> secretTargetRef,
            @Nullable List<Source> configMapTargetRef) {}

    record Source(
            @JsonProperty(required = true) String parameter,
            @JsonProperty(required = true) String name,
            @JsonProperty(required = true) String key) {}

    /// What each trigger of KEDA 2.21 that is used here takes.
    static final Map<String, List<String>> TRIGGERS = Map.of(
            "cron",
            List.of("timezone", "start", "end", "desiredReplicas"),
            "kafka",
            List.of(
                    "bootstrapServers",
                    "bootstrapServersFromEnv",
                    "consumerGroup",
                    "topic",
                    "lagThreshold",
                    "activationLagThreshold",
                    "offsetResetPolicy",
                    "allowIdleConsumers",
                    "scaleToZeroOnInvalidOffset",
                    "excludePersistentLag",
                    "limitToPartitionsWithLag",
                    "ensureEvenDistributionOfPartitions",
                    "version",
                    "fullMetadata",
                    "partitionLimitation",
                    "sasl",
                    "tls",
                    "unsafeSsl"));

    private Keda() {}
}
