package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// What one container sets: variables, system properties of its JVM, and files of properties that ConfigMaps give it.
///
/// @param variables in their order; a value that is not in the render stands in angle brackets
/// @param properties as a JVM is given them with `-D`, or read from a file
/// @param flags of its JVM
record Settings(Map<String, String> variables, Map<String, String> properties, List<String> flags) {
    private static final Pattern PROPERTY = Pattern.compile("-D([^=]+)=(.*)");
    static final Pattern REFERENCE = Pattern.compile("\\$\\((\\w+)\\)");
    static final List<String> OF_JVM =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "JAVA_OPTS", "JAVA_OPTS_APPEND");

    static Settings of(Manifests manifests, Pods pods, JsonNode container) {
        var variables = new LinkedHashMap<String, String>();
        for (var from : container.path("envFrom").valueStream().toList()) {
            var prefix = from.path("prefix").asText();
            for (var kind : List.of("ConfigMap", "Secret")) {
                var name = Item.at(from, (kind.equals("Secret") ? "secret" : "configMap") + "Ref.name")
                        .asText();
                manifests
                        .find(kind, name)
                        .ifPresent(item -> data(item).forEach((key, value) -> variables.put(prefix + key, value)));
            }
        }
        for (var variable : container.path("env").valueStream().toList()) {
            variables.put(variable.path("name").asText(), value(manifests, variable));
        }
        variables.replaceAll((_, value) -> expanded(value, variables));
        var properties = new HashMap<String, String>();
        files(manifests, pods, container, variables).forEach(properties::putAll);
        var flags = new ArrayList<String>();
        Stream.of(container.path("command"), container.path("args"))
                .flatMap(JsonNode::valueStream)
                .map(JsonNode::asText)
                .forEach(flags::add);
        OF_JVM.forEach(name ->
                flags.addAll(List.of(variables.getOrDefault(name, "").trim().split("\\s+", -1))));
        flags.forEach(flag -> {
            var property = PROPERTY.matcher(flag);
            if (property.matches()) {
                properties.put(property.group(1), property.group(2));
            }
        });
        return new Settings(variables, properties, flags);
    }

    /// Stands for what a Secret or the cluster gives: `<metadata.name>`.
    private static String elsewhere(String what) {
        return "<" + what + ">";
    }

    private static String expanded(String value, Map<String, String> variables) {
        return REFERENCE
                .matcher(value)
                .replaceAll(match -> Matcher.quoteReplacement(variables.getOrDefault(match.group(1), match.group())));
    }

    static Map<String, String> data(Item item) {
        var data = new LinkedHashMap<>(Item.strings(item.at("data")));
        if (item.kind().equals("Secret")) {
            data.replaceAll((key, value) -> elsewhere(item.title()));
            Item.strings(item.at("stringData")).forEach(data::put);
        }
        return data;
    }

    private static String value(Manifests manifests, JsonNode variable) {
        var from = variable.path("valueFrom");
        if (from.isMissingNode()) {
            return variable.path("value").asText();
        }
        var ref = from.path("configMapKeyRef");
        if (ref.isObject()) {
            return manifests
                    .find("ConfigMap", ref.path("name").asText())
                    .map(item -> data(item).getOrDefault(ref.path("key").asText(), ""))
                    .orElse("");
        }
        var field = Item.at(from, "fieldRef.fieldPath").asText();
        return elsewhere(
                field.isEmpty() ? "Secret/" + Item.at(from, "secretKeyRef.name").asText() : field);
    }

    /// Those that `SMALLRYE_CONFIG_LOCATIONS` names, as ConfigMaps put them into the container.
    private static List<Map<String, String>> files(
            Manifests manifests, Pods pods, JsonNode container, Map<String, String> variables) {
        var files = new ArrayList<Map<String, String>>();
        for (var mount : container.path("volumeMounts").valueStream().toList()) {
            for (var volume : pods.spec().path("volumes").valueStream().toList()) {
                if (volume.path("name").equals(mount.path("name"))) {
                    manifests
                            .find("ConfigMap", Item.at(volume, "configMap.name").asText())
                            .stream()
                            .flatMap(item -> data(item).entrySet().stream())
                            .filter(file -> locations(variables)
                                    .contains(mount.path("mountPath").asText() + "/" + file.getKey()))
                            .forEach(file -> files.add(parse(file.getValue())));
                }
            }
        }
        return files;
    }

    private static List<String> locations(Map<String, String> variables) {
        return List.of(variables.getOrDefault("SMALLRYE_CONFIG_LOCATIONS", "").split(",", -1));
    }

    private static Map<String, String> parse(String file) {
        var properties = new Properties();
        try {
            properties.load(new StringReader(file));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        var all = new HashMap<String, String>();
        properties.stringPropertyNames().forEach(key -> all.put(key, properties.getProperty(key)));
        return all;
    }

    /// What is set here.
    Optional<String> set(String key) {
        var property = properties.get(key);
        return Optional.ofNullable(property == null ? variables.get(Keys.environment(key)) : property)
                .filter(value -> !value.isEmpty());
    }

    /// What the program goes by: what is set here, or its default; empty where there is neither.
    String value(String key, Product.Program program) {
        return set(key).orElseGet(() ->
                program.defaults().getProperty(key, program.keys().defaults().getOrDefault(key, "")));
    }
}
