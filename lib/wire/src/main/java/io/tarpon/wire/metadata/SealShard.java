package io.tarpon.wire.metadata;

import io.tarpon.wire.Digests;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// What shard-fn found a finished shard to be.
///
/// @param planSha256 of the plan it was built from
/// @param sha256 of the tar; `crc32c` of the tar
/// @param indexSha256 of the canonical binary index
/// @param fields samples and bytes by extension
/// @param blocks ordinal, inside the shard, of each block's first sample
public record SealShard(
        String planSha256,
        long samples,
        long bytes,
        String sha256,
        String crc32c,
        long indexBytes,
        String indexSha256,
        SortedMap<String, FieldTotals> fields,
        List<Integer> blocks) {
    public SealShard {
        Digests.requireSha256("planSha256", planSha256);
        Digests.requireSha256("sha256", sha256);
        Digests.requireCrc32c("crc32c", crc32c);
        Digests.requireSha256("indexSha256", indexSha256);
        fields = java.util.Collections.unmodifiableSortedMap(new TreeMap<>(fields));
        blocks = List.copyOf(blocks);
        if (samples < 1 || bytes < 1 || indexBytes < 1 || blocks.isEmpty()) {
            throw new IllegalArgumentException("a shard has at least one sample, byte, index byte and block");
        }
    }
}
