package io.tarpon.wire.metadata;

import io.tarpon.wire.SplitName;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One split of a version, in sum. Samples and bytes are as planned until the version is sealed, which proves them.
///
/// @param digest SHA-256 over its shards' digests in order; null until every shard is sealed
/// @param sealedShards,sealedBytes how far building has come
public record SplitRecord(
        SplitName name,
        @Nullable String digest,
        long samples,
        long bytes,
        int shards,
        int sealedShards,
        long sealedBytes,
        SortedMap<String, FieldTotals> fields) {
    public SplitRecord {
        fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
    }
}
