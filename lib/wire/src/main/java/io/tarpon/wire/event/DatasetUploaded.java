package io.tarpon.wire.event;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.metadata.DatasetSpec;
import org.jspecify.annotations.Nullable;

/// `tarpon.dataset.uploaded.v1`, into Tarpon: make a version of `dataset` from `source`.
///
/// @param spec the specification to use; null for the registered one, or the defaults. Its `source` is `source`.
/// @param force make a new version even if its plan equals the latest sealed one's
public record DatasetUploaded(
        String source, DatasetName dataset, @Nullable SpecOverrides spec, boolean force) {
    public static final String TYPE = "tarpon.dataset.uploaded.v1";

    public DatasetUploaded {
        if (source == null || source.isBlank()) {
            throw new IllegalArgumentException("data.source is missing: it names where the raw files are");
        }
        if (dataset == null) {
            throw new IllegalArgumentException("data.dataset is missing: it names the dataset to make");
        }
    }

    /// Parts of a specification; what is null keeps its registered or default value.
    public record SpecOverrides(
            @Nullable String splits,
            @Nullable Long shardBytes,
            @Nullable Integer shardsMultipleOf,
            @Nullable Long seed,
            @Nullable Integer replicas,
            @Nullable Boolean grow,
            @Nullable String leftOut) {}

    /// The whole specification: these overrides over `base`, with this event's source.
    public DatasetSpec over(DatasetSpec base) {
        var o = spec == null ? new SpecOverrides(null, null, null, null, null, null, null) : spec;
        return new DatasetSpec(
                source,
                orElse(o.splits(), base.splits()),
                orElse(o.shardBytes(), base.shardBytes()),
                orElse(o.shardsMultipleOf(), base.shardsMultipleOf()),
                orElse(o.seed(), base.seed()),
                orElse(o.replicas(), base.replicas()),
                orElse(o.grow(), base.grow()),
                orElse(o.leftOut(), base.leftOut()));
    }

    private static <T> T orElse(@Nullable T value, T otherwise) {
        return value == null ? otherwise : value;
    }
}
