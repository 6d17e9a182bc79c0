package io.tarpon.ingest;

import io.tarpon.ingest.PlanMessages.PlanMessage;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.PlanLink;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// One message for each shard that is to be built; none for one that is kept from the parent. The id of a message is
/// `<dataset>/<version>-<n>`, n counting the shards of all splits in order: sent again, it has the same one.
final class ShardMessages {
    private static final String SOURCE = "/ingest-fn";
    private static final int PAGE = 1_000;

    private final MetadataClient metadata;
    private final PlanMessages messages;
    private final Clock clock;

    ShardMessages(MetadataClient metadata, PlanMessages messages, Clock clock) {
        this.metadata = metadata;
        this.messages = messages;
        this.clock = clock;
    }

    /// For a plan that was just frozen: every shard to be built, without asking a replica of metadata-svc that may be
    /// behind.
    void sendAll(VersionRecord version, FrozenPlan plan, Optional<String> traceparent) throws IOException {
        long ordinal = 0;
        for (var split : plan.splits()) {
            var batch = new ArrayList<PlanMessage>();
            for (var shard : split.shards()) {
                if (shard.kept() == null) {
                    batch.add(message(version, split.name(), shard, ordinal, traceparent));
                }
                ordinal++;
                if (batch.size() == PAGE) {
                    messages.send(batch);
                    batch.clear();
                }
            }
            messages.send(batch);
        }
    }

    /// For a plan that was frozen before: what is not sealed yet. A kept shard is sealed since then.
    ///
    /// @return how many messages were sent
    long sendUnsealed(VersionRecord version, Optional<String> traceparent) throws IOException {
        long first = 0;
        long sent = 0;
        var splits = version.splits().stream()
                .sorted(Comparator.comparing(split -> split.name().value()))
                .toList();
        for (SplitRecord split : splits) {
            Optional<ShardName> after = Optional.empty();
            do {
                var page = metadata.shards(version.dataset(), version.version(), split.name(), after, PAGE);
                var batch = unsealed(version, split.name(), page.shards(), first, traceparent);
                messages.send(batch);
                sent += batch.size();
                after = Optional.ofNullable(page.next());
            } while (after.isPresent());
            first += split.shards();
        }
        return sent;
    }

    private List<PlanMessage> unsealed(
            VersionRecord version,
            SplitName split,
            List<ShardRecord> shards,
            long first,
            Optional<String> traceparent) {
        return shards.stream()
                .filter(shard -> shard.seal() == null && shard.home() == null)
                .map(shard -> message(
                        version,
                        split,
                        new PlannedShard(
                                shard.name(),
                                shard.samples(),
                                shard.bytes(),
                                shard.planSha256(),
                                null,
                                shard.planName()),
                        first + shard.name().index(),
                        traceparent))
                .toList();
    }

    private PlanMessage message(
            VersionRecord version, SplitName split, PlannedShard shard, long ordinal, Optional<String> traceparent) {
        var ref = new ShardRef(version.dataset(), version.version(), split, shard.name());
        var event = new ShardPlanned(
                version.dataset(),
                version.version(),
                split,
                shard.name(),
                shard.samples(),
                shard.bytes(),
                new PlanLink(ObjectKeys.plan(ref, shard.planName()), shard.planSha256()));
        var id = version.dataset() + "/" + version.version() + "-" + ordinal;
        var envelope = new Events.Envelope(id, SOURCE, clock.instant(), traceparent);
        return new PlanMessage(ref.path(), Events.encode(envelope, event));
    }
}
