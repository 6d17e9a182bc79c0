package io.tarpon.metadata.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Set;

/// Entries of format 2, from before nodes told their incarnation and anything was forgotten.
final class SecondFormat {
    static final int FORMAT = 2;
    private static final Set<String> LATER_KINDS = Set.of("version-forgotten", "node-forgotten");

    private SecondFormat() {}

    /// The same entry as a document of [ThirdFormat]. Throws where it says what format 2 does not.
    static JsonNode upgraded(JsonNode entry) throws IOException {
        for (var record : entry.path("records")) {
            var kind = record.path("kind").asText();
            if (LATER_KINDS.contains(kind)) {
                throw new IOException("there is no " + kind + " in format " + FORMAT);
            }
            if (kind.equals("node-joined")) {
                add(FORMAT, record, "incarnation");
            }
        }
        return entry;
    }

    /// Says null of a field that the format did not have.
    static void add(int format, JsonNode record, String field) throws IOException {
        if (!(record instanceof ObjectNode fields) || fields.has(field)) {
            throw new IOException("there is no " + field + " in format " + format);
        }
        fields.putNull(field);
    }
}
