package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import io.tarpon.k8s.scaler.LagTrigger;
import io.tarpon.k8s.scaler.Limits;
import io.tarpon.k8s.scaler.Pace;
import io.tarpon.k8s.scaler.Signal;
import java.time.Duration;
import java.util.List;

/// What a render says of how one function is scaled: every figure that KEDA and the HPA are given.
///
/// @param beside what its triggers say that are asked for no lag: `cron`, outside of its window
/// @param partitions of the topic
/// @param grace how long a pod has to end
record Autoscaling(
        String function, LagTrigger trigger, List<Signal> beside, Limits limits, int partitions, Duration grace) {
    private static final int POLLING_SECONDS = 30;
    private static final int COOLDOWN_SECONDS = 300;
    private static final int MOST = 100;
    private static final int GRACE_SECONDS = 30;

    static Autoscaling of(Manifests manifests, String function) {
        var scaled = found(manifests, "ScaledObject", function);
        var triggers = scaled.at("spec.triggers").valueStream().toList();
        var trigger = triggers.stream()
                .filter(it -> it.path("type").asText().equals("kafka"))
                .map(it -> LagTrigger.of(Item.strings(it.path("metadata"))))
                .findFirst()
                .orElseThrow(() -> new AssertionError(scaled.title() + " has no trigger kafka"));
        var beside = triggers.stream()
                .filter(it -> it.path("type").asText().equals("cron"))
                .map(it -> Signal.cron(Item.at(it, "metadata.desiredReplicas").asInt(), false))
                .toList();
        if (beside.size() + 1 != triggers.size()) {
            throw new AssertionError(scaled.title() + " has triggers that are not known here: " + triggers);
        }
        var deployment = found(
                manifests, "Deployment", scaled.at("spec.scaleTargetRef.name").asText());
        return new Autoscaling(
                function,
                trigger,
                beside,
                limits(scaled),
                found(manifests, "KafkaTopic", trigger.topic())
                        .at("spec.partitions")
                        .asInt(1),
                seconds(deployment.at("spec.template.spec.terminationGracePeriodSeconds"), GRACE_SECONDS));
    }

    private static Item found(Manifests manifests, String kind, String name) {
        return manifests
                .find(kind, name)
                .orElseThrow(() -> new AssertionError(manifests.overlay() + " renders no " + kind + "/" + name));
    }

    private static Limits limits(Item scaled) {
        var behavior = scaled.at("spec.advanced.horizontalPodAutoscalerConfig.behavior");
        return new Limits(
                scaled.at("spec.minReplicaCount").asInt(),
                scaled.at("spec.maxReplicaCount").asInt(MOST),
                seconds(scaled.at("spec.pollingInterval"), POLLING_SECONDS),
                Limits.USUAL_SYNCING,
                seconds(scaled.at("spec.cooldownPeriod"), COOLDOWN_SECONDS),
                pace(behavior.path("scaleUp"), Pace.USUAL_UP),
                pace(behavior.path("scaleDown"), Pace.USUAL_DOWN));
    }

    private static Pace pace(JsonNode rules, Pace usual) {
        if (!rules.path("selectPolicy").asText("Max").equals("Max")) {
            throw new AssertionError(rules + " is not known here");
        }
        var window = rules.path("stabilizationWindowSeconds");
        var steps = rules.path("policies")
                .valueStream()
                .map(policy -> new Pace.Step(
                        policy.path("value").asInt(),
                        policy.path("type").asText().equals("Percent"),
                        seconds(policy.path("periodSeconds"), 0)))
                .toList();
        return new Pace(
                window.isMissingNode() ? usual.window() : seconds(window, 0), steps.isEmpty() ? usual.steps() : steps);
    }

    private static Duration seconds(JsonNode number, int otherwise) {
        return Duration.ofSeconds(number.asInt(otherwise));
    }
}
