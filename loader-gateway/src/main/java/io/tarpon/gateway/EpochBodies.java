package io.tarpon.gateway;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.body.Content;
import io.tarpon.gateway.catalog.SplitLayout;
import io.tarpon.gateway.catalog.SplitLayouts;
import io.tarpon.gateway.catalog.SplitShards;
import io.tarpon.gateway.epoch.EpochOrder;
import io.tarpon.gateway.epoch.EpochSeed;
import io.tarpon.gateway.epoch.Partition;
import io.tarpon.gateway.epoch.Share;
import io.tarpon.gateway.epoch.Shuffle;
import io.tarpon.wire.Digests;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/// From one rank's or worker's part of an epoch to the body that is its tar.
///
/// Threads: any; nothing blocks.
final class EpochBodies {
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
    EpochBodies(SplitLayouts layouts, EpochPlans plans, Executor executor) {
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

    /// A split of a sealed version.
    record Split(VersionRecord version, SplitRecord record, SplitShards shards) {
        /// @param version that has the shards' split
        static Split of(VersionRecord version, SplitShards shards) {
            var name = shards.split();
            var record = version.splits().stream()
                    .filter(split -> split.name().equals(name))
                    .findFirst()
                    .orElseThrow();
            return new Split(version, record, shards);
        }

        String digest() {
            return Objects.requireNonNull(record.digest(), "a sealed split has a digest");
        }

        Instant sealedAt() {
            return Objects.requireNonNull(version.sealedAt(), "a sealed version has a time");
        }
    }

    /// Fails with `bad-parameter` for what the split does not have, with `not-ready` for what takes its time.
    ///
    /// @param fromStart whether only a read from the first byte on is meant, which needs less
    CompletableFuture<Body> open(Split split, Ask ask, boolean fromStart) {
        requireOrder(split);
        requireFields(split, ask.projection);
        var partition = new Partition(ask.share, split.shards.samples());
        var etag = "\""
                + Digests.sha256Hex((EpochOrder.ALGORITHM + " " + split.digest() + " " + ask.canonical())
                                .getBytes(StandardCharsets.UTF_8))
                        .substring(0, ETAG_DIGITS)
                + "\"";
        var body = layouts.of(split.shards)
                .thenCompose(layout -> length(split, layout, ask.projection)
                        .thenCompose(length -> content(layout, split, ask, partition, etag, fromStart ? length : -1)))
                .thenApply(content -> new Body(TAR, etag, split.sealedAt(), true, headers(split, partition), content));
        return plans.inTime(etag, body);
    }

    /// @param length of all samples, where that may stand for sums; or -1
    private CompletableFuture<Content> content(
            SplitLayout layout, Split split, Ask ask, Partition partition, String etag, long length) {
        return switch (ask.shuffle) {
            case GLOBAL, NONE -> content(orderedBytes(layout, split, ask, partition), layout, partition, etag, length);
            // A pass over all shards or blocks, which an event loop has no time for.
            case SHARD, BLOCK ->
                CompletableFuture.supplyAsync(() -> orderedBytes(layout, split, ask, partition), executor)
                        .thenCompose(bytes -> content(bytes, layout, partition, etag, length));
        };
    }

    private static EpochBytes orderedBytes(SplitLayout layout, Split split, Ask ask, Partition partition) {
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

    static EpochOrder order(SplitLayout layout, Split split, long seed, long epoch, Shuffle shuffle) {
        var from = new EpochSeed(seed, epoch, split.digest());
        return switch (shuffle) {
            case GLOBAL -> EpochOrder.global(from, layout.samples());
            case SHARD -> EpochOrder.shards(from, layout.shardGroups());
            case BLOCK -> EpochOrder.blocks(from, layout.blockGroups());
            case NONE -> EpochOrder.plain(layout.samples());
        };
    }

    /// The bytes of all samples with the wanted members; every sample must have one.
    private CompletableFuture<Long> length(Split split, SplitLayout layout, Projection projection) {
        if (projection.isAll()) {
            return CompletableFuture.completedFuture(layout.length());
        }
        return lengths.get(
                split.digest() + " " + String.join(",", projection.fields()),
                (_, _) -> CompletableFuture.supplyAsync(() -> sum(split, layout, projection), executor));
    }

    private static long sum(Split split, SplitLayout layout, Projection projection) {
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
                    + counts(split.record));
        }
        return sum;
    }

    /// The members of these fields, or all for none; fails with `bad-parameter` for what no sample has.
    static Projection projection(Split split, Set<String> fields) {
        var projection = new Projection(fields);
        requireFields(split, projection);
        return projection;
    }

    private static void requireFields(Split split, Projection projection) {
        for (var field : projection.fields()) {
            if (!split.record.fields().containsKey(field)) {
                throw TarponException.badParameter("no sample of " + split.shards.versionName() + "/"
                        + split.record.name() + " has the field '" + field + "'; " + counts(split.record));
            }
        }
    }

    private static String counts(SplitRecord split) {
        var text = new StringBuilder("samples that have them: ");
        split.fields()
                .forEach((field, totals) ->
                        text.append(field).append(' ').append(totals.samples()).append(", "));
        text.setLength(text.length() - 2);
        return text.toString();
    }

    /// Refuses a version whose order of samples is none that is known here.
    static void requireOrder(Split split) {
        if (!EpochOrder.ALGORITHM.equals(split.version.order())) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    split.shards.versionName() + " has the epoch order '" + split.version.order()
                            + "', and this gateway knows " + EpochOrder.ALGORITHM + "; use a newer one");
        }
    }

    private static Map<String, String> headers(Split split, Partition partition) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("Tarpon-Version", split.shards.versionName());
        headers.put("Tarpon-Samples", Long.toString(partition.samples()));
        partition.span().ifPresent(span -> headers.put("Tarpon-Positions", span.wireForm()));
        headers.put("Tarpon-Cursor", Long.toString(partition.cursor()));
        headers.put("Tarpon-Dropped", Long.toString(partition.dropped()));
        headers.put("Tarpon-Padded", Long.toString(partition.padded()));
        headers.put("Tarpon-Order", EpochOrder.ALGORITHM);
        return headers;
    }
}
