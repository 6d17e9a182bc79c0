package io.tarpon.metadata.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;

/// Entries of format 1, from before versions grew: they say nothing of parents and kept shards, because there were
/// none, and know fewer kinds of records.
final class FirstFormat {
    static final int FORMAT = 1;
    private static final Set<String> LATER_KINDS = Set.of("version-retried", "version-collected", "dataset-removed");

    private FirstFormat() {}

    /// The same entry as today's document. Throws where it says what format 1 does not.
    static JsonNode upgraded(JsonNode entry) throws IOException {
        for (var record : entry.path("records")) {
            var kind = record.path("kind").asText();
            if (LATER_KINDS.contains(kind)) {
                throw new IOException("there is no " + kind + " in format " + FORMAT);
            }
            switch (kind) {
                case "version-begun" -> add(record, "parent");
                case "version-planned" -> keepNothing(record);
                default -> {}
            }
        }
        return entry;
    }

    private static void keepNothing(JsonNode planned) throws IOException {
        for (var split : planned.path("splits")) {
            for (var shard : split.path("shards")) {
                add(shard, "kept");
            }
        }
    }

    private static void add(JsonNode record, String field) throws IOException {
        if (!(record instanceof ObjectNode fields) || fields.has(field)) {
            throw new IOException("there is no " + field + " in format " + FORMAT);
        }
        fields.putNull(field);
    }
}
