package io.tarpon.wire.metadata;

import java.util.List;

/// A gateway says which versions it has open reads on, so that nothing of them is deleted. Soft state: it lapses.
///
/// @param versions `demo/v1`, each once
public record ReaderReport(List<String> versions) {
    public static final int MAX_VERSIONS = 10_000;

    public ReaderReport {
        versions = List.copyOf(versions);
        if (versions.size() > MAX_VERSIONS) {
            throw new IllegalArgumentException("versions has " + versions.size() + " entries, over " + MAX_VERSIONS);
        }
    }
}
