package io.tarpon.chaos;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.TarponEvent;
import io.tarpon.wire.metadata.SealShard;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What metadata-svc acknowledged for one dataset that nobody else changes, and so must know in the end: these versions
/// and no other ones, each as it was left. And the events that this made, each so many times.
///
/// Safe for several threads: one writes, another one asks in the end, even where the first did not.
final class Ledger {
    /// Of what there is no event.
    static final String BEGUN = "begun";

    private static final int PAGE = 1_000;

    private final DatasetName dataset;
    private final TreeMap<VersionId, Known> versions = new TreeMap<>();
    private final Map<ShardRef, SealShard> seals = new LinkedHashMap<>();
    private final Map<ExpectedEvents.Event, Integer> events = new LinkedHashMap<>();

    /// @param request that began it
    private record Known(String request, VersionState state) {}

    Ledger(DatasetName dataset) {
        this.dataset = dataset;
    }

    synchronized void begun(VersionId version, String request) {
        versions.put(version, new Known(request, VersionState.PLANNING));
    }

    synchronized void planned(VersionId version) {
        became(version, VersionState.BUILDING, TarponEvent.VersionPlanned.TYPE);
    }

    synchronized void sealed(ShardRef ref, SealShard seal) {
        seals.put(ref, seal);
        events.merge(new ExpectedEvents.Event(TarponEvent.ShardSealed.TYPE, ref.path()), 1, Integer::sum);
    }

    /// All of its shards were sealed.
    synchronized void isSealed(VersionId version) {
        became(version, VersionState.SEALED, TarponEvent.VersionSealed.TYPE);
    }

    synchronized void failed(VersionId version) {
        became(version, VersionState.FAILED, TarponEvent.VersionFailed.TYPE);
    }

    synchronized void removed(VersionId version) {
        became(version, VersionState.REMOVED, TarponEvent.VersionRemoved.TYPE);
    }

    private void became(VersionId version, VersionState state, String event) {
        versions.computeIfPresent(version, (_, known) -> new Known(known.request(), state));
        events.merge(new ExpectedEvents.Event(event, dataset + "/" + version), 1, Integer::sum);
    }

    /// What metadata-svc knows otherwise than it acknowledged.
    synchronized List<String> contradictions(MetadataClient metadata) throws IOException {
        if (versions.isEmpty()) {
            return List.of();
        }
        var wrong = new ArrayList<String>();
        var left = new TreeMap<>(versions);
        for (var record : metadata.dataset(dataset).versions()) {
            contradiction(left.remove(record.version()), record).ifPresent(wrong::add);
            if (record.state() == VersionState.SEALED) {
                wrong.addAll(otherSeals(record, metadata));
            }
        }
        left.keySet().forEach(lost -> wrong.add(dataset + "@" + lost + " was acknowledged and is not known"));
        return wrong;
    }

    private Optional<String> contradiction(@Nullable Known known, VersionRecord record) {
        var name = dataset + "@" + record.version();
        if (known == null) {
            return Optional.of(name + " was never acknowledged: the command that began it came to two versions");
        }
        if (!known.request().equals(record.requestId())) {
            return Optional.of(name + " was begun for " + record.requestId() + ", not for " + known.request());
        }
        return known.state() == record.state()
                ? Optional.empty()
                : Optional.of(name + " is " + record.state().wireName() + ", and it was acknowledged that it is "
                        + known.state().wireName());
    }

    private List<String> otherSeals(VersionRecord version, MetadataClient metadata) throws IOException {
        var wrong = new ArrayList<String>();
        for (var split : version.splits()) {
            Optional<ShardName> after = Optional.empty();
            do {
                var page = metadata.shards(dataset, version.version(), split.name(), after, PAGE);
                for (var shard : page.shards()) {
                    var ref = new ShardRef(dataset, version.version(), split.name(), shard.name());
                    if (!isAsAcknowledged(ref, shard)) {
                        wrong.add(ref + " has the seal " + shard.seal() + ", acknowledged was " + seals.get(ref));
                    }
                }
                after = Optional.ofNullable(page.next());
            } while (after.isPresent());
        }
        return wrong;
    }

    private boolean isAsAcknowledged(ShardRef ref, ShardRecord shard) {
        return shard.seal() != null && shard.seal().equals(seals.get(ref));
    }

    /// What was told otherwise than once for each change.
    synchronized List<String> otherwiseTold(PublishedEvents told) {
        var wrong = new ArrayList<String>();
        events.forEach((event, times) -> {
            var here = told.times(event.type(), event.subject());
            if (here != times) {
                wrong.add(event.type() + " of " + event.subject() + " was told " + here + " times, not " + times);
            }
        });
        var all = events.values().stream().mapToInt(Integer::intValue).sum();
        if (wrong.isEmpty() && told.about(dataset) != all) {
            wrong.add(
                    told.about(dataset) + " events were told of " + dataset + ", and " + all + " changes acknowledged");
        }
        return wrong;
    }

    /// How many changes were acknowledged, by their event's type, and [#BEGUN].
    synchronized Map<String, Integer> counts() {
        var counts = new HashMap<String, Integer>();
        counts.put(BEGUN, versions.size());
        events.forEach((event, times) -> counts.merge(event.type(), times, Integer::sum));
        return counts;
    }
}
