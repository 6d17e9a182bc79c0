package io.tarpon.wire.metadata;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A dataset and its versions, oldest first.
///
/// @param latest the highest sealed version; null until there is one
/// @param spec the registered specification; null where versions were only ever asked for one by one
public record DatasetRecord(
        DatasetName dataset,
        @Nullable VersionId latest,
        @Nullable DatasetSpec spec,
        List<VersionRecord> versions) {
    public DatasetRecord {
        versions = List.copyOf(versions);
    }
}
