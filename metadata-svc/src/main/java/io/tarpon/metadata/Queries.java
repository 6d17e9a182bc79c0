package io.tarpon.metadata;

import io.tarpon.metadata.image.Reads;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;
import java.util.function.Function;

/// The use case of every question: read from the image, at the revision that the reader asks for or later. That
/// something is not there, or not so, is said only of all that was in the log when it was asked: to who made it a
/// moment ago, through another replica, it would be a lie.
public final class Queries {
    private final Replica replica;
    private final Duration timeout;

    Queries(Replica replica, Duration timeout) {
        this.replica = replica;
        this.timeout = timeout;
    }

    public long revision() {
        return replica.revision();
    }

    /// Reads once the image has at least this revision; `not-ready` where it does not in time.
    public <T> Versioned<T> atLeast(long revision, Function<Reads, T> reader) {
        await(revision);
        var before = replica.revision();
        try {
            return now(reader);
        } catch (TarponException e) {
            if (e.type().retryable() || awaitLatest() <= before) {
                throw e;
            }
            return now(reader);
        }
    }

    /// Reads what is here, for a question that has an answer whatever there is.
    <T> Versioned<T> now(Function<Reads, T> reader) {
        return replica.read(image -> reader.apply(image.reads()));
    }

    /// Whether all is here that was in the log when the service started.
    boolean isReplayed() {
        return replica.behind().isEmpty();
    }

    /// Returns once the image has more than this revision, or after `patience`.
    void awaitBeyond(long revision, Duration patience) throws InterruptedException {
        var _ = replica.awaitRevision(revision + 1, patience);
    }

    /// Returns once all is here that was in the log when this was called; `not-ready` where it is not in time, or
    /// where the log is away.
    public long awaitLatest() {
        try {
            return replica.awaitLatest(timeout);
        } catch (InterruptedException e) {
            throw stopping(e);
        }
    }

    /// Returns once the image has at least this revision; `not-ready` where it does not in time.
    public void await(long revision) {
        try {
            if (!replica.awaitRevision(revision, timeout)) {
                throw new TarponException(
                        ProblemType.NOT_READY,
                        "revision " + revision + " is not here after " + timeout.toMillis() + " ms, only "
                                + replica.revision());
            }
        } catch (InterruptedException e) {
            throw stopping(e);
        }
    }

    static TarponException stopping(InterruptedException reason) {
        Thread.currentThread().interrupt();
        return new TarponException(ProblemType.NOT_READY, "the service is stopping", reason);
    }
}
