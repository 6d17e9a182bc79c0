package io.tarpon.gateway;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.body.ListText;
import io.tarpon.gateway.body.SealedShard;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.Indexes;
import io.tarpon.gateway.catalog.SplitShards;
import io.tarpon.wire.index.DaliIndex;
import io.tarpon.wire.index.Wids;
import io.tarpon.wire.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// Bodies that are made from what is known rather than read: indexes for DALI and wids, lists of URLs.
final class ListBodies {
    /// Heap for indexes in DALI's form, which loaders ask for by HEAD and GET.
    private static final long KEPT_BYTES = 8 << 20;

    /// The same for where the parts of lists begin.
    private static final long KEPT_SHAPES = 2 << 20;

    private static final String TEXT = "text/plain; charset=utf-8";

    private final Indexes indexes;
    private final Executor executor;
    private final AsyncCache<String, byte[]> dali = Caffeine.newBuilder()
            .maximumWeight(KEPT_BYTES)
            .<String, byte[]>weigher((_, text) -> text.length)
            .buildAsync();

    private final AsyncCache<String, ListText.Shape> shapes = Caffeine.newBuilder()
            .maximumWeight(KEPT_SHAPES)
            .<String, ListText.Shape>weigher((key, shape) -> key.length() + shape.memoryBytes())
            .buildAsync();

    /// @param executor goes through texts, which takes a while for a large shard or many of them; takes so many at most
    ListBodies(Indexes indexes, Executor executor) {
        this.indexes = indexes;
        this.executor = executor;
    }

    CompletableFuture<Body> idx(SealedShard shard, Instant sealedAt) {
        return dali.get(
                        shard.indexSha256(),
                        (_, _) -> indexes.passing(shard).thenApplyAsync(DaliIndex::render, executor))
                .thenApply(text -> new Body(
                        TEXT,
                        "\"" + shard.indexSha256() + "-dali\"",
                        sealedAt,
                        true,
                        Content.of(Segment.Literal.of(text))));
    }

    /// Fails with `overloaded` where too many lists are being gone through.
    CompletableFuture<Body> urls(SplitShards shards, String base, Instant sealedAt) {
        var text = new ListText(
                new byte[0],
                shards.count(),
                i -> (url(base, shards.shard(i)) + '\n').getBytes(StandardCharsets.UTF_8),
                new byte[0]);
        return revalidated(TEXT, text, "urls " + base + " " + name(shards), sealedAt);
    }

    /// Fails with `overloaded` where too many lists are being gone through.
    CompletableFuture<Body> wids(SplitShards shards, String base, Instant sealedAt) {
        var name = name(shards);
        var empty = new String(Json.bytes(Wids.of(name, base + "/d/" + name, List.of())), StandardCharsets.UTF_8);
        var inside = empty.lastIndexOf("[]") + 1;
        var text = new ListText(
                empty.substring(0, inside).getBytes(StandardCharsets.UTF_8),
                shards.count(),
                i -> widsEntry(shards.shard(i), base, i == 0 ? "" : ","),
                empty.substring(inside).getBytes(StandardCharsets.UTF_8));
        return revalidated("application/json", text, "wids " + base + " " + name, sealedAt);
    }

    private static byte[] widsEntry(SealedShard shard, String base, String before) {
        var json = Json.bytes(new Wids.WidsShard(url(base, shard), shard.samples(), shard.bytes()));
        return (before + new String(json, StandardCharsets.UTF_8)).getBytes(StandardCharsets.UTF_8);
    }

    private static String name(SplitShards shards) {
        return shards.versionName() + "/" + shards.split();
    }

    /// The absolute URL of a shard.
    static String url(String base, SealedShard shard) {
        return base + "/d/" + shard.ref().path() + ".tar";
    }

    /// @param key of the text, which never changes behind it
    private CompletableFuture<Body> revalidated(String type, ListText text, String key, Instant sealedAt) {
        return shapes.get(key, (_, _) -> CompletableFuture.supplyAsync(text::measure, executor))
                .thenApply(shape -> new Body(type, "\"" + shape.sha256() + "\"", sealedAt, false, text.content(shape)));
    }
}
