package io.tarpon.gateway;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.body.SealedShard;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.Indexes;
import io.tarpon.gateway.catalog.SplitShards;
import io.tarpon.wire.Digests;
import io.tarpon.wire.index.DaliIndex;
import io.tarpon.wire.index.Wids;
import io.tarpon.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.stream.IntStream;

/// Bodies that are made from what is known rather than read: indexes for DALI and wids, lists of URLs.
final class ListBodies {
    /// Heap for indexes in DALI's form, which loaders ask for by HEAD and GET.
    private static final long KEPT_BYTES = 8 << 20;

    private static final String TEXT = "text/plain; charset=utf-8";

    private final Indexes indexes;
    private final Executor executor;
    private final AsyncCache<String, byte[]> dali = Caffeine.newBuilder()
            .maximumWeight(KEPT_BYTES)
            .<String, byte[]>weigher((_, text) -> text.length)
            .buildAsync();

    /// @param executor makes texts, which takes a while for a large shard
    ListBodies(Indexes indexes, Executor executor) {
        this.indexes = indexes;
        this.executor = executor;
    }

    CompletableFuture<Body> idx(SealedShard shard, Instant sealedAt) {
        return dali.get(shard.indexSha256(), (_, _) -> indexes.of(shard).thenApplyAsync(DaliIndex::render, executor))
                .thenApply(text -> new Body(
                        TEXT,
                        "\"" + shard.indexSha256() + "-dali\"",
                        sealedAt,
                        true,
                        Content.of(Segment.Literal.of(text))));
    }

    CompletableFuture<Body> urls(SplitShards shards, String base, Instant sealedAt) {
        return CompletableFuture.supplyAsync(
                () -> {
                    var text = new StringBuilder();
                    for (int i = 0; i < shards.count(); i++) {
                        text.append(url(base, shards.shard(i))).append('\n');
                    }
                    return revalidated(TEXT, text.toString().getBytes(StandardCharsets.UTF_8), sealedAt);
                },
                executor);
    }

    CompletableFuture<Body> wids(SplitShards shards, String base, Instant sealedAt) {
        return CompletableFuture.supplyAsync(
                () -> {
                    var first = shards.shard(0).ref();
                    var name = first.dataset() + "/" + first.version() + "/" + first.split();
                    var list = IntStream.range(0, shards.count())
                            .mapToObj(shards::shard)
                            .map(shard -> new Wids.WidsShard(url(base, shard), shard.samples(), shard.bytes()))
                            .toList();
                    var json = Json.bytes(Wids.of(name, base + "/d/" + name, list));
                    return revalidated("application/json", json, sealedAt);
                },
                executor);
    }

    /// The absolute URL of a shard.
    static String url(String base, SealedShard shard) {
        return base + "/d/" + shard.ref().path() + ".tar";
    }

    private static Body revalidated(String type, byte[] bytes, Instant sealedAt) {
        var etag = "\"" + Digests.sha256Hex(bytes) + "\"";
        return new Body(type, etag, sealedAt, false, Content.of(Segment.Literal.of(bytes)));
    }
}
