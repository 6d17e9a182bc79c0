package io.tarpon.cli.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// The versions that may be read now. Safe for several threads.
final class SealedVersions {
    private final List<SealedVersion> all = new ArrayList<>();

    synchronized void add(SealedVersion version) {
        all.add(version);
    }

    /// Afterwards nobody begins to read it any more.
    synchronized void remove(SealedVersion version) {
        version.removed().set(true);
        all.remove(version);
    }

    synchronized List<SealedVersion> all() {
        return List.copyOf(all);
    }

    synchronized Optional<SealedVersion> any(Random random) {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }
}
