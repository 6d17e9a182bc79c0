package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.PlanPages;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
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
/// of a version by its last shard, is computed here. Time is the entry's own, or that of an earlier one where that was
/// later.
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
            case Change.LogBegun begun -> begin(begun);
            case Change.LevelRaised raised -> raise(raised);
            case Change.DatasetRegistered registered -> register(registered);
            case Change.VersionBegun begun -> begin(begun);
            case Change.InputsCounted counted -> count(counted);
            case Change.PlanPaged page -> hold(page);
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

    private void begin(Change.LogBegun change) {
        require(image.logId == null, change);
        image.logId = change.id();
        image.logRevision = revision;
    }

    private void raise(Change.LevelRaised change) {
        require(change.level() > image.level, change);
        if (change.level() > EntryFormat.FORMAT) {
            throw new IllegalStateException("entry " + revision + " raises the log to format " + change.level()
                    + ", and this build reads up to " + EntryFormat.FORMAT + ": start a newer one");
        }
        image.level = change.level();
        image.logRevision = revision;
    }

    private void register(Change.DatasetRegistered change) {
        var dataset = image.datasets.computeIfAbsent(change.dataset().value(), _ -> new Dataset(change.dataset()));
        dataset.spec = change.spec();
        dataset.specRevision = revision;
        image.changed(dataset);
    }

    private void begin(Change.VersionBegun change) {
        var dataset = image.datasets.computeIfAbsent(change.dataset().value(), _ -> new Dataset(change.dataset()));
        require(dataset.nextVersion().equals(change.version()), change);
        var version = new Version(
                image.store,
                change.dataset(),
                change.version(),
                change.requestId(),
                change.spec(),
                image.time,
                revision);
        version.parent = change.parent();
        live(version, VersionState.PLANNING);
        dataset.versions.put(version.id, version);
        dataset.lastNumber = version.id.number();
        dataset.numbersRevision = revision;
        image.changed(dataset);
        require(image.versionsByRequest.put(change.requestId(), version) == null, change);
    }

    private void count(Change.InputsCounted change) {
        var version = image.version(change.dataset(), change.version());
        version.planDigest = change.planDigest();
        version.inputs = change.inputs();
        version.revision = revision;
        image.changed(version);
    }

    /// Nothing that can be read changes.
    private void hold(Change.PlanPaged change) {
        var version = image.version(change.dataset(), change.version());
        require(version.state == VersionState.PLANNING, change);
        image.shards += image.pages
                .computeIfAbsent(version.name(), _ -> new HeldPages())
                .hold(change, version::nextTable, sealedAlready(version), revision);
        image.changed(version);
    }

    private void dropPages(Version version) {
        var held = image.pages.remove(version.name());
        if (held != null) {
            image.shards -= held.shards();
            held.drop();
        }
    }

    private void plan(Change.VersionPlanned change) {
        var version = image.version(change.dataset(), change.version());
        require(version.state == VersionState.PLANNING, change);
        var plan = change.pages() == null ? whole(version, change) : paged(version, change, change.pages());
        plan.end();
        version.plan = plan.table.plan();
        version.splits.putAll(plan.splits);
        version.homes.addAll(plan.homes);
        forgetEarlier(version);
        live(version, VersionState.BUILDING);
        say(new TarponEvent.VersionPlanned(version.dataset, version.id, revision, samples(version), bytes(version)));
        if (version.everyShardIsSealed()) {
            seal(version);
        }
    }

    private GrowingPlan whole(Version version, Change.VersionPlanned change) {
        var plan = new GrowingPlan(version.nextTable());
        change.splits().forEach(split -> plan.add(split.name(), split.shards(), sealedAlready(version), revision));
        image.shards += plan.shards();
        return plan;
    }

    /// Its shards are counted already.
    private GrowingPlan paged(Version version, Change.VersionPlanned change, PlanPages pages) {
        return Optional.ofNullable(image.pages.get(version.name()))
                .flatMap(held -> held.take(pages))
                .orElseThrow(() -> nonsense(change));
    }

    /// A kept shard is sealed as the parent's is and lies where that lies; one that was sealed before the version
    /// failed, from the same plan, stays sealed.
    private GrowingPlan.SealedAlready sealedAlready(Version version) {
        return (split, planned) -> {
            var kept = planned.kept();
            return kept == null ? version.earlier.find(split, planned) : ofParent(version, split, planned, kept);
        };
    }

    /// Empty where the parent is not sealed any more. Then this is a page of a plan whose last entry does not hold.
    private Optional<ShardRecord> ofParent(Version version, SplitName split, PlannedShard planned, ShardName kept) {
        var parent = Objects.requireNonNull(version.parent, "a plan that keeps shards is of a version with a parent");
        var ref = new ShardRef(version.dataset, parent, split, kept);
        return image.dataset(version.dataset)
                .find(parent)
                .filter(whole -> whole.state == VersionState.SEALED)
                .map(whole -> whole.shard(ref).record(kept))
                .map(held -> new ShardRecord(
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
        version.progress(image.time);
        image.changed(version);
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
        version.sealedAt = image.time;
        live(version, VersionState.SEALED);
        image.dataset(version.dataset).sealedRevision = revision;
        image.changed(image.dataset(version.dataset));
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
            image.changed(image.dataset(version.dataset));
        }
        version.reason = change.reason();
        version.sameAs = change.sameAs();
        forgetEarlier(version);
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
            rememberSplits(version);
        }
        live(version, VersionState.PLANNING);
    }

    private void collect(Change.VersionCollected change) {
        var version = image.version(change.dataset(), change.version());
        require(version.state == VersionState.REMOVED && !version.collected, change);
        image.shards -= version.heldShards();
        version.table(version.plan).drop();
        version.homes.clear();
        version.collected = true;
        live(version, VersionState.REMOVED);
    }

    private void removeDataset(Change.DatasetRemoved change) {
        var dataset = image.dataset(change.dataset());
        require(dataset.versions.values().stream().allMatch(version -> version.state == VersionState.REMOVED), change);
        dataset.spec = null;
        dataset.specRevision = revision;
        image.changed(dataset);
    }

    private void forgetEarlier(Version version) {
        image.shards -= version.earlier.count();
        version.earlier.drop();
        version.earlier = EarlierShards.NONE;
    }

    /// The next plan has a table of its own. `image.shards` counts planned shards and remembered ones.
    private void rememberSplits(Version version) {
        forgetEarlier(version);
        image.shards -= version.heldShards();
        version.earlier = new EarlierShards(version.table(version.plan), version.splits.values(), version.homes);
        image.shards += version.earlier.count();
        version.splits.clear();
        version.homes.clear();
    }

    private void join(Change.NodeJoined change) {
        var node = image.nodes.computeIfAbsent(change.node(), _ -> new Node());
        node.registration = change.registration();
        node.incarnation = change.incarnation();
        node.leftAt = null;
        node.revision = revision;
        image.nodesRevision = revision;
        image.changed(change.node(), node);
    }

    private void leave(Change.NodeLeft change) {
        var node = image.nodes.get(change.node());
        if (node == null) {
            throw nonsense(change);
        }
        node.registration = null;
        node.incarnation = null;
        node.leftAt = image.time;
        node.revision = revision;
        image.nodesRevision = revision;
        image.changed(change.node(), node);
    }

    private void forget(Change.VersionForgotten change) {
        var version = image.version(change.dataset(), change.version());
        require(version.collected, change);
        image.dataset(change.dataset()).versions.remove(version.id);
        image.versionsByRequest.remove(version.requestId);
        image.forgotten(version);
        image.requestsFloor = revision;
    }

    private void forget(Change.NodeForgotten change) {
        var node = image.nodes.remove(change.node());
        require(node != null && node.registration == null, change);
        image.forgottenNode(change.node());
        image.nodesFloor = revision;
    }

    private void live(Version version, VersionState state) {
        dropPages(version);
        version.state = state;
        version.livedAt = image.time;
        version.progress(image.time);
        if (state.isEnd()) {
            image.inWork.remove(version.name());
        } else {
            image.inWork.put(version.name(), version);
        }
        version.lifeRevision = revision;
        version.revision = revision;
        image.changed(version);
    }

    private void say(TarponEvent event) {
        var committed = new CommittedEvent(revision, events.size(), image.time, entry.traceparent(), event);
        image.outbox.add(committed);
        events.add(committed);
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
                .mapToLong(split -> split.samples())
                .sum();
    }

    private static long bytes(Version version) {
        return version.splits.values().stream()
                .mapToLong(split -> split.bytes())
                .sum();
    }
}
