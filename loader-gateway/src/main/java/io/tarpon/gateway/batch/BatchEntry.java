package io.tarpon.gateway.batch;

import java.util.Set;

/// One sample that a batch asks for.
public sealed interface BatchEntry {
    /// Extensions, at least one; or none where it says nothing, and the batch's own count.
    Set<String> fields();

    /// By its ordinal in the split, from 0.
    record Ordinal(long ordinal, Set<String> fields) implements BatchEntry {}

    /// By its key in the tar.
    record Key(String key, Set<String> fields) implements BatchEntry {}
}
