package io.tarpon.gateway.catalog;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Versions as metadata-svc knows them. A sealed one is kept: it is asked for again after a second, because it may have
/// been removed, and goes on being served where metadata-svc does not answer. Any other is asked for each time.
///
/// Who asks for a version that was asked for of late gets the last answer at once, and the next one is fetched behind
/// his back. After a longer pause a new answer is waited for, for a moment, unless it is known that none comes: so one
/// read waits for a metadata-svc that hangs, and not all of them.
///
/// Threads: any. One question a version is in flight, whoever asks.
public final class Versions {
    private static final Duration FRESH = Duration.ofSeconds(1);

    /// An answer of this age is given at once, and renewed. A version may have been removed for as long as this when
    /// a read of it begins, and the read is reported within `gateway.report-every`, 3 s. Both together stay below
    /// `tarpon.gc.grace`, 10 s, or what is read is collected meanwhile.
    private static final Duration RECENT = Duration.ofSeconds(4);

    private static final long PATIENCE_MILLIS = 500;
    private static final int KEPT = 10_000;

    private final MetadataClient metadata;
    private final Executor executor;
    private final LongSupplier nanos;
    private final Cache<Key, Held> sealed =
            Caffeine.newBuilder().maximumSize(KEPT).build();
    private final ConcurrentMap<Key, CompletableFuture<VersionRecord>> inFlight = new ConcurrentHashMap<>();

    /// @param executor for blocking questions
    /// @param nanos a monotonic clock
    public Versions(MetadataClient metadata, Executor executor, LongSupplier nanos) {
        this.metadata = metadata;
        this.executor = executor;
        this.nanos = nanos;
    }

    /// @param number null for `latest`, the highest sealed one
    private record Key(DatasetName dataset, @Nullable VersionId number) {}

    /// @param answeredAt when metadata-svc said so
    /// @param failedAt when it last did not answer in time; counts where `isOverdue`
    /// @param isOverdue whether it did not answer since
    private record Held(VersionRecord version, long answeredAt, long failedAt, boolean isOverdue) {
        Held overdue(long now) {
            return new Held(version, answeredAt, now, true);
        }

        boolean isYoungerThan(Duration age, long now) {
            return now - answeredAt < age.toNanos();
        }

        /// Whether it did not answer a moment ago, so that asking again at once would be in vain.
        boolean failedJustNow(long now) {
            return isOverdue && now - failedAt < FRESH.toNanos();
        }
    }

    /// The version in whatever state it is. Fails with `unknown-dataset`, `unknown-version` or `not-ready`.
    public CompletableFuture<VersionRecord> version(DatasetName dataset, VersionId number) {
        return find(new Key(dataset, number), true);
    }

    /// The highest sealed version: asked for each time, so that a new one is seen as soon as it is there.
    public CompletableFuture<VersionRecord> latest(DatasetName dataset) {
        return find(new Key(dataset, null), false);
    }

    private CompletableFuture<VersionRecord> find(Key key, boolean mayBeHeld) {
        var held = sealed.getIfPresent(key);
        if (held == null) {
            return ask(key).copy();
        }
        var now = nanos.getAsLong();
        if (held.failedJustNow(now) || mayBeHeld && held.isYoungerThan(FRESH, now)) {
            return CompletableFuture.completedFuture(held.version);
        }
        var asked = ask(key);
        if (held.isOverdue || mayBeHeld && held.isYoungerThan(RECENT, now)) {
            return CompletableFuture.completedFuture(held.version);
        }
        return asked.copy()
                .orTimeout(PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(thrown -> heldUnlessRefused(key, held, thrown));
    }

    private CompletableFuture<VersionRecord> ask(Key key) {
        var mine = new CompletableFuture<VersionRecord>();
        var others = inFlight.putIfAbsent(key, mine);
        if (others != null) {
            return others;
        }
        var _ = Answers.of(
                        executor,
                        ProblemType.NOT_READY,
                        () -> key.number == null
                                ? metadata.latest(key.dataset)
                                : metadata.version(key.dataset, key.number))
                .whenComplete((version, thrown) -> answered(key, mine, version, thrown));
        return mine;
    }

    private void answered(
            Key key,
            CompletableFuture<VersionRecord> asked,
            @Nullable VersionRecord version,
            @Nullable Throwable thrown) {
        if (version != null && version.state() == VersionState.SEALED) {
            sealed.put(key, new Held(version, nanos.getAsLong(), 0, false));
        } else if (version != null || refused(thrown)) {
            sealed.invalidate(key);
        } else {
            noAnswer(key);
        }
        inFlight.remove(key, asked);
        if (version != null) {
            asked.complete(version);
        } else {
            asked.completeExceptionally(thrown);
        }
    }

    private VersionRecord heldUnlessRefused(Key key, Held held, Throwable thrown) {
        if (refused(thrown)) {
            throw new CompletionException(Answers.cause(thrown));
        }
        if (thrown instanceof TimeoutException) {
            noAnswer(key);
        }
        return held.version;
    }

    private void noAnswer(Key key) {
        sealed.asMap().computeIfPresent(key, (_, held) -> held.overdue(nanos.getAsLong()));
    }

    private static boolean refused(@Nullable Throwable thrown) {
        return thrown != null
                && Answers.cause(thrown) instanceof TarponException e
                && !e.type().retryable()
                && e.type() != ProblemType.INTERNAL;
    }
}
