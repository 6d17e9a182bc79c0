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
import io.tarpon.wire.metadata.ShardPage;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionProgress;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What can be read in an image, as copies that outlive it. Each throws the `unknown-…` problem that names what
/// is not there.
public final class Reads {
    private final Image image;

    Reads(Image image) {
        this.image = image;
    }

    public DatasetList datasets() {
        return new DatasetList(
                image.datasets.values().stream().map(Dataset::record).toList());
    }

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

    /// Shards from number `from`, at most `limit`.
    public ShardPage shards(DatasetName dataset, VersionId version, SplitName name, int from, int limit) {
        var held = image.version(dataset, version);
        var split = held.split(name);
        if (held.collected) {
            throw Refusals.ended(held, "has no shard any more");
        }
        var start = Math.min(from, split.shards.size());
        var end = Math.min(split.shards.size(), start + limit);
        var page = IntStream.range(start, end)
                .mapToObj(index -> split.record(new ShardName(index)))
                .toList();
        return new ShardPage(page, end < split.shards.size() ? page.getLast().name() : null);
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
