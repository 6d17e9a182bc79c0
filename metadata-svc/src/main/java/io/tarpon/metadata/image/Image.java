package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Entity;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Everything metadata-svc knows, as the entries of the log make it. Same entries, same image, same [#digest()].
///
/// Not safe for use by several threads: its owner holds a lock. Only [#replay(Entry)] changes it.
public final class Image {
    final SortedMap<String, Dataset> datasets = new TreeMap<>();
    final SortedMap<String, Node> nodes = new TreeMap<>();
    /// Those in planning and building: few of all.
    final NavigableMap<VersionName, Version> inWork = new TreeMap<>();
    final Map<String, Version> versionsByRequest = new HashMap<>();
    final long maxShards;
    final long maxVersions;
    long nodesRevision;
    /// Of the entry by which a node, or a version with its request, was forgotten last. A decision that rests on one
    /// not being there rests on this: what was forgotten since may have been there meanwhile.
    long nodesFloor;

    long requestsFloor;
    /// Planned shards of all versions.
    long shards;
    private long revision;
    private long rejected;

    /// An image that decides plans of any size.
    public Image() {
        this(Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /// Decisions heed the limits, replay does not.
    ///
    /// @param maxShards how many shards may be planned, all versions together
    /// @param maxVersions how many versions may be known, all datasets together
    public Image(long maxShards, long maxVersions) {
        this.maxShards = maxShards;
        this.maxVersions = maxVersions;
    }

    /// Number of entries replayed.
    public long revision() {
        return revision;
    }

    /// Number of entries whose guards did not hold.
    public long rejected() {
        return rejected;
    }

    public Decision decide(Command<?> command) {
        try {
            return command.decide(this);
        } catch (TarponException e) {
            return new Decision.Refused(e);
        }
    }

    /// Applies the next entry of the log, or counts it as rejected where a guard does not hold.
    ///
    /// @throws IllegalStateException the entry says what no decision can come to: the log is not one of ours, or
    ///     this code is wrong. The image must not be used any more.
    public Replayed replay(Entry entry) {
        revision++;
        if (!guardsHold(entry)) {
            rejected++;
            return new Replayed(revision, false, List.of());
        }
        var replay = new Replay(this, revision, entry);
        entry.records().forEach(replay::apply);
        return new Replayed(revision, true, replay.events());
    }

    /// Canonical and comparable between replicas: SHA-256 in lower-case hex over the whole state.
    public String digest() {
        return ImageDigest.of(this);
    }

    /// What there is to read in it.
    public Reads reads() {
        return new Reads(this);
    }

    private boolean guardsHold(Entry entry) {
        return entry.guards().entrySet().stream()
                .allMatch(guard -> revisionOf(Entity.parse(guard.getKey())) == guard.getValue());
    }

    long revisionOf(Entity entity) {
        return switch (entity) {
            case Entity.Specification(var name) -> datasets.containsKey(name.value()) ? dataset(name).specRevision : 0;
            case Entity.Numbers(var name) -> datasets.containsKey(name.value()) ? dataset(name).numbersRevision : 0;
            case Entity.SealedVersions(var name) ->
                datasets.containsKey(name.value()) ? dataset(name).sealedRevision : 0;
            case Entity.Request(var id) -> {
                var version = versionsByRequest.get(id);
                yield version == null ? requestsFloor : version.begunRevision;
            }
            case Entity.Life(var name, var id) -> {
                var version = find(name, id);
                yield version == null ? 0 : version.lifeRevision;
            }
            case Entity.Shard(var ref) -> {
                var version = find(ref.dataset(), ref.version());
                var split = version == null ? null : version.splits.get(ref.split());
                yield version == null || split == null || ref.shard().index() >= split.shards.size()
                        ? 0
                        : version.revisionOf(split.shards.get(ref.shard().index()));
            }
            case Entity.Node(var id) -> {
                var node = nodes.get(id);
                yield node == null ? nodesFloor : node.revision;
            }
        };
    }

    Dataset dataset(DatasetName name) {
        var dataset = datasets.get(name.value());
        if (dataset == null) {
            throw new TarponException(ProblemType.UNKNOWN_DATASET, "there is no dataset " + name);
        }
        return dataset;
    }

    Version version(DatasetName name, VersionId id) {
        return dataset(name).version(id);
    }

    private @Nullable Version find(DatasetName name, VersionId id) {
        var dataset = datasets.get(name.value());
        return dataset == null ? null : dataset.find(id).orElse(null);
    }
}
