package io.tarpon.metadata.image;

import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// What an image knows of removed versions and of those who still use their shards, as copies that outlive it.
///
/// A removed version never comes back, and whoever uses a shard of it later does so through a version that uses it
/// already. So of the versions that [#removed()] named, nothing is used that a later [#homesInUse(Set)] does not name.
public final class Remains {
    private final Image image;

    Remains(Image image) {
        this.image = image;
    }

    /// @param at when it was removed, or collected
    /// @param childInWork a version in work whose parent it is; null where there is none
    public record Removed(
            VersionName name,
            Instant at,
            boolean collected,
            @Nullable VersionName childInWork) {}

    /// One sealed shard's bytes.
    public record Content(String sha256, int blocks) {}

    public List<Removed> removed() {
        var removed = new ArrayList<Removed>();
        for (var dataset : image.datasets.values()) {
            var parents = parentsOfVersionsInWork(dataset);
            for (var version : dataset.versions.values()) {
                if (version.state == VersionState.REMOVED) {
                    removed.add(
                            new Removed(name(version), version.livedAt, version.collected, parents.get(version.id)));
                }
            }
        }
        return removed;
    }

    /// Every removed version that is not collected.
    public List<VersionName> uncollectedRemoved() {
        return versions()
                .filter(version -> version.state == VersionState.REMOVED && !version.collected)
                .map(Version::name)
                .toList();
    }

    private static Map<VersionId, VersionName> parentsOfVersionsInWork(Dataset dataset) {
        var parents = new HashMap<VersionId, VersionName>();
        for (var version : dataset.versions.values()) {
            if (!version.state.isEnd() && version.parent != null) {
                parents.putIfAbsent(version.parent, name(version));
            }
        }
        return parents;
    }

    /// Shards of `doomed` versions that others lie as, each with one of those.
    public Map<ShardRef, VersionName> homesInUse(Set<VersionName> doomed) {
        var homes = new HashMap<ShardRef, VersionName>();
        versions()
                .filter(version -> !version.collected && !doomed.contains(name(version)))
                .filter(version -> doomed.stream()
                        .anyMatch(other -> other.dataset().equals(version.dataset) && version.uses(other.version())))
                .forEach(version -> version.forEachHome(home -> {
                    if (doomed.contains(VersionName.of(home))) {
                        homes.putIfAbsent(home, name(version));
                    }
                }));
        return homes;
    }

    /// Every sealed version: what its records name is fixed, until it is removed.
    public Set<VersionName> sealed() {
        return versions()
                .filter(version -> version.state == VersionState.SEALED)
                .map(Remains::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /// Where the objects of these shards lie, which are sealed: plan, tar and index of each. None of a version that was
    /// collected: nothing of it lies anywhere, though one that goes with it may still be left.
    public Set<String> keys(Set<ShardRef> shards) {
        var keys = new HashSet<String>();
        for (var ref : shards) {
            image.dataset(ref.dataset())
                    .find(ref.version())
                    .filter(version -> !version.collected)
                    .ifPresent(
                            version -> keys.addAll(keys(ref, version.shard(ref).record(ref.shard()))));
        }
        return keys;
    }

    /// Whether the object of this key is that of a shard's record, which lies under its own keys.
    public boolean isNamed(String key) {
        return ObjectKeys.shard(key)
                .filter(ref -> image.version(ref.dataset(), ref.version())
                        .findShard(ref.split(), ref.shard())
                        .filter(shard -> shard.home() == null
                                && keys(ref, shard.record(ref.shard())).contains(key))
                        .isPresent())
                .isPresent();
    }

    private static List<String> keys(ShardRef ref, ShardRecord record) {
        return List.of(record.planKey(ref), record.tarKey(ref), record.indexKey(ref));
    }

    /// Every version that may hold shards: all but those collected.
    public List<VersionName> uncollected() {
        return versions()
                .filter(version -> !version.collected)
                .map(Remains::name)
                .toList();
    }

    /// The sealed shards among `limit` shards of a version, from number `from` on, counted through its splits; none
    /// beyond its last shard, which `from` is then not below.
    public Page contents(VersionName name, int from, int limit) {
        var contents = new ArrayList<Content>();
        var version = image.version(name.dataset(), name.version());
        var number = 0;
        for (var split : version.splits.values()) {
            var end = from + limit - number;
            if (from < number + split.shardCount() && end > 0) {
                split.scan(Math.max(0, from - number), (index, shard) -> {
                    if (index < end && shard.isSealed()) {
                        var seal = shard.record(new ShardName(index)).sealed();
                        contents.add(new Content(seal.sha256(), seal.blocks().size()));
                    }
                    return index + 1 < end;
                });
            }
            number += split.shardCount();
        }
        return new Page(contents, !version.collected && number > from + limit);
    }

    /// @param more whether there are shards beyond
    public record Page(List<Content> contents, boolean more) {
        public Page {
            contents = List.copyOf(contents);
        }
    }

    private Stream<Version> versions() {
        return image.datasets.values().stream().flatMap(dataset -> dataset.versions.values().stream());
    }

    private static VersionName name(Version version) {
        return new VersionName(version.dataset, version.id);
    }
}
