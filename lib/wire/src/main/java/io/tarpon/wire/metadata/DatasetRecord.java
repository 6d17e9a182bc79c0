package io.tarpon.wire.metadata;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A dataset and its versions, oldest first: all of them, or those of one page.
///
/// @param latest the highest sealed version, on this page or not; null until there is one
/// @param spec the registered specification; null where versions were only ever asked for one by one
/// @param next goes into the next request's `after`; null where no version follows
public record DatasetRecord(
        DatasetName dataset,
        @Nullable VersionId latest,
        @Nullable DatasetSpec spec,
        List<VersionRecord> versions,
        @JsonSetter(nulls = Nulls.SET) @Nullable VersionId next) {
    public DatasetRecord {
        versions = List.copyOf(versions);
    }

    /// A dataset with all its versions.
    public DatasetRecord(
            DatasetName dataset, @Nullable VersionId latest, @Nullable DatasetSpec spec, List<VersionRecord> versions) {
        this(dataset, latest, spec, versions, null);
    }
}
