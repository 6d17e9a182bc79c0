package io.tarpon.wire.gateway;

import io.tarpon.wire.metadata.ShardRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `GET /v1/datasets/{d}/{v}/{split}/shards` (contracts section 2).
public record ShardsDocument(List<Shard> shards, @Nullable String next) {

    /// One shard; the digests are null until it is sealed.
    public record Shard(
            String name,
            String url,
            long samples,
            long bytes,
            @Nullable String sha256,
            @Nullable String crc32c,
            List<Integer> blocks) {
        public static Shard of(ShardRecord shard, String url) {
            var seal = shard.seal();
            return new Shard(
                    shard.name().toString(),
                    url,
                    shard.samples(),
                    shard.bytes(),
                    seal == null ? null : seal.sha256(),
                    seal == null ? null : seal.crc32c(),
                    shard.blocks());
        }
    }
}
