package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.event.TarponEvent;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/// One entry, whose guards hold, on its way into the image. What follows from several entities, such as the seal
/// of a version by its last shard, is computed here. Time is the entry's own.
final class Replay {
    /// The order of samples in an epoch that versions sealed by this code are read in (contracts section 3).
    private static final String EPOCH_ORDER = "p1";

    private final Image image;
    private final long revision;
    private final Entry entry;
    private final List<CommittedEvent> events = new ArrayList<>();

    Replay(Image image, long revision, Entry entry) {
        this.image = image;
        this.revision = revision;
        this.entry = entry;
    }

    List<CommittedEvent> events() {
        return events;
    }

    void apply(Change change) {
        switch (change) {
            case Change.DatasetRegistered registered -> register(registered);
            case Change.VersionBegun begun -> begin(begun);
            case Change.InputsCounted counted -> count(counted);
            case Change.VersionPlanned planned -> plan(planned);
            case Change.ShardSealed sealed -> seal(sealed);
            case Change.VersionFailed failed -> fail(failed);
            case Change.VersionRemoved removed -> remove(removed);
            case Change.VersionRetried retried -> retry(retried);
            case Change.VersionCollected collected -> collect(collected);
            case Change.DatasetRemoved removed -> removeDataset(removed);
            case Change.NodeJoined joined -> join(joined);
            case Change.NodeLeft left -> leave(left);
            case Change.VersionForgotten forgotten -> forget(forgotten);
            case Change.NodeForgotten forgotten -> forget(forgotten);
        }
    }

    private void register(Change.DatasetRegistered change) {
        var dataset = image.datasets.computeIfAbsent(change.dataset().value(), _ -> new Dataset(change.dataset()));
        dataset.spec = change.spec();
        dataset.specRevision = revision;
    }

    private void begin(Change.VersionBegun change) {
        var dataset = image.datasets.computeIfAbsent(change.dataset().value(), _ -> new Dataset(change.dataset()));
        require(dataset.nextVersion().equals(change.version()), change);
        var version = new Version(change.dataset(), change.version(), change.requestId(), change.spec(), entry.at());
        version.begunRevision = revision;
        version.parent = change.parent();
        live(version, VersionState.PLANNING);
        dataset.versions.put(version.id, version);
        dataset.lastNumber = version.id.number();
        dataset.numbersRevision = revision;
        require(image.versionsByRequest.put(change.requestId(), version) == null, change);
    }

    private void count(Change.InputsCounted change) {
        var version = image.version(change.dataset(), change.version());
        version.planDigest = change.planDigest();
        version.inputs = change.inputs();
        version.revision = revision;
    }

    private void plan(Change.VersionPlanned change) {
        var version = image.version(change.dataset(), change.version());
        require(version.state == VersionState.PLANNING, change);
        var earlier = version.earlier;
        forgetEarlier(version, EarlierShards.NONE);
        for (var planned : change.splits()) {
            var split = new Split(planned, revision);
            version.splits.put(planned.name(), split);
            image.shards += split.shardCount;
            for (var shard : planned.shards()) {
                sealedAlready(version, earlier, split, shard).ifPresent(held -> split.seal(held, revision));
            }
        }
        live(version, VersionState.BUILDING);
        say(new TarponEvent.VersionPlanned(version.dataset, version.id, revision, samples(version), bytes(version)));
        if (version.everyShardIsSealed()) {
            seal(version);
        }
    }

    /// A kept shard is sealed as the parent's is and lies where that lies; one that was sealed before the version
    /// failed, from the same plan, stays sealed.
    private Optional<ShardRecord> sealedAlready(
            Version version, EarlierShards earlier, Split split, PlannedShard planned) {
        var kept = planned.kept();
        if (kept == null) {
            return earlier.find(split.name, planned);
        }
        var parent = Objects.requireNonNull(version.parent, "a plan that keeps shards is of a version with a parent");
        var ref = new ShardRef(version.dataset, parent, split.name, kept);
        var held = image.version(version.dataset, parent).shard(ref).record(kept);
        return Optional.of(new ShardRecord(
                planned.name(),
                held.samples(),
                held.bytes(),
                held.planSha256(),
                held.home(ref),
                held.sealed(),
                held.planName()));
    }

    private void seal(Change.ShardSealed change) {
        var version = image.version(change.dataset(), change.version());
        require(version.state == VersionState.BUILDING, change);
        var split = version.split(change.split());
        var planned = split.record(change.shard());
        require(planned.seal() == null, change);
        var seal = change.seal();
        split.seal(
                new ShardRecord(
                        change.shard(),
                        seal.samples(),
                        seal.bytes(),
                        planned.planSha256(),
                        null,
                        seal,
                        planned.planName()),
                revision);
        version.revision = revision;
        version.progress(entry.at());
        say(new TarponEvent.ShardSealed(
                version.dataset,
                version.id,
                split.name,
                change.shard(),
                revision,
                seal.samples(),
                seal.bytes(),
                seal.sha256(),
                seal.crc32c()));
        if (version.everyShardIsSealed()) {
            seal(version);
        }
    }

