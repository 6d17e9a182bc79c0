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
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Versions as metadata-svc knows them. A sealed one is kept: it is asked for again after a second, because it may have
/// been removed, and goes on being served where metadata-svc does not answer. Any other is asked for each time.
///
/// Threads: any. One question a version is in flight, whoever asks.
public final class Versions {
    private static final Duration FRESH = Duration.ofSeconds(1);
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

    private record Held(VersionRecord version, long askedAt) {}

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
        if (mayBeHeld && held != null && nanos.getAsLong() - held.askedAt < FRESH.toNanos()) {
            return CompletableFuture.completedFuture(held.version);
        }
        var asked = ask(key);
        if (held == null) {
            return asked.copy();
        }
        return asked.copy()
                .completeOnTimeout(held.version, PATIENCE_MILLIS, TimeUnit.MILLISECONDS)
                .exceptionally(thrown -> heldUnlessRefused(held, thrown));
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
            sealed.put(key, new Held(version, nanos.getAsLong()));
        } else if (version != null || refused(thrown)) {
            sealed.invalidate(key);
        }
        inFlight.remove(key, asked);
        if (version != null) {
            asked.complete(version);
        } else {
            asked.completeExceptionally(thrown);
        }
    }

    private static VersionRecord heldUnlessRefused(Held held, Throwable thrown) {
        if (refused(thrown)) {
            throw new CompletionException(Answers.cause(thrown));
        }
        return held.version;
    }

    private static boolean refused(@Nullable Throwable thrown) {
        return thrown != null
                && Answers.cause(thrown) instanceof TarponException e
                && !e.type().retryable()
                && e.type() != ProblemType.INTERNAL;
    }
}
