package io.tarpon.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

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

    /// What speaks against a folder of these contents being `dataset@version` again; empty where it is.
    Optional<String> whyNotAgain(String dataset, String version, Map<String, String> contents) {
        var same = all().stream()
                .filter(each -> each.dataset().equals(dataset) && each.version().equals(version))
                .findFirst();
        if (same.isEmpty()) {
            return Optional.of(version + " is not among the sealed versions");
        }
        var before = same.get().contents();
        return Stream.concat(before.keySet().stream(), contents.keySet().stream())
                .filter(name -> !Objects.equals(before.get(name), contents.get(name)))
                .min(Comparator.naturalOrder())
                .map(name -> name + " is not what it was in " + version);
    }

    synchronized Optional<SealedVersion> any(Random random) {
        return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
    }
}
