package io.tarpon.metadata.sequential;

import io.tarpon.wire.SplitName;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One version as the model knows it.
///
/// @param retried it is in work because it failed and was retried
/// @param earlier what was sealed before it failed, while it is planned anew
record KnownVersion(
        int number,
        String requestId,
        DatasetSpec spec,
        VersionState state,
        int parent,
        int sameAs,
        @Nullable String planDigest,
        boolean retried,
        boolean collected,
        Map<SplitName, List<View.Shard>> splits,
        Map<SplitName, List<View.Shard>> earlier) {
    /// Instead of a version's number.
    static final int NONE = 0;

    static KnownVersion begun(int number, String requestId, DatasetSpec spec, int parent) {
        return new KnownVersion(
                number, requestId, spec, VersionState.PLANNING, parent, NONE, null, false, false, Map.of(), Map.of());
    }

    boolean isSealed() {
        return state == VersionState.SEALED;
    }

    boolean isRemoved() {
        return state == VersionState.REMOVED;
    }

    KnownVersion planned(String digest, Map<SplitName, List<View.Shard>> shards) {
        return new KnownVersion(
                        number,
                        requestId,
                        spec,
                        VersionState.BUILDING,
                        parent,
                        sameAs,
                        digest,
                        retried,
                        collected,
                        shards,
                        Map.of())
                .sealedIfWhole();
    }

    /// Its plan is another version's.
    KnownVersion sameAs(String digest, int other) {
        return new KnownVersion(
                number,
                requestId,
                spec,
                VersionState.REMOVED,
                parent,
                other,
                digest,
                retried,
                collected,
                splits,
                Map.of());
    }

    KnownVersion sealed(SplitName split, int index, String content) {
        var shards = new ArrayList<>(splits.get(split));
        shards.set(index, new View.Shard(content, NONE));
        var changed = new LinkedHashMap<>(splits);
        changed.put(split, List.copyOf(shards));
        return with(state, planDigest, changed, earlier).sealedIfWhole();
    }

    private KnownVersion sealedIfWhole() {
        return splits.values().stream().flatMap(List::stream).allMatch(View.Shard::isSealed)
                ? with(VersionState.SEALED, planDigest, splits, earlier)
                : this;
    }

    KnownVersion failed(@Nullable String digest) {
        return with(VersionState.FAILED, digest, splits, earlier);
    }

    KnownVersion removed() {
        return with(VersionState.REMOVED, planDigest, splits, Map.of());
    }

    KnownVersion retried(int growsFrom) {
        return new KnownVersion(
                number,
                requestId,
                spec,
                VersionState.PLANNING,
                growsFrom,
                sameAs,
                null,
                true,
                collected,
                Map.of(),
                splits.isEmpty() ? earlier : splits);
    }

    KnownVersion whoseShardsAreGone() {
        return new KnownVersion(
                number, requestId, spec, state, parent, sameAs, planDigest, retried, true, splits, earlier);
    }

    private KnownVersion with(
            VersionState now,
            @Nullable String digest,
            Map<SplitName, List<View.Shard>> shards,
            Map<SplitName, List<View.Shard>> before) {
        return new KnownVersion(
                number, requestId, spec, now, parent, sameAs, digest, retried, collected, shards, before);
    }

    /// Whether any of its shards lies under the keys of that version.
    boolean uses(int other) {
        return Stream.of(splits, earlier)
                .flatMap(shards -> shards.values().stream())
                .flatMap(List::stream)
                .anyMatch(shard -> shard.home() == other);
    }

    View.Version view() {
        var counts = splits.entrySet().stream()
                .map(split -> new View.Split(split.getKey(), split.getValue().size(), (int)
                        split.getValue().stream().filter(View.Shard::isSealed).count()))
                .toList();
        return new View.Version(number, requestId, spec, state, parent, sameAs, planDigest, counts);
    }
}
