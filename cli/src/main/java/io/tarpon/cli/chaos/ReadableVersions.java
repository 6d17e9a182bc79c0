package io.tarpon.cli.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/// The versions that may be read now. Safe for several threads.
final class ReadableVersions {
    private final List<Readable> all = new ArrayList<>();

    synchronized void add(Readable version) {
        all.add(version);
    }

    /// Afterwards nobody begins to read it any more.
    synchronized void remove(Readable version) {
        version.removed().set(true);
        all.remove(version);
    }

    synchronized List<Readable> all() {
        return List.copyOf(all);
    }

    synchronized Optional<Readable> any(Random random) {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }
}
