package io.tarpon.gateway.catalog;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// The shards of sealed splits, asked for once, page by page, and kept up to a number of bytes. They never change.
///
/// Threads: any. One list is loaded once, whoever waits for it.
public final class ShardLists {
    private static final int PAGE = 1_000;

    private final MetadataClient metadata;
    private final Executor executor;
    private final AsyncCache<Key, SplitShards> lists;

    public ShardLists(MetadataClient metadata, Executor executor, long maxBytes) {
        this.metadata = metadata;
        this.executor = executor;
        this.lists = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .<Key, SplitShards>weigher((_, list) -> (int) Math.min(Integer.MAX_VALUE, list.memoryBytes()))
                .buildAsync();
    }

    private record Key(DatasetName dataset, VersionId version, SplitName split) {}

    /// Fails with `unknown-split`, or `not-ready` where metadata-svc does not answer.
    ///
    /// @param version a sealed one
    public CompletableFuture<SplitShards> of(VersionRecord version, SplitName split) {
        for (var record : version.splits()) {
            if (record.name().equals(split)) {
                var key = new Key(version.dataset(), version.version(), split);
                return lists.get(
                        key, (_, _) -> Answers.of(executor, ProblemType.NOT_READY, () -> load(version, record)));
            }
        }
        return CompletableFuture.failedFuture(unknown(version, split));
    }

    private SplitShards load(VersionRecord version, SplitRecord split) throws IOException {
        var builder = new SplitShards.Builder(version, split.name(), split.shards());
        Optional<ShardName> after = Optional.empty();
        do {
            var page = metadata.shards(version.dataset(), version.version(), split.name(), after, PAGE);
            page.shards().forEach(builder::add);
            after = Optional.ofNullable(page.next());
        } while (after.isPresent());
        return builder.build();
    }

    private static TarponException unknown(VersionRecord version, SplitName split) {
        var names = version.splits().stream().map(s -> s.name().value()).toList();
        return new TarponException(
                ProblemType.UNKNOWN_SPLIT,
                version.dataset() + "/" + version.version() + " has no split '" + split + "'; it has "
                        + String.join(", ", names));
    }
}
