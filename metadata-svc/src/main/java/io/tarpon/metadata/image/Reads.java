package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetList;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.ReplicaDigest;
import io.tarpon.wire.metadata.ShardPage;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionProgress;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What can be read in an image, as copies that outlive it. Each throws the `unknown-…` problem that names what
/// is not there.
public final class Reads {
    /// Of one answer, whatever was asked for.
    public static final int MAX_ROWS = Page.MAX_ROWS;

    private final Image image;

    Reads(Image image) {
        this.image = image;
    }

    /// Of the image, as it is read.
    public long revision() {
        return image.revision();
    }

    /// Goes through everything there is.
    public ReplicaDigest digest() {
        return new ReplicaDigest(image.revision(), image.digest());
    }

    /// The datasets after `after`, all where it is null, by name: at most `limit` versions, and what goes into a page.
    public DatasetList datasets(@Nullable DatasetCursor after, int limit) {
        var page = new Page(limit);
        var found = new ArrayList<DatasetRecord>();
        for (var dataset : from(after)) {
            var versions = versions(dataset, after);
            // Of the dataset that the page before ended in, nothing may be left.
            if (versions.size() == dataset.versions.size() || !versions.isEmpty()) {
                var part = dataset.part(versions, page);
                part.ifPresent(found::add);
                if (part.isEmpty() || part.get().next() != null) {
                    return new DatasetList(
                            found, DatasetCursor.after(found.getLast()).toString());
                }
            }
        }
        return new DatasetList(found);
    }

    private Collection<Dataset> from(@Nullable DatasetCursor after) {
        if (after == null) {
            return image.datasets.values();
        }
        var first = after.dataset().value();
        // The first name after one is that name and the lowest character more.
        return image.datasets
                .tailMap(after.version() == null ? first + '\0' : first)
                .values();
    }

    private static NavigableMap<VersionId, Version> versions(Dataset dataset, @Nullable DatasetCursor after) {
        return after == null || !after.dataset().equals(dataset.name)
                ? dataset.versions
                : tail(dataset, after.version());
    }

    private static NavigableMap<VersionId, Version> tail(Dataset dataset, @Nullable VersionId after) {
        return after == null ? dataset.versions : dataset.versions.tailMap(after, false);
    }

    /// With the versions after `after`, from the first where it is null: at most `limit`, and what goes into a page.
    public DatasetRecord dataset(DatasetName dataset, @Nullable VersionId after, int limit) {
        var held = image.dataset(dataset);
        return held.part(tail(held, after), new Page(limit)).orElseThrow();
    }

    /// With its first versions, as many as a page has.
    public DatasetRecord dataset(DatasetName dataset) {
        return image.dataset(dataset).record();
    }

    public VersionRecord version(DatasetName dataset, VersionId version) {
        return image.version(dataset, version).record();
    }

    /// The highest sealed version.
    public VersionRecord latest(DatasetName dataset) {
        var held = image.dataset(dataset);
        return held.latest()
                .orElseThrow(() -> new TarponException(
                        ProblemType.UNKNOWN_VERSION, "dataset " + dataset + " has no sealed version" + newest(held)))
                .record();
    }

    /// What became of the newest version, for somebody who looks for one that can be read.
    private static String newest(Dataset dataset) {
        var last = dataset.versions.lastEntry();
        return last == null
                ? ""
                : "; its newest one, " + last.getKey() + ", is "
                        + last.getValue().state.wireName();
    }

    public VersionRecord versionOfRequest(String requestId) {
        var version = image.versionsByRequest.get(requestId);
        if (version == null) {
            throw new TarponException(
                    ProblemType.UNKNOWN_VERSION, "no version is begun for request '" + requestId + "' yet");
        }
        return version.record();
    }

    public ShardRecord shard(ShardRef ref) {
        return image.version(ref.dataset(), ref.version()).shard(ref).record(ref.shard());
    }

