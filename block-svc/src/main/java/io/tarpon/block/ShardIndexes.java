package io.tarpon.block;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.index.ShardIndexFormat;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/// What the blocks of sealed shards must be: each shard's index, checked against its seal, of which only the block
/// table is kept, in bounded memory. Blocking; a shard is loaded once at a time.
///
/// Tables are kept by place and digest, so that versions which share a shard share its table, too. A shard of a
/// version that failed and was tried again may have been sealed twice, with other content: so metadata-svc is asked
/// anew before a block id that does not fit what is remembered is refused. Where its answer does not fit either, that
/// replica may be behind the one that told who asks us: then the log's end decides.
public final class ShardIndexes {
    private static final Logger LOG = Logger.getLogger(ShardIndexes.class);
    private static final int BYTES_OF_A_PLACE = 192;
    private static final int BYTES_OF_A_SHARD = 700;

    private final MetadataClient metadata;
    private final ObjectStore store;
    private final int maxIndexBytes;
    private final Cache<ShardRef, Sealed> shards;
    private final Cache<Sealed, List<Place>> tables;

    /// @param cacheBytes memory for block tables; what is remembered of shards takes a quarter more
    /// @param maxIndexBytes of the largest index that is read
    public ShardIndexes(MetadataClient metadata, ObjectStore store, long cacheBytes, int maxIndexBytes) {
        this.metadata = metadata;
        this.store = store;
        this.maxIndexBytes = maxIndexBytes;
        this.shards = Caffeine.newBuilder()
                .maximumSize(Math.max(1, cacheBytes / 4 / BYTES_OF_A_SHARD))
                .build();
        this.tables = Caffeine.newBuilder()
                .maximumWeight(cacheBytes)
                .weigher((Sealed shard, List<Place> blocks) -> weight(blocks))
                .build();
    }

    /// What the block of a request must be.
    ///
    /// @throws TarponException `not-found` where the shard has no such block or its id is another; what
    ///     metadata-svc refuses; `not-ready` where it does not answer; `storage-unavailable` where the index cannot
    ///     be had
    BlockPlan plan(BlockRequest request) {
        var known = Optional.ofNullable(shards.getIfPresent(request.shard()));
        return known.flatMap(content -> find(request, content)).orElseGet(() -> planAsSealedNow(request));
    }

    /// The same where nobody need be asked; empty where it is not known, or does not fit.
    Optional<BlockPlan> known(BlockRequest request) {
        return Optional.ofNullable(shards.getIfPresent(request.shard()))
                .flatMap(content -> Optional.ofNullable(tables.getIfPresent(content))
                        .flatMap(blocks -> find(request, content, blocks)));
    }

    private BlockPlan planAsSealedNow(BlockRequest request) {
        return sealed(request.shard(), metadata)
                .flatMap(content -> remembered(request, content))
                .orElseGet(() -> planAsSealedAtTheEnd(request));
    }

    private BlockPlan planAsSealedAtTheEnd(BlockRequest request) {
        var content = sealed(request.shard(), metadata.upToDate())
                .orElseThrow(() -> new TarponException(
                        ProblemType.VERSION_NOT_SEALED,
                        "shard " + request.shard() + " is not built yet; wait for its seal"));
        return remembered(request, content)
                .orElseThrow(() -> new TarponException(
                        ProblemType.NOT_FOUND,
                        "shard " + request.shard() + " has " + table(content).size() + " blocks, and block "
                                + request.number() + " is not " + request.id()));
    }

    private Optional<BlockPlan> remembered(BlockRequest request, Sealed content) {
        shards.put(request.shard(), content);
        return find(request, content);
    }

    private Optional<BlockPlan> find(BlockRequest request, Sealed content) {
        return find(request, content, table(content));
    }

    private static Optional<BlockPlan> find(BlockRequest request, Sealed content, List<Place> blocks) {
        if (request.number() >= blocks.size()) {
            return Optional.empty();
        }
        var place = blocks.get(request.number());
        if (!place.header().id().equals(request.id())) {
            return Optional.empty();
        }
        return Optional.of(new BlockPlan(
                place.header(), request.shard(), content.tarKey(), request.number(), place.shardOffset()));
    }

    private List<Place> table(Sealed content) {
        return tables.get(content, this::load);
    }

    private List<Place> load(Sealed content) {
        var index = index(content);
        return IntStream.range(0, index.blockCount())
                .mapToObj(number -> new Place(
                        BlockFileHeader.of(index.layout(), number),
                        index.block(number).offset()))
                .toList();
    }

    private static Optional<Sealed> sealed(ShardRef shard, MetadataClient by) {
        try {
            var record = by.shard(shard);
            return Optional.ofNullable(record.seal())
                    .map(seal -> new Sealed(
                            record.tarKey(shard), record.indexKey(shard), seal.sha256(), seal.indexSha256()));
        } catch (IOException e) {
            throw new TarponException(
                    ProblemType.NOT_READY, "what block this is cannot be asked now: " + e.getMessage(), e);
        }
    }

    private ShardIndex index(Sealed content) {
        var key = content.indexKey();
        try {
            var bytes = store.read(key, maxIndexBytes);
            if (!Digests.sha256Hex(bytes).equals(content.indexSha256())) {
                throw new IOException("its SHA-256 is not what the shard was sealed with");
            }
            var index = ShardIndexFormat.decode(key, bytes);
            if (!index.shardSha256().equals(content.sha256())) {
                throw new IOException("it is the index of another shard");
            }
            return index;
        } catch (IOException e) {
            LOG.errorf("shard index cannot be used key=%s reason=%s", key, e.getMessage());
            throw new TarponException(
                    ProblemType.STORAGE_UNAVAILABLE, "index " + key + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static int weight(List<Place> blocks) {
        var bytes = 0L;
        for (var block : blocks) {
            bytes += BYTES_OF_A_PLACE + (long) block.header().subBlockCount() * Integer.BYTES;
        }
        return (int) Math.min(bytes, Integer.MAX_VALUE);
    }

    /// What a shard was sealed as.
    ///
    /// @param tarKey where it lies in the store, as its record names it; so `indexKey`
    private record Sealed(String tarKey, String indexKey, String sha256, String indexSha256) {}

    /// A block and where it begins in its shard.
    private record Place(BlockFileHeader header, long shardOffset) {}
}
