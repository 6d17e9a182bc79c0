package io.tarpon.k8s;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/// Label selectors as Kubernetes has them.
final class Labels {
    /// @param selector with `matchLabels` and `matchExpressions`; an empty one matches everything, none matches nothing
    static boolean match(JsonNode selector, Map<String, String> labels) {
        return !selector.isMissingNode()
                && all(selector.path("matchLabels"), labels)
                && selector.path("matchExpressions").valueStream().allMatch(expression -> holds(expression, labels));
    }

    /// @param wanted labels, as in a Service's selector
    static boolean all(JsonNode wanted, Map<String, String> labels) {
        return Item.strings(wanted).entrySet().stream()
                .allMatch(label -> label.getValue().equals(labels.get(label.getKey())));
    }

    private static boolean holds(JsonNode expression, Map<String, String> labels) {
        var value = labels.get(expression.path("key").asText());
        var values = Item.texts(expression.path("values"));
        return switch (expression.path("operator").asText()) {
            case "In" -> value != null && values.contains(value);
            case "NotIn" -> value == null || !values.contains(value);
            case "Exists" -> value != null;
            case "DoesNotExist" -> value == null;
            default -> throw new AssertionError("no operator of a selector: " + expression);
        };
    }

    private Labels() {}
}
