package io.tarpon.wire.gateway;

import io.tarpon.wire.metadata.FieldTotals;
import io.tarpon.wire.metadata.SplitRecord;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One split of a version.
public record SplitDocument(
        String name, @Nullable String digest, long samples, long bytes, int shards, Map<String, FieldTotals> fields) {
    public static SplitDocument of(SplitRecord split) {
        return new SplitDocument(
                split.name().value(), split.digest(), split.samples(), split.bytes(), split.shards(), split.fields());
    }
}
