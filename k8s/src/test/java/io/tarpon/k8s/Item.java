package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// One object of a render.
record Item(ObjectNode json) {
    String apiVersion() {
        return json.path("apiVersion").asText();
    }

    String kind() {
        return json.path("kind").asText();
    }

    String name() {
        return json.path("metadata").path("name").asText();
    }

    /// As findings begin: `Deployment/shard-fn`.
    String title() {
        return kind() + "/" + name();
    }

    Map<String, String> labels() {
        return strings(at("metadata.labels"));
    }

    JsonNode at(String path) {
        return at(json, path);
    }

    /// @param path names with dots between them
    static JsonNode at(JsonNode node, String path) {
        var found = node;
        for (var name : path.split("\\.", -1)) {
            found = found.path(name);
        }
        return found;
    }

    static Map<String, String> strings(JsonNode object) {
        var strings = new LinkedHashMap<String, String>();
        object.properties()
                .forEach(entry -> strings.put(entry.getKey(), entry.getValue().asText()));
        return strings;
    }

    static List<String> texts(JsonNode array) {
        return array.valueStream().map(JsonNode::asText).toList();
    }
}
