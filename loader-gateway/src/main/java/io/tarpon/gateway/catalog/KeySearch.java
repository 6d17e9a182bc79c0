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

/// Finds the shard that holds a key. The first search passes through the shards' indexes in order, a few at a time, and
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

    /// A sample that was found.
    ///
    /// @param sample ordinal inside the shard
    public record Found(SealedShard shard, ShardIndex index, int sample) {}

    /// Empty where no shard of the split has the key.
    public CompletableFuture<Optional<Found>> find(SplitShards shards, String key) {
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

    private CompletableFuture<Optional<Found>> from(SplitShards shards, String key, int first) {
        List<CompletableFuture<Optional<Found>>> batch = new ArrayList<>();
        int next = first;
        while (next < shards.count() && batch.size() < AT_ONCE) {
            var shard = shards.shard(next++);
            var filter = filters.getIfPresent(shard.indexSha256());
            if (filter == null || filter.mayHave(key)) {
                batch.add(in(shard, key, filter == null));
            }
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

    private CompletableFuture<Optional<Found>> in(SealedShard shard, String key, boolean remember) {
        var asked = remember ? indexes.passing(shard) : indexes.of(shard);
        return asked.thenApply(index -> {
            if (remember) {
                filters.put(shard.indexSha256(), KeyFilter.of(index));
            }
            var sample = index.find(key);
            return sample.isPresent() ? Optional.of(new Found(shard, index, sample.getAsInt())) : Optional.empty();
        });
    }
}
