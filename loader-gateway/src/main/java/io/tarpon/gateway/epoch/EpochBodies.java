package io.tarpon.gateway.epoch;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.catalog.Projection;
import io.tarpon.gateway.catalog.SealedSplit;
import io.tarpon.gateway.catalog.SplitLayout;
import io.tarpon.gateway.catalog.SplitLayouts;
import io.tarpon.gateway.order.EpochOrder;
import io.tarpon.gateway.order.EpochSeed;
import io.tarpon.gateway.order.Partition;
import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.order.Shuffle;
import io.tarpon.wire.Digests;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// From one rank's or worker's part of an epoch to the body that is its tar.
///
/// Threads: any; nothing blocks.
public final class EpochBodies {
    private static final String TAR = "application/x-tar";
    private static final int ETAG_DIGITS = 32;
    private static final int PROJECTIONS = 1_000;

    private final SplitLayouts layouts;
    private final EpochPlans plans;
    private final Executor executor;

    /// The bytes of a split's projections, by digest and fields.
    private final AsyncCache<String, Long> lengths =
            Caffeine.newBuilder().maximumSize(PROJECTIONS).buildAsync();

    /// @param executor computes for seconds, where a split is large
    public EpochBodies(SplitLayouts layouts, EpochPlans plans, Executor executor) {
        this.layouts = layouts;
        this.plans = plans;
        this.executor = executor;
    }

    /// What is asked for, beside the split.
    record Ask(long seed, long epoch, Share share, Shuffle shuffle, Projection projection) {
        /// Names all that the bytes depend on beside the split and the order's algorithm.
        String canonical() {
            return seed + " " + epoch + " " + shuffle.wireName() + " start=" + share.start() + " count=" + share.count()
                    + " tail=" + share.tail().wireName() + " batch=" + share.batch() + " " + share.rank() + "of"
                    + share.world() + " " + share.worker() + "of" + share.workers() + " "
                    + String.join(",", projection.fields());
        }
    }

    /// Fails with `bad-parameter` for what the split does not have, with `not-ready` for what takes its time.
    ///
    /// @param fromStart whether only a read from the first byte on is meant, which needs less
    CompletableFuture<Body> open(SealedSplit split, Ask ask, boolean fromStart) {
        requireOrder(split);
        ask.projection.requireIn(split);
        var partition = new Partition(ask.share, split.shards().samples());
        var body = layouts.of(split.shards())
                .thenCompose(layout -> length(split, layout, ask.projection)
                        .thenCompose(length -> body(layout, split, ask, partition, fromStart ? length : -1)));
        return plans.inTime(etag(split, ask, ""), body);
    }

    /// Whatever the bytes depend on is in it, so that a range of one body is never joined to another's. Samples in the
    /// order of their blocks depend on where blocks were cut, too, which the split's digest does not say.
    ///
    /// @param cut of the blocks, where that counts
    private static String etag(SealedSplit split, Ask ask, String cut) {
        var all = EpochOrder.ALGORITHM + " " + split.digest() + " " + ask.canonical() + cut;
        var digest = Digests.sha256Hex(all.getBytes(StandardCharsets.UTF_8));
        return "\"" + digest.substring(0, ETAG_DIGITS) + "\"";
    }

    private CompletableFuture<Body> body(
            SplitLayout layout, SealedSplit split, Ask ask, Partition partition, long length) {
        var etag = etag(split, ask, ask.shuffle == Shuffle.BLOCK ? layout.blockCut() : "");
        return content(layout, split, ask, partition, etag, length)
                .thenApply(content -> new Body(TAR, etag, split.sealedAt(), true, headers(split, partition), content));
    }

    /// @param length of all samples, where that may stand for sums; or -1
    private CompletableFuture<Content> content(
            SplitLayout layout, SealedSplit split, Ask ask, Partition partition, String etag, long length) {
        return switch (ask.shuffle) {
            case GLOBAL, NONE -> content(orderedBytes(layout, split, ask, partition), layout, partition, etag, length);
            // A pass over all shards or blocks, which an event loop has no time for.
            case SHARD, BLOCK ->
                CompletableFuture.supplyAsync(() -> orderedBytes(layout, split, ask, partition), executor)
                        .thenCompose(bytes -> content(bytes, layout, partition, etag, length));
        };
    }

    private static EpochBytes orderedBytes(SplitLayout layout, SealedSplit split, Ask ask, Partition partition) {
        return new EpochBytes(
                layout, ask.projection, order(layout, split, ask.seed, ask.epoch, ask.shuffle), partition);
    }

    private CompletableFuture<Content> content(
            EpochBytes bytes, SplitLayout layout, Partition partition, String etag, long length) {
        var isWhole = partition.samples() == layout.samples() && partition.padded() == 0;
        if (isWhole && length >= 0) {
            return CompletableFuture.completedFuture(bytes.contentFromStart(length));
        }
        return plans.of(etag, bytes).thenApply(bytes::content);
    }

    static EpochOrder order(SplitLayout layout, SealedSplit split, long seed, long epoch, Shuffle shuffle) {
        var from = new EpochSeed(seed, epoch, split.digest());
        return switch (shuffle) {
            case GLOBAL -> EpochOrder.global(from, layout.samples());
            case SHARD -> EpochOrder.shards(from, layout.shardGroups());
            case BLOCK -> EpochOrder.blocks(from, layout.blockGroups());
            case NONE -> EpochOrder.plain(layout.samples());
        };
    }

    /// The bytes of all samples with the wanted members; every sample must have one.
    private CompletableFuture<Long> length(SealedSplit split, SplitLayout layout, Projection projection) {
        if (projection.isAll()) {
            return CompletableFuture.completedFuture(layout.length());
        }
        return lengths.get(
                split.digest() + " " + String.join(",", projection.fields()),
                (_, _) -> CompletableFuture.supplyAsync(() -> sum(split, layout, projection), executor));
    }

    private static long sum(SealedSplit split, SplitLayout layout, Projection projection) {
        long sum = 0;
        long without = 0;
        for (long ordinal = 0; ordinal < layout.samples(); ordinal++) {
            var length = projection.length(layout, ordinal);
            sum += length;
            without += length == 0 ? 1 : 0;
        }
        if (without > 0) {
            throw TarponException.badParameter("of " + layout.samples() + " samples " + without
                    + " have none of the fields " + String.join(", ", projection.fields()) + "; "
                    + split.fieldCounts());
        }
        return sum;
    }

    /// Refuses a version whose order of samples is none that is known here.
    static void requireOrder(SealedSplit split) {
        if (!EpochOrder.ALGORITHM.equals(split.version().order())) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    split.shards().versionName() + " has the epoch order '"
                            + split.version().order() + "', and this gateway knows " + EpochOrder.ALGORITHM
                            + "; use a newer one");
        }
    }

    private static Map<String, String> headers(SealedSplit split, Partition partition) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Tarpon-Version", split.shards().versionName());
        headers.put("Tarpon-Samples", Long.toString(partition.samples()));
        partition.span().ifPresent(span -> headers.put("Tarpon-Positions", span.wireForm()));
        headers.put("Tarpon-Cursor", Long.toString(partition.cursor()));
        headers.put("Tarpon-Dropped", Long.toString(partition.dropped()));
        headers.put("Tarpon-Padded", Long.toString(partition.padded()));
        headers.put("Tarpon-Order", EpochOrder.ALGORITHM);
        return headers;
    }
}
