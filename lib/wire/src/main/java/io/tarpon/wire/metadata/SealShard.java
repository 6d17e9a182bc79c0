package io.tarpon.wire.metadata;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// What shard-fn found a finished shard to be.
///
/// @param planSha256 of the plan it was built from
/// @param sha256 of the tar; `crc32c` of the tar
/// @param indexSha256 of the canonical binary index
/// @param fields samples and bytes by extension
/// @param blocks ordinal, inside the shard, of each block's first sample
/// @param attempt that wrote tar and index, as it stands in their keys ([ObjectKeys]); null in seals from before there
/// were any
public record SealShard(
        String planSha256,
        long samples,
        long bytes,
        String sha256,
        String crc32c,
        long indexBytes,
        String indexSha256,
        SortedMap<String, FieldTotals> fields,
        List<Integer> blocks,
        @JsonSetter(nulls = Nulls.SET) @Nullable String attempt) {
    public SealShard {
        Digests.requireSha256("planSha256", planSha256);
        Digests.requireSha256("sha256", sha256);
        Digests.requireCrc32c("crc32c", crc32c);
        Digests.requireSha256("indexSha256", indexSha256);
        ObjectKeys.requireName("attempt", attempt);
        fields = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(fields));
        blocks = List.copyOf(blocks);
        if (samples < 1 || bytes < 1 || indexBytes < 1 || blocks.isEmpty()) {
            throw new IllegalArgumentException("a shard has at least one sample, byte, index byte and block");
        }
    }

    /// What lies under the shard's own keys.
    public SealShard(
            String planSha256,
            long samples,
            long bytes,
            String sha256,
            String crc32c,
            long indexBytes,
            String indexSha256,
            SortedMap<String, FieldTotals> fields,
            List<Integer> blocks) {
        this(planSha256, samples, bytes, sha256, crc32c, indexBytes, indexSha256, fields, blocks, null);
    }

    /// Whether it is the same shard, whichever attempt wrote it.
    public boolean hasBytesOf(SealShard other) {
        return by(null).equals(other.by(null));
    }

    /// The same as another attempt wrote it.
    public SealShard by(@Nullable String other) {
        return new SealShard(
                planSha256, samples, bytes, sha256, crc32c, indexBytes, indexSha256, fields, blocks, other);
    }
}
