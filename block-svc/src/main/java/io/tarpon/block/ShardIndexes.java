package io.tarpon.block;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.index.ShardIndexFormat;
import io.tarpon.wire.metadata.SealShard;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/// What the blocks of sealed shards must be: each shard's index, checked against its seal, of which only the block
/// table is kept, in bounded memory. Sealed shards never change, so nothing kept can be stale. Blocking; a shard is
/// loaded once at a time.
public final class ShardIndexes {
    private static final Logger LOG = Logger.getLogger(ShardIndexes.class);
    private static final int BYTES_OF_A_PLAN = 192;

    private final MetadataClient metadata;
    private final ObjectStore store;
    private final int maxIndexBytes;
    private final Cache<ShardRef, List<BlockPlan>> tables;

    /// @param cacheBytes memory for block tables
    /// @param maxIndexBytes of the largest index that is read
    public ShardIndexes(MetadataClient metadata, ObjectStore store, long cacheBytes, int maxIndexBytes) {
        this.metadata = metadata;
        this.store = store;
        this.maxIndexBytes = maxIndexBytes;
        this.tables = Caffeine.newBuilder()
                .maximumWeight(cacheBytes)
                .weigher((ShardRef shard, List<BlockPlan> blocks) -> weight(blocks))
                .build();
    }

    /// What the block of a request must be.
    ///
    /// @throws TarponException `not-found` where the shard has no such block or its id is another; what
    ///     metadata-svc refuses; `not-ready` where it does not answer; `storage-unavailable` where the index cannot
    ///     be had
    BlockPlan plan(BlockRequest request) {
        var blocks = tables.get(request.shard(), this::load);
        if (request.number() >= blocks.size()) {
            throw new TarponException(
                    ProblemType.NOT_FOUND,
                    "shard " + request.shard() + " has " + blocks.size() + " blocks, none is number "
                            + request.number());
        }
        var plan = blocks.get(request.number());
        if (!plan.header().id().equals(request.id())) {
            throw new TarponException(
                    ProblemType.NOT_FOUND,
                    "block " + request.number() + " of shard " + request.shard() + " is "
                            + plan.header().id() + ", not " + request.id());
        }
        return plan;
    }

    private List<BlockPlan> load(ShardRef shard) {
        var index = index(shard, seal(shard));
        return IntStream.range(0, index.blockCount())
                .mapToObj(number -> new BlockPlan(
                        BlockFileHeader.of(index, number),
                        shard,
                        number,
                        index.block(number).offset()))
                .toList();
    }

    private SealShard seal(ShardRef shard) {
        try {
            var seal = metadata.shard(shard).seal();
            if (seal == null) {
                throw new TarponException(
                        ProblemType.VERSION_NOT_SEALED, "shard " + shard + " is not built yet; wait for its seal");
            }
            return seal;
        } catch (IOException e) {
            throw new TarponException(
                    ProblemType.NOT_READY, "what block this is cannot be asked now: " + e.getMessage(), e);
        }
    }

    private ShardIndex index(ShardRef shard, SealShard seal) {
        var key = ObjectKeys.index(shard);
        try {
            var bytes = store.read(key, maxIndexBytes);
            if (!Digests.sha256Hex(bytes).equals(seal.indexSha256())) {
                throw new IOException("its SHA-256 is not what the shard was sealed with");
            }
            var index = ShardIndexFormat.decode(key, bytes);
            if (!index.shardSha256().equals(seal.sha256())) {
                throw new IOException("it is the index of another shard");
            }
            return index;
        } catch (IOException e) {
            LOG.errorf("shard index cannot be used key=%s reason=%s", key, e.getMessage());
            throw new TarponException(
                    ProblemType.STORAGE_UNAVAILABLE, "index " + key + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static int weight(List<BlockPlan> blocks) {
        var bytes = 0L;
        for (var block : blocks) {
            bytes += BYTES_OF_A_PLAN + (long) block.header().subBlockCount() * Integer.BYTES;
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }
}
