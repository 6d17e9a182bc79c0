package io.tarpon.metadata.entry;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Set;

/// Entries of format 1, from before versions grew: they say nothing of parents and kept shards, because there were
/// none, and know fewer kinds of records.
final class FirstFormat {
    static final int FORMAT = 1;
    private static final Set<String> LATER_KINDS = Set.of("version-retried", "version-collected", "dataset-removed");

    private FirstFormat() {}

    /// The same entry as a document of [SecondFormat]. Throws where it says what format 1 does not.
    static JsonNode upgraded(JsonNode entry) throws IOException {
        for (var record : entry.path("records")) {
            var kind = record.path("kind").asText();
            if (LATER_KINDS.contains(kind)) {
                throw new IOException("there is no " + kind + " in format " + FORMAT);
            }
            switch (kind) {
                case "version-begun" -> SecondFormat.add(FORMAT, record, "parent");
                case "version-planned" -> keepNothing(record);
                default -> {}
            }
        }
        return entry;
    }

    private static void keepNothing(JsonNode planned) throws IOException {
        for (var split : planned.path("splits")) {
            for (var shard : split.path("shards")) {
                SecondFormat.add(FORMAT, shard, "kept");
            }
        }
    }
}
