package io.tarpon.chaos;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/// What was said on `tarpon.events`: each id once, each shard and each version sealed once.
final class PublishedEvents {
    private final Set<String> ids = new HashSet<>();
    private final Map<String, Integer> kinds = new HashMap<>();
    private final List<String> repeated = new ArrayList<>();
    private int records;

    private PublishedEvents() {}

    /// One line after the other: an hour of trouble leaves more of them than the memory that a command has.
    ///
    /// @param lines as `TopicDump` prints them
    static PublishedEvents read(Stream<String> lines) throws IOException {
        var events = new PublishedEvents();
        for (var each = lines.iterator(); each.hasNext(); ) {
            var line = Json.MAPPER.readTree(each.next());
            var where =
                    line.get("partition").asText() + "/" + line.get("offset").asText();
            var event =
                    Events.decode(Base64.getDecoder().decode(line.get("value").asText()));
            events.add(where, event.id(), event.data());
        }
        return events;
    }

    private void add(String where, String id, TarponEvent event) {
        records++;
        if (!ids.add(id)) {
            repeated.add("event " + id + " stands on tarpon.events twice, once more at " + where);
        }
        kinds.merge(kind(event.type(), event.subject()), 1, Integer::sum);
    }

    private static String kind(String type, String subject) {
        return type + " " + subject;
    }

    int records() {
        return records;
    }

    /// Records whose id was there before.
    int duplicates() {
        return repeated.size();
    }

    boolean says(String type, String subject) {
        return kinds.containsKey(kind(type, subject));
    }

    int times(String type, String subject) {
        return kinds.getOrDefault(kind(type, subject), 0);
    }

    /// How many are about this dataset, its versions and its shards.
    int about(DatasetName dataset) {
        return kinds.entrySet().stream()
                .filter(kind -> kind.getKey().contains(" " + dataset + "/"))
                .mapToInt(Map.Entry::getValue)
                .sum();
    }

    /// What is wrong with them. A version may be planned and fail more than once, but it is sealed once.
    List<String> complaints() {
        var complaints = new ArrayList<>(repeated);
        kinds.forEach((kind, times) -> {
            var sealed =
                    kind.startsWith(TarponEvent.ShardSealed.TYPE) || kind.startsWith(TarponEvent.VersionSealed.TYPE);
            if (sealed && times > 1) {
                complaints.add(kind + " was said " + times + " times");
            }
        });
        return complaints;
    }
}
