package io.tarpon.metadata.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;

/// Entries of format 4, from before plans had pages and logs an id and a level.
final class FourthFormat {
    static final int FORMAT = 4;
    private static final Set<String> LATER_KINDS = Set.of("log-begun", "level-raised", "plan-paged");

    private FourthFormat() {}

    /// Whether the entry says nothing that format 4 does not.
    static boolean says(Entry entry) {
        return entry.log() == null
                && entry.records().stream()
                        .noneMatch(record -> record instanceof Change.LogBegun
                                || record instanceof Change.LevelRaised
                                || record instanceof Change.PlanPaged
                                || (record instanceof Change.VersionPlanned planned && planned.pages() != null));
    }

    /// The same entry as today's document. Throws where it says what format 4 does not.
    static JsonNode upgraded(JsonNode entry) throws IOException {
        for (var record : entry.path("records")) {
            var kind = record.path("kind").asText();
            if (LATER_KINDS.contains(kind)) {
                throw new IOException("there is no " + kind + " in format " + FORMAT);
            }
            if (kind.equals("version-planned")) {
                SecondFormat.add(FORMAT, record, "pages");
            }
        }
        SecondFormat.add(FORMAT, entry, "log");
        return entry;
    }

    /// Today's document of an entry as one of format 4.
    static JsonNode downgraded(JsonNode entry) {
        for (var record : entry.path("records")) {
            if (record instanceof ObjectNode fields
                    && record.path("kind").asText().equals("version-planned")) {
                fields.remove("pages");
            }
        }
        if (entry instanceof ObjectNode fields) {
            fields.remove("log");
        }
        return entry;
    }
}
