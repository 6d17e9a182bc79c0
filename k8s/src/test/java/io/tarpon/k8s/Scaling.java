package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/// Functions are scaled by the lag of the group and the topic that they read, up to what the topic's partitions allow.
final class Scaling implements Check {
    private static final int MOST_BY_DEFAULT = 100;

    @Override
    public String name() {
        return "scaling";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        var targets = new TreeSet<String>();
        for (var scaled : manifests.of("ScaledObject")) {
            var kind = scaled.at("spec.scaleTargetRef.kind").asText("Deployment");
            var target = scaled.at("spec.scaleTargetRef.name").asText();
            if (!targets.add(kind + "/" + target)) {
                findings.add(scaled.title() + ": " + kind + "/" + target + " is scaled by another one, too");
            }
            var pods = manifests.pods().stream()
                    .filter(it -> it.title().equals(kind + "/" + target))
                    .findFirst();
            if (pods.isEmpty()) {
                findings.add(scaled.title() + ": there is no " + kind + "/" + target);
                continue;
            }
            if (pods.get().owner().at("spec").has("replicas")) {
                findings.add(
                        scaled.title() + ": " + pods.get().title() + " says replicas, which each apply sets again");
            }
            if (scaled.at("spec.triggers")
                    .valueStream()
                    .noneMatch(it -> it.path("type").asText().equals("kafka"))) {
                findings.add(scaled.title() + ": no lag scales it");
            }
            for (var trigger : scaled.at("spec.triggers").valueStream().toList()) {
                trigger(manifests, scaled, pods.get(), trigger, findings);
            }
        }
        return findings;
    }

    private static void trigger(Manifests manifests, Item scaled, Pods pods, JsonNode trigger, List<String> findings) {
        var type = trigger.path("type").asText();
        var settings = trigger.path("metadata");
        var known = Keda.TRIGGERS.getOrDefault(type, List.of());
        settings.fieldNames().forEachRemaining(name -> {
            if (!known.contains(name)) {
                findings.add(
                        scaled.title() + ": the trigger " + type + " has no setting " + name + " that is known here");
            }
        });
        if (!type.equals("kafka")) {
            return;
        }
        var topic = settings.path("topic").asText();
        var partitions = Topics.topic(manifests, topic)
                .map(found -> found.at("spec.partitions").asInt(1))
                .orElse(0);
        var most = scaled.at("spec.maxReplicaCount").asInt(MOST_BY_DEFAULT);
        if (partitions == 0) {
            findings.add(scaled.title() + ": there is no KafkaTopic " + topic);
        } else if (most > partitions) {
            findings.add(scaled.title() + ": up to " + most + " pods share " + partitions + " partitions of " + topic);
        }
        pods.runs(manifests).forEach(run -> {
            var program = run.program();
            if (!program.channelTopics("incoming").contains(topic)) {
                findings.add(scaled.title() + ": " + program.name() + " reads " + program.channelTopics("incoming")
                        + ", and not " + topic);
            }
            if (!program.groups().contains(settings.path("consumerGroup").asText())) {
                findings.add(scaled.title() + ": the group of " + program.name() + " is " + program.groups()
                        + ", and not " + settings.path("consumerGroup").asText());
            }
            var brokers = settings.has("bootstrapServersFromEnv")
                    ? run.settings()
                            .variables()
                            .getOrDefault(
                                    settings.path("bootstrapServersFromEnv").asText(), "")
                    : settings.path("bootstrapServers").asText();
            if (!brokers.equals(run.value("kafka.bootstrap.servers"))) {
                findings.add(scaled.title() + ": looks at the brokers " + brokers + ", and " + pods.title() + " at "
                        + run.value("kafka.bootstrap.servers"));
            }
            if (!brokers.matches("[^.:]+\\.[^:]+:.*")) {
                findings.add(scaled.title() + ": KEDA is in another namespace, where the name " + brokers
                        + " means nothing");
            }
            var offsets = settings.path("offsetResetPolicy").asText("latest");
            if (!offsets.equals(program.offsetReset())) {
                findings.add(scaled.title() + ": counts from the " + offsets + " message, and " + program.name()
                        + " reads from the earliest, so that a group that never committed never sleeps");
            }
        });
        credentials(manifests, scaled, trigger, findings);
    }

    private static void credentials(Manifests manifests, Item scaled, JsonNode trigger, List<String> findings) {
        var name = Item.at(trigger, "authenticationRef.name").asText();
        if (!name.isEmpty() && manifests.find("TriggerAuthentication", name).isEmpty()) {
            findings.add(scaled.title() + ": there is no TriggerAuthentication/" + name);
        }
        if (name.isEmpty() && !manifests.of("KafkaUser").isEmpty()) {
            findings.add(scaled.title() + ": the brokers want users, and its trigger names none");
        }
    }
}
