package io.tarpon.metadata.sequential;

import io.tarpon.wire.SplitName;
import io.tarpon.wire.metadata.DatasetSpec;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One dataset as the model knows it.
///
/// @param exists it was registered once, or a version of it begun
/// @param lastNumber of the version that was begun last
record KnownDataset(
        boolean exists, @Nullable DatasetSpec spec, int lastNumber, NavigableMap<Integer, KnownVersion> versions) {
    static final KnownDataset UNKNOWN = new KnownDataset(false, null, KnownVersion.NONE, new TreeMap<>());

    KnownDataset {
        versions = Collections.unmodifiableNavigableMap(versions);
    }

    KnownDataset with(@Nullable DatasetSpec other) {
        return new KnownDataset(true, other, lastNumber, versions);
    }

    KnownDataset with(KnownVersion version) {
        var changed = new TreeMap<>(versions);
        changed.put(version.number(), version);
        return new KnownDataset(true, spec, Math.max(lastNumber, version.number()), changed);
    }

    KnownDataset without(int version) {
        var changed = new TreeMap<>(versions);
        changed.remove(version);
        return new KnownDataset(true, spec, lastNumber, changed);
    }

    /// The highest sealed version.
    int latest() {
        return latestBefore(Integer.MAX_VALUE);
    }

    int latestBefore(int number) {
        return versions.headMap(number, false).descendingMap().values().stream()
                .filter(KnownVersion::isSealed)
                .mapToInt(KnownVersion::number)
                .findFirst()
                .orElse(KnownVersion.NONE);
    }

    boolean hasSealed(int number) {
        var version = versions.get(number);
        return version != null && version.isSealed();
    }

    View.Shards shards() {
        var shards = new TreeMap<Integer, Map<SplitName, List<View.Shard>>>();
        versions.values().stream()
                .filter(version -> !version.isRemoved())
                .forEach(version -> shards.put(version.number(), version.splits()));
        return new View.Shards(shards);
    }

    View.Dataset view() {
        return new View.Dataset(
                spec,
                latest(),
                versions.values().stream().map(KnownVersion::view).toList());
    }
}
