package io.tarpon.metadata;

import io.tarpon.metadata.replica.Replica;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Whether the service may answer: once the log that it found at start is replayed, and while log and image are
/// whole.
public final class Readiness {
    private final Replica replica;
    private final BooleanSupplier logTakesEntries;
    private final long entriesAtStart;

    Readiness(Replica replica, BooleanSupplier logTakesEntries, long entriesAtStart) {
        this.replica = replica;
        this.logTakesEntries = logTakesEntries;
        this.entriesAtStart = entriesAtStart;
    }

    /// What keeps the service from being ready; empty where it is.
    public Optional<String> obstacle() {
        var broken = replica.broken();
        if (broken != null) {
            return Optional.of("the metadata log cannot be replayed: " + broken.getMessage());
        }
        if (replica.revision() < entriesAtStart) {
            return Optional.of("entry " + replica.revision() + " of " + entriesAtStart + " is replayed");
        }
        return logTakesEntries.getAsBoolean() ? Optional.empty() : Optional.of("the metadata log takes no entries");
    }

    /// Throws `not-ready` while the log that was found at start is being replayed.
    public void requireReplayed() {
        if (replica.revision() < entriesAtStart && replica.broken() == null) {
            throw new TarponException(
                    ProblemType.NOT_READY,
                    "the metadata log is being replayed: " + replica.revision() + " of " + entriesAtStart + " entries");
        }
    }
}
