package io.tarpon.chaos;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.TarponEvent;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// What must have been told on `tarpon.events`, of every state that a version was ever seen in: what is told
/// stays told, also of versions that are gone. Safe for several threads.
final class ExpectedEvents {
    private static final int PAGE = 10_000;

    private final Set<Event> all = new LinkedHashSet<>();

    /// One kind of event about one version or shard.
    record Event(String type, String subject) {}

    /// A version as it is now. What it was before is expected only where it was seen so, except that what is sealed was
    /// planned.
    synchronized void of(VersionRecord version) {
        var subject = version.dataset() + "/" + version.version();
        switch (version.state()) {
            case SEALED -> {
                all.add(new Event(TarponEvent.VersionPlanned.TYPE, subject));
                all.add(new Event(TarponEvent.VersionSealed.TYPE, subject));
            }
            case FAILED -> all.add(new Event(TarponEvent.VersionFailed.TYPE, subject));
            case REMOVED -> all.add(new Event(TarponEvent.VersionRemoved.TYPE, subject));
            case PLANNING, BUILDING -> {}
        }
    }

    /// The shards that were built for a sealed version. Of those that it keeps from its parent nothing is told again.
    void builtFor(VersionRecord version, MetadataClient metadata) throws IOException {
        var built = new ArrayList<ShardRef>();
        for (var split : version.splits()) {
            built.addAll(built(version, split.name(), metadata));
        }
        synchronized (this) {
            built.forEach(shard -> all.add(new Event(TarponEvent.ShardSealed.TYPE, shard.path())));
        }
    }

    private static List<ShardRef> built(VersionRecord version, SplitName split, MetadataClient metadata)
            throws IOException {
        var built = new ArrayList<ShardRef>();
        Optional<ShardName> after = Optional.empty();
        do {
            var page = metadata.shards(version.dataset(), version.version(), split, after, PAGE);
            page.shards().stream()
                    .filter(shard -> shard.home() == null)
                    .map(shard -> new ShardRef(version.dataset(), version.version(), split, shard.name()))
                    .forEach(built::add);
            after = Optional.ofNullable(page.next());
        } while (after.isPresent());
        return built;
    }

    synchronized List<Event> missing(PublishedEvents events) {
        return all.stream()
                .filter(event -> !events.says(event.type(), event.subject()))
                .toList();
    }
}
