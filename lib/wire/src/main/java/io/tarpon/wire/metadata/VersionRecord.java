package io.tarpon.wire.metadata;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One version as metadata-svc knows it.
///
/// @param revision of the entry that last changed it
/// @param reason why it failed or was removed; null otherwise
/// @param sameAs the sealed version whose plan was equal, when this one was dropped for it
/// @param parent the sealed version that this one grows from, pinned when it began; null where it does not grow
/// @param planDigest null until planned
/// @param digest SHA-256 over its splits' names and digests; null until sealed
/// @param order name of the epoch order pinned when it sealed; null until then
public record VersionRecord(
        DatasetName dataset,
        VersionId version,
        VersionState state,
        long revision,
        String requestId,
        @Nullable String reason,
        @Nullable VersionId sameAs,
        @Nullable VersionId parent,
        @Nullable String planDigest,
        @Nullable String digest,
        @Nullable String order,
        DatasetSpec spec,
        Inputs inputs,
        List<SplitRecord> splits,
        Instant begunAt,
        @Nullable Instant sealedAt) {
    public VersionRecord {
        splits = List.copyOf(splits);
    }

    public long samples() {
        return splits.stream().mapToLong(SplitRecord::samples).sum();
    }

    public long bytes() {
        return splits.stream().mapToLong(SplitRecord::bytes).sum();
    }
}
