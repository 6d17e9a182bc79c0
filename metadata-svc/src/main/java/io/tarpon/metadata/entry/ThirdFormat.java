package io.tarpon.metadata.entry;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;

/// Entries of format 3, from before the objects of a shard had names: its plan, and the attempt that built it.
final class ThirdFormat {
    static final int FORMAT = 3;

    private ThirdFormat() {}

    /// The same entry as a document of [FourthFormat]. Throws where it says what format 3 does not.
    static JsonNode upgraded(JsonNode entry) throws IOException {
        for (var record : entry.path("records")) {
            switch (record.path("kind").asText()) {
                case "version-planned" -> nameNoPlan(record);
                case "shard-sealed" -> SecondFormat.add(FORMAT, record.path("seal"), "attempt");
                default -> {}
            }
        }
        return entry;
    }

    private static void nameNoPlan(JsonNode planned) throws IOException {
        for (var split : planned.path("splits")) {
            for (var shard : split.path("shards")) {
                SecondFormat.add(FORMAT, shard, "planName");
            }
        }
    }
}
