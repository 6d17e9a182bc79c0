package io.tarpon.gateway.epoch;

import com.github.benmanes.caffeine.cache.AsyncCache;
import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.gateway.disk.SumsFolder;
import io.tarpon.gateway.order.SparseSums;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;

/// Where the samples of epoch bodies begin, computed once for each body, kept up to a number of bytes in memory, and
/// where there is a folder, in its files too. A body that is not ready in time is refused, while it is computed on:
/// whoever asks again finds it further.
///
/// Threads: any. Files are read and sums are computed and written on a thread of the executor, and not given up when
/// nobody waits for them.
public final class EpochPlans {
    private static final Duration PATIENCE = Duration.ofSeconds(2);
    private static final int[] RETRY_AFTER_SECONDS = {1, 2, 5, 10};
    private static final int BYTES_AN_ENTRY = 256;
    private static final int MOST_REFUSED = 10_000;

    private final Executor executor;
    private final Optional<SumsFolder> folder;
    private final AsyncCache<String, SparseSums> plans;

    /// How often each body was refused of late.
    private final Cache<String, AtomicInteger> refusals = Caffeine.newBuilder()
            .maximumSize(MOST_REFUSED)
            .expireAfterWrite(Duration.ofMinutes(1))
            .build();

    public EpochPlans(Executor executor, long maxBytes, Optional<SumsFolder> folder) {
        this.executor = executor;
        this.folder = folder;
        this.plans = Caffeine.newBuilder()
                .maximumWeight(maxBytes)
                .<String, SparseSums>weigher(
                        (_, sums) -> (int) Math.min(Integer.MAX_VALUE, BYTES_AN_ENTRY + sums.markBytes()))
                .buildAsync();
    }

    /// Fails with `overloaded` where too many are being computed.
    ///
    /// @param etag of the body
    CompletableFuture<SparseSums> of(String etag, EpochBytes bytes) {
        return plans.get(etag, (_, _) -> CompletableFuture.supplyAsync(() -> find(etag, bytes), executor));
    }

    /// The same answer, or `not-ready` after 2 s, while what it waits for goes on.
    ///
    /// @param etag of the body
    /// @param answer of one request, waited for by nobody else
    <T> CompletableFuture<T> inTime(String etag, CompletableFuture<T> answer) {
        if (answer.isDone()) {
            return answer;
        }
        return answer.orTimeout(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionallyCompose(thrown ->
                        CompletableFuture.failedFuture(thrown instanceof TimeoutException ? notReady(etag) : thrown));
    }

    private SparseSums find(String etag, EpochBytes bytes) {
        var digits = etag.replace("\"", "");
        var found = folder.flatMap(files -> files.read(digits)).filter(sums -> sums.samples() == bytes.samples());
        var sums = found.orElseGet(() -> SparseSums.of(bytes.samples(), bytes.lengths()));
        if (found.isEmpty()) {
            folder.ifPresent(files -> files.write(digits, sums));
        }
        return folder.map(files -> files.offHeap(sums)).orElse(sums);
    }

    private TarponException notReady(String etag) {
        var before = refusals.get(etag, _ -> new AtomicInteger()).getAndIncrement();
        var seconds = RETRY_AFTER_SECONDS[Math.min(before, RETRY_AFTER_SECONDS.length - 1)];
        return new TarponException(
                ProblemType.NOT_READY,
                "where the samples of this epoch are is being looked up and added up; ask again in " + seconds + " s",
                Duration.ofSeconds(seconds));
    }
}
