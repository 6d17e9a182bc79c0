package io.tarpon.k8s;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// A KafkaUser may do what its service does, and nothing else.
final class Acls implements Check {
    /// What each service does beside its channels.
    private static final Map<String, Set<String>> BY_HAND = Map.of(
            // The dead letters of both functions are looked at, put back, and marked by ingest-fn.
            "ingest-fn",
            Set.of("topic tarpon.uploads.dlq Read", "topic tarpon.plans.dlq Read", "topic tarpon.plans.dlq Write"),
            "shard-fn",
            Set.of(),
            "metadata-svc",
            Set.of(
                    "topic tarpon.metadata Read",
                    "topic tarpon.metadata Write",
                    // It looks whether the topic keeps everything, and drops what a snapshot has.
                    "topic tarpon.metadata DescribeConfigs",
                    "topic tarpon.metadata Delete",
                    "topic tarpon.events Write",
                    // Where its last events are, and what the topic refuses as too old.
                    "topic tarpon.events Read",
                    "topic tarpon.events DescribeConfigs",
                    "topic tarpon.presence Read",
                    "topic tarpon.presence Write",
                    "group tarpon.metadata.publisher Read"));

    @Override
    public String name() {
        return "acls";
    }

    @Override
    public List<String> findings(Manifests manifests) {
        var findings = new ArrayList<String>();
        var users = manifests.of("KafkaUser");
        if (users.isEmpty()) {
            return findings;
        }
        for (var program : Product.PROGRAMS) {
            if (!Product.KAFKA_CLIENTS.contains(program.name())) {
                continue;
            }
            var user = users.stream()
                    .filter(it -> it.name().endsWith(program.name()))
                    .findFirst();
            if (user.isEmpty()) {
                findings.add("KafkaUser/" + program.name() + ": is not there, and the others have one");
                continue;
            }
            compare(user.get(), needed(program), findings);
        }
        for (var scaled : manifests.of("ScaledObject")) {
            scaler(manifests, users, scaled, findings);
        }
        for (var user : users) {
            if (Product.KAFKA_CLIENTS.stream().noneMatch(user.name()::endsWith)
                    && !user.name().contains("keda")) {
                findings.add(user.title() + ": is no client of ours");
            }
        }
        return findings;
    }

    private static Set<String> needed(Product.Program program) {
        var needed = new TreeSet<>(BY_HAND.get(program.name()));
        program.channelTopics("incoming").forEach(topic -> needed.add("topic " + topic + " Read"));
        program.channelTopics("outgoing").forEach(topic -> needed.add("topic " + topic + " Write"));
        program.groups().forEach(group -> needed.add("group " + group + " Read"));
        if (!program.name().equals("metadata-svc")) {
            // A function looks at its start whether a topic's settings keep what it promises.
            List.copyOf(needed).stream()
                    .filter(it -> it.startsWith("topic "))
                    .forEach(it -> needed.add(it.substring(0, it.lastIndexOf(' ')) + " DescribeConfigs"));
        }
        return needed;
    }

    private static Set<String> allowed(Item user, List<String> findings) {
        var allowed = new TreeSet<String>();
        if (!user.at("spec.authorization.type").asText().equals("simple")) {
            findings.add(user.title() + ": has no simple authorization");
        }
        for (var rule : user.at("spec.authorization.acls").valueStream().toList()) {
            var resource = rule.path("resource");
            var on =
                    resource.path("type").asText() + " " + resource.path("name").asText();
            if (!resource.path("patternType").asText("literal").equals("literal")
                    || resource.path("name").asText().equals("*")
                    || rule.path("type").asText("allow").equals("deny")) {
                findings.add(user.title() + ": a rule on " + on + " is to name one thing, and to allow");
            }
            Item.texts(rule.path("operations")).forEach(operation -> allowed.add(on + " " + operation));
        }
        return allowed;
    }

    private static void compare(Item user, Set<String> needed, List<String> findings) {
        var allowed = allowed(user, findings);
        for (var need : needed) {
            if (!allowed.contains(need)) {
                findings.add(user.title() + ": may not " + need);
            }
        }
        for (var rule : allowed) {
            // Who may read or write may describe, too; saying so gives nothing.
            var on = rule.substring(0, rule.lastIndexOf(' '));
            var isImplied = rule.endsWith(" Describe") && needed.stream().anyMatch(need -> need.startsWith(on + " "));
            if (!needed.contains(rule) && !isImplied) {
                findings.add(user.title() + ": may " + rule + ", and does not need to");
            }
        }
    }

    private static void scaler(Manifests manifests, List<Item> users, Item scaled, List<String> findings) {
        var needed = new TreeMap<String, Set<String>>();
        for (var trigger : scaled.at("spec.triggers").valueStream().toList()) {
            var name = Item.at(trigger, "authenticationRef.name").asText();
            for (var secret : manifests
                    .find("TriggerAuthentication", name)
                    .map(it -> it.at("spec.secretTargetRef").valueStream().toList())
                    .orElse(List.of())) {
                if (secret.path("parameter").asText().equals("password")) {
                    var of = needed.computeIfAbsent(secret.path("name").asText(), _ -> new TreeSet<>());
                    of.add("topic " + Item.at(trigger, "metadata.topic").asText() + " Describe");
                    of.add("group " + Item.at(trigger, "metadata.consumerGroup").asText() + " Describe");
                }
            }
        }
        for (var user : users) {
            var wanted = needed.getOrDefault(user.name(), Set.of());
            var allowed = allowed(user, new ArrayList<>());
            wanted.stream()
                    .filter(need -> !allowed.contains(need))
                    .forEach(need ->
                            findings.add(user.title() + ": may not " + need + ", which " + scaled.title() + " does"));
            if (!wanted.isEmpty()) {
                allowed.stream()
                        .filter(rule -> !rule.endsWith(" Describe"))
                        .forEach(rule -> findings.add(user.title() + ": may " + rule + ", and is to look only"));
            }
        }
    }
}