    /// Shards from number `from`, at most `limit`, and what goes into a page.
    public ShardPage shards(DatasetName dataset, VersionId version, SplitName name, int from, int limit) {
        var held = image.version(dataset, version);
        var split = held.split(name);
        if (held.collected) {
            throw Refusals.ended(held, "has no shard any more");
        }
        var page = new Page(limit);
        var found = new ArrayList<ShardRecord>();
        split.scan(from, (index, shard) -> {
            var record = shard.record(new ShardName(index));
            return page.takes(record) && found.add(record);
        });
        var isLast = found.isEmpty() || found.getLast().name().index() + 1 == split.shardCount();
        return new ShardPage(found, isLast ? null : found.getLast().name());
    }

    /// What is left of removed versions.
    public Remains remains() {
        return new Remains(image);
    }

    /// Versions that failed at `failedUpTo` or before, at most `limit`.
    public List<VersionName> failed(Instant failedUpTo, int limit) {
        return image.datasets.values().stream()
                .flatMap(dataset -> dataset.versions.values().stream())
                .filter(version -> version.state == VersionState.FAILED && !version.livedAt.isAfter(failedUpTo))
                .limit(limit)
                .map(version -> new VersionName(version.dataset, version.id))
                .toList();
    }

    /// Versions in this state of work after `after`, all of them where it is null, by dataset and number; at most
    /// `limit`.
    public List<VersionProgress> inWork(VersionState state, @Nullable VersionName after, int limit) {
        var rest = after == null ? image.inWork : image.inWork.tailMap(after, false);
        return rest.values().stream()
                .filter(version -> version.state == state)
                .limit(limit)
                .map(Version::progress)
                .toList();
    }

    /// When the version in this state came on that has stood still longest; empty where there is none.
    public Optional<Instant> longestStill(VersionState state) {
        return image.inWork.values().stream()
                .filter(version -> version.state == state)
                .map(version -> version.progressAt)
                .min(Comparator.naturalOrder());
    }

    /// Versions that may be forgotten because they were collected at `collectedUpTo` or before, at most `limit`.
    public List<VersionName> forgettable(Instant collectedUpTo, int limit) {
        return image.datasets.values().stream()
                .flatMap(dataset -> dataset.versions.values().stream())
                .filter(version -> version.isForgettable(collectedUpTo))
                .limit(limit)
                .map(Version::name)
                .toList();
    }

    /// Nodes that may be forgotten because they left at `leftUpTo` or before, at most `limit`.
    public List<String> forgettableNodes(Instant leftUpTo, int limit) {
        return image.nodes.entrySet().stream()
                .filter(node -> node.getValue().isForgettable(leftUpTo))
                .limit(limit)
                .map(Map.Entry::getKey)
                .toList();
    }

    /// How many versions are in this state.
    public long count(VersionState state) {
        return image.datasets.values().stream()
                .flatMap(dataset -> dataset.versions.values().stream())
                .filter(version -> version.state == state)
                .count();
    }

    /// Every node that joined and did not leave, by id.
    public SortedMap<String, NodeRegistration> nodes() {
        var joined = new TreeMap<String, NodeRegistration>();
        image.nodes.forEach((id, node) -> {
            if (node.registration != null) {
                joined.put(id, node.registration);
            }
        });
        return Collections.unmodifiableSortedMap(joined);
    }

    /// Of the entry by which a node joined or left last.
    public long nodesRevision() {
        return image.nodesRevision;
    }

    /// The node, where it is this process; `conflict` where another one has joined under its id since.
    public NodeRegistration node(String id, @Nullable String incarnation) {
        var registration = node(id);
        var node = image.nodes.get(id);
        if (node != null && !node.isOf(incarnation)) {
            throw JoinNode.overtaken(id, registration);
        }
        return registration;
    }

    public NodeRegistration node(String id) {
        var node = image.nodes.get(id);
        if (node == null || node.registration == null) {
            throw new TarponException(ProblemType.NOT_FOUND, "node " + id + " has not joined: register it");
        }
        return node.registration;
    }
}
