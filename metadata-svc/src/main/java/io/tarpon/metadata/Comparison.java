package io.tarpon.metadata;

import io.tarpon.metadata.image.Reads;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.ReplicaDigest;
import java.util.concurrent.Semaphore;

/// The use case of who compares replicas. A digest goes through everything that is known, and replay waits meanwhile:
/// so there is one at a time.
public final class Comparison {
    private final Queries queries;
    private final Semaphore turn = new Semaphore(1);

    Comparison(Queries queries) {
        this.queries = queries;
    }

    /// At this revision or later; `overloaded` while another one is being made.
    public Versioned<ReplicaDigest> digest(long revision) {
        queries.await(revision);
        if (!turn.tryAcquire()) {
            throw new TarponException(ProblemType.OVERLOADED, "a digest is being made, one at a time: ask again");
        }
        try {
            return queries.atLeast(revision, Reads::digest);
        } finally {
            turn.release();
        }
    }
}
