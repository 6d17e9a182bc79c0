package io.tarpon.metadata;

import io.tarpon.metadata.replica.Replica;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Whether the service may answer: once the log that it found at start is replayed, and while log and image are
/// whole, events are published and their topic keeps them. A broker that is away is no obstacle, because events wait.
public final class Readiness {
    private final Replica replica;
    private final BooleanSupplier logTakesEntries;
    private final Supplier<@Nullable Throwable> publishingTrouble;
    private final Supplier<Optional<String>> refusedTopics;

    /// @param publishingTrouble why no events are published; null while all is well
    /// @param refusedTopics which topic breaks a promise, and how
    Readiness(
            Replica replica,
            BooleanSupplier logTakesEntries,
            Supplier<@Nullable Throwable> publishingTrouble,
            Supplier<Optional<String>> refusedTopics) {
        this.replica = replica;
        this.logTakesEntries = logTakesEntries;
        this.publishingTrouble = publishingTrouble;
        this.refusedTopics = refusedTopics;
    }

    /// What keeps the service from being ready; empty where it is.
    public Optional<String> obstacle() {
        var broken = replica.broken();
        if (broken != null) {
            return Optional.of("the metadata log cannot be replayed: " + broken.getMessage());
        }
        var behind = replica.behind();
        if (behind.isPresent()) {
            return behind;
        }
        var unsaved = replica.unsaved();
        if (unsaved != null) {
            return Optional.of(String.valueOf(unsaved.getMessage()));
        }
        if (!logTakesEntries.getAsBoolean()) {
            return Optional.of("the metadata log takes no entries");
        }
        var trouble = publishingTrouble.get();
        return trouble == null ? refusedTopics.get() : Optional.of("events are not published: " + trouble);
    }

    /// Throws `not-ready` while the log that was found at start is being replayed.
    public void requireReplayed() {
        if (replica.broken() == null) {
            replica.behind().ifPresent(behind -> {
                throw new TarponException(ProblemType.NOT_READY, "the metadata log is being replayed: " + behind);
            });
        }
    }
}
