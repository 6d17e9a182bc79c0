package io.tarpon.metadata;

import io.tarpon.metadata.image.Reads;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.wire.metadata.VersionState;
import io.tarpon.wire.metadata.VersionsInWork;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/// The use case of whoever watches that versions in work come on: ingest-fn, which sends the messages of those that
/// stand still again, and the alert for people.
public final class Progress {
    private final Queries queries;
    private final InstantSource clock;

    /// @param clock by which entries are stamped too
    Progress(Queries queries, InstantSource clock) {
        this.queries = queries;
        this.clock = clock;
    }

    /// Versions in this state after `after`, from the first where it is null, at most `limit`, and a page.
    public Versioned<VersionsInWork> page(long revision, VersionState state, @Nullable VersionName after, int limit) {
        var most = Math.min(limit, Reads.MAX_ROWS);
        var found = queries.atLeast(revision, reads -> reads.inWork(state, after, most + 1));
        var more = found.value().size() > most;
        var page = more ? found.value().subList(0, most) : found.value();
        var next = more ? page.getLast().dataset() + "/" + page.getLast().version() : null;
        return new Versioned<>(found.revision(), new VersionsInWork(clock.instant(), page, next));
    }

    /// How long the version in this state stands still that does so longest; 0 where there is none, and while the
    /// clock stands before the entry's.
    double longestStillSeconds(VersionState state) {
        var now = clock.instant();
        return queries.atLeast(0, reads -> reads.longestStill(state))
                .value()
                .map(since -> Math.max(0, Duration.between(since, now).toMillis() / 1e3))
                .orElse(0.0);
    }
}
