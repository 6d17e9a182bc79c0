package io.tarpon.wire.metadata;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some datasets, by name. The last one may have only the first of its versions here, and the first one only those
/// after the page before.
///
/// @param next goes into the next request's `after`; null at the end
public record DatasetList(
        List<DatasetRecord> datasets,
        @JsonSetter(nulls = Nulls.SET) @Nullable String next) {
    public DatasetList {
        datasets = List.copyOf(datasets);
    }

    /// All there is.
    public DatasetList(List<DatasetRecord> datasets) {
        this(datasets, null);
    }
}
