package io.tarpon.gateway.catalog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.body.SealedShard;
import io.tarpon.wire.index.ShardIndex;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/// Finds which sample has a key. The first search passes through the shards' indexes in order, a few at a time, and
/// remembers a [KeyFilter] of each, so that later ones open about one in a hundred.
///
/// Threads: any.
public final class KeySearch {
    private static final int AT_ONCE = 4;

    private final Indexes indexes;
    private final Cache<String, KeyFilter> filters;

    public KeySearch(Indexes indexes, long maxBytes) {
        this.indexes = indexes;
        this.filters = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .<String, KeyFilter>weigher((_, filter) -> filter.memoryBytes())
                .build();
    }

    /// The sample's ordinal in the split; empty where no shard of it has the key.
    public CompletableFuture<Optional<Long>> find(SplitShards shards, String key) {
        return from(shards, key, 0);
    }

    /// The ordinals, in the split, of those of the keys that it has. Passes through each shard's index at most
    /// once, a few at a time, until all keys are found. Blocks; not on a thread that loads indexes. Fails with a
    /// [java.util.concurrent.CompletionException].
    public Map<String, Long> findAll(SplitShards shards, Set<String> keys) {
        var sought = new SoughtKeys(keys);
        int next = 0;
        while (next < shards.count() && !sought.isEmpty()) {
            Map<Integer, CompletableFuture<ShardIndex>> batch = new LinkedHashMap<>();
            while (next < shards.count() && batch.size() < AT_ONCE) {
                var shard = shards.shard(next);
                var filter = filters.getIfPresent(shard.indexSha256());
                if (filter == null || sought.mayBeIn(filter)) {
                    batch.put(next, indexes.passing(shard));
                }
                next++;
            }
            batch.forEach((number, asked) -> {
                var index = asked.join();
                var filter = filters.get(shards.shard(number).indexSha256(), _ -> KeyFilter.of(index));
                sought.find(filter, index, shards.firstSample(number));
            });
        }
        return sought.found();
    }

    private CompletableFuture<Optional<Long>> from(SplitShards shards, String key, int first) {
        List<CompletableFuture<Optional<Long>>> batch = new ArrayList<>();
        int next = first;
        while (next < shards.count() && batch.size() < AT_ONCE) {
            var shard = shards.shard(next);
            var filter = filters.getIfPresent(shard.indexSha256());
            if (filter == null || filter.mayHave(key)) {
                batch.add(in(shard, shards.firstSample(next), key, filter == null));
            }
            next++;
        }
        if (batch.isEmpty()) {
            return CompletableFuture.completedFuture(Optional.empty());
        }
        var rest = next;
        return CompletableFuture.allOf(batch.toArray(CompletableFuture[]::new))

                // On another thread: a run of indexes at hand must not become a deep stack.
                .thenComposeAsync(_ -> batch.stream()
                        .map(CompletableFuture::join)
                        .filter(Optional::isPresent)
                        .findFirst()
                        .map(CompletableFuture::completedFuture)
                        .orElseGet(() -> from(shards, key, rest)));
    }

    /// @param isFirst whether the shard is looked at for the first time: then nothing is known of what it has
    private CompletableFuture<Optional<Long>> in(SealedShard shard, long firstSample, String key, boolean isFirst) {
        var asked = isFirst ? indexes.passing(shard) : indexes.kept(shard);
        return asked.thenApply(index -> {
            if (isFirst) {
                filters.put(shard.indexSha256(), KeyFilter.of(index));
            }
            var sample = index.find(key);
            if (sample.isEmpty()) {
                return Optional.empty();
            }
            if (isFirst) {
                // Its layout is taken out of it next.
                indexes.keep(shard, index);
            }
            return Optional.of(firstSample + sample.getAsInt());
        });
    }
}
