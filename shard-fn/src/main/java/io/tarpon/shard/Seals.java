package io.tarpon.shard;

import io.tarpon.wire.Digests;
import io.tarpon.wire.index.Block;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.SealShard;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// What metadata-svc keeps of a finished shard, taken from its index.
final class Seals {
    private Seals() {}

    /// @param attempt under whose keys it lies
    static SealShard of(String planSha256, String attempt, ShardIndex index, byte[] indexBytes) {
        var fields = new TreeMap<String, FieldTotals>();
        for (var extension : index.extensions()) {
            fields.put(extension.extension(), new FieldTotals(extension.samples(), extension.bytes()));
        }
        var blocks = IntStream.range(0, index.blockCount())
                .mapToObj(index::block)
                .map(Block::firstSample)
                .toList();
        return new SealShard(
                planSha256,
                index.sampleCount(),
                index.shardBytes(),
                index.shardSha256(),
                Digests.crc32cHex(index.shardCrc32c()),
                indexBytes.length,
                Digests.sha256Hex(indexBytes),
                fields,
                blocks,
                attempt);
    }
}