    private void seal(Version version) {
        version.digest = version.digestOfSplits();
        version.order = EPOCH_ORDER;
        version.sealedAt = entry.at();
        live(version, VersionState.SEALED);
        image.dataset(version.dataset).sealedRevision = revision;
        say(new TarponEvent.VersionSealed(version.dataset, version.id, revision, samples(version), bytes(version)));
    }

    private void fail(Change.VersionFailed change) {
        var version = image.version(change.dataset(), change.version());
        require(!version.state.isEnd(), change);
        version.reason = change.reason();
        live(version, VersionState.FAILED);
        say(new TarponEvent.VersionFailed(version.dataset, version.id, revision, change.reason()));
    }

    private void remove(Change.VersionRemoved change) {
        var version = image.version(change.dataset(), change.version());
        require(version.state != VersionState.REMOVED, change);
        if (version.state == VersionState.SEALED) {
            image.dataset(version.dataset).sealedRevision = revision;
        }
        version.reason = change.reason();
        version.sameAs = change.sameAs();
        forgetEarlier(version, EarlierShards.NONE);
        live(version, VersionState.REMOVED);
        say(new TarponEvent.VersionRemoved(version.dataset, version.id, revision, change.reason()));
    }

    private void retry(Change.VersionRetried change) {
        var version = image.version(change.dataset(), change.version());
        require(version.state == VersionState.FAILED, change);
        version.reason = null;
        version.planDigest = null;
        version.inputs = Inputs.NONE;
        version.parent = change.parent();
        if (!version.splits.isEmpty()) {
            forgetEarlier(version, EarlierShards.of(version.splits.values()));
            forgetSplits(version);
        }
        live(version, VersionState.PLANNING);
    }

    private void collect(Change.VersionCollected change) {
        var version = image.version(change.dataset(), change.version());
        require(version.state == VersionState.REMOVED && !version.collected, change);
        version.splits.values().forEach(split -> {
            image.shards -= split.shards.size();
            split.shards.clear();
        });
        version.collected = true;
        live(version, VersionState.REMOVED);
    }

    private void removeDataset(Change.DatasetRemoved change) {
        var dataset = image.dataset(change.dataset());
        require(dataset.versions.values().stream().allMatch(version -> version.state == VersionState.REMOVED), change);
        dataset.spec = null;
        dataset.specRevision = revision;
    }

    /// `image.shards` counts planned shards and remembered ones.
    private void forgetEarlier(Version version, EarlierShards instead) {
        image.shards += instead.count() - version.earlier.count();
        version.earlier = instead;
    }

    private void forgetSplits(Version version) {
        version.splits.values().forEach(split -> image.shards -= split.shards.size());
        version.splits.clear();
    }

    private void join(Change.NodeJoined change) {
        var node = image.nodes.computeIfAbsent(change.node(), _ -> new Node());
        node.registration = change.registration();
        node.incarnation = change.incarnation();
        node.leftAt = null;
        node.revision = revision;
        image.nodesRevision = revision;
    }

    private void leave(Change.NodeLeft change) {
        var node = image.nodes.get(change.node());
        if (node == null) {
            throw nonsense(change);
        }
        node.registration = null;
        node.incarnation = null;
        node.leftAt = entry.at();
        node.revision = revision;
        image.nodesRevision = revision;
    }

    private void forget(Change.VersionForgotten change) {
        var version = image.version(change.dataset(), change.version());
        require(version.collected, change);
        image.dataset(change.dataset()).versions.remove(version.id);
        image.versionsByRequest.remove(version.requestId);
        image.requestsFloor = revision;
    }

    private void forget(Change.NodeForgotten change) {
        var node = image.nodes.remove(change.node());
        require(node != null && node.registration == null, change);
        image.nodesFloor = revision;
    }

    private void live(Version version, VersionState state) {
        version.state = state;
        version.livedAt = entry.at();
        version.progress(entry.at());
        if (state.isEnd()) {
            image.inWork.remove(version.name());
        } else {
            image.inWork.put(version.name(), version);
        }
        version.lifeRevision = revision;
        version.revision = revision;
    }

    private void say(TarponEvent event) {
        events.add(new CommittedEvent(revision, events.size(), entry.at(), entry.traceparent(), event));
    }

    private void require(boolean holds, Change change) {
        if (!holds) {
            throw nonsense(change);
        }
    }

    private IllegalStateException nonsense(Change change) {
        return new IllegalStateException(
                "entry " + revision + " (" + entry.idempotenceKey() + "): its guards hold, but the image cannot take "
                        + change.getClass().getSimpleName());
    }

    private static long samples(Version version) {
        return version.splits.values().stream()
                .mapToLong(split -> split.samples)
                .sum();
    }

    private static long bytes(Version version) {
        return version.splits.values().stream().mapToLong(split -> split.bytes).sum();
    }
}
