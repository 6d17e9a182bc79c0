package io.tarpon.metadata.garbage;

import io.tarpon.metadata.image.Remains.Removed;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.wire.metadata.GarbageReport.Waiting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which removed versions may be deleted now, and which must wait.
///
/// @param doomed nobody reads them any more; those that were collected are among them, for what came late
/// @param uncollected those of them that were not collected yet
public record Candidates(Set<VersionName> doomed, Set<VersionName> uncollected, List<Waiting> waiting) {
    static final String JUST_NOW = "removed-just-now";
    static final String OPEN_READS = "open-reads";
    static final String READERS_UNKNOWN = "readers-unknown";
    public static final String IN_USE_BY = "in-use-by ";

    /// @param removedUpTo what was removed later waits
    /// @param recent versions that were removed a short while ago, whatever clocks say; they wait too
    /// @param open versions with open reads; empty where that is not known yet, and then every version waits
    public static Candidates of(
            List<Removed> removed, Instant removedUpTo, Set<VersionName> recent, Optional<Set<VersionName>> open) {
        var doomed = new LinkedHashSet<VersionName>();
        var uncollected = new LinkedHashSet<VersionName>();
        var waiting = new ArrayList<Waiting>();
        for (var version : removed) {
            var obstacle =
                    version.collected() ? Optional.<String>empty() : obstacle(version, removedUpTo, recent, open);
            if (obstacle.isPresent()) {
                waiting.add(new Waiting(version.name().toString(), obstacle.get()));
            } else {
                doomed.add(version.name());
                if (!version.collected()) {
                    uncollected.add(version.name());
                }
            }
        }
        return new Candidates(doomed, uncollected, waiting);
    }

    private static Optional<String> obstacle(
            Removed version, Instant removedUpTo, Set<VersionName> recent, Optional<Set<VersionName>> open) {
        if (version.at().isAfter(removedUpTo) || recent.contains(version.name())) {
            return Optional.of(JUST_NOW);
        }
        if (open.isEmpty()) {
            return Optional.of(READERS_UNKNOWN);
        }
        if (open.get().contains(version.name())) {
            return Optional.of(OPEN_READS);
        }
        return Optional.ofNullable(version.childInWork()).map(child -> IN_USE_BY + child);
    }
}
