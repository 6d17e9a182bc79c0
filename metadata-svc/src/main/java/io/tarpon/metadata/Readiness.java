package io.tarpon.metadata;

import io.tarpon.metadata.replica.Replica;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Whether the service may answer: once the log that it found at start is replayed, and while log and image are
/// whole and events are published. A broker that is away is no obstacle, because events wait.
public final class Readiness {
    private final Replica replica;
    private final BooleanSupplier logTakesEntries;
    private final Supplier<@Nullable Throwable> publishingTrouble;

    /// @param publishingTrouble why no events are published; null while all is well
    Readiness(Replica replica, BooleanSupplier logTakesEntries, Supplier<@Nullable Throwable> publishingTrouble) {
        this.replica = replica;
        this.logTakesEntries = logTakesEntries;
        this.publishingTrouble = publishingTrouble;
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
        if (!logTakesEntries.getAsBoolean()) {
            return Optional.of("the metadata log takes no entries");
        }
        return Optional.ofNullable(publishingTrouble.get()).map(trouble -> "events are not published: " + trouble);
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
