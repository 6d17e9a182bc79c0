package io.tarpon.metadata;

import io.tarpon.metadata.image.Reads;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.time.Duration;
import java.util.function.Function;

/// The use case of every question: read from the image, at the revision that the reader asks for or later.
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
        return replica.read(image -> reader.apply(image.reads()));
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
            Thread.currentThread().interrupt();
            throw new TarponException(ProblemType.NOT_READY, "the service is stopping", e);
        }
    }
}
