package io.tarpon.gateway.batch;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// What the body of `POST /v1/batch` says (contracts section 3).
///
/// @param version null for `latest`
/// @param entries in the order of the answer
/// @param fields of entries that do not say their own; none for all
public record BatchRequest(
        DatasetName dataset,
        @Nullable VersionId version,
        SplitName split,
        List<BatchEntry> entries,
        Set<String> fields,
        Missing missing) {
    /// The most entries.
    public static final int MOST_ENTRIES = 100_000;

    /// The most bytes of its JSON.
    public static final int MOST_BYTES = 16 << 20;

    /// Which members of an entry's sample are wanted; none for all.
    public Set<String> fieldsOf(BatchEntry entry) {
        return entry.fields().isEmpty() ? fields : entry.fields();
    }
}
