package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;

/// A container that runs a service of ours.
record Run(Pods pods, JsonNode container, Product.Program program, Settings settings) {
    /// As findings begin.
    String title() {
        return pods.containers().size() == 1
                ? pods.title()
                : pods.title() + "/" + container.path("name").asText();
    }

    /// What is set, or the program's default; empty where there is neither.
    String value(String key) {
        return settings.value(key, program);
    }

    int port() {
        return Integer.parseInt(value("quarkus.http.port"));
    }
}
