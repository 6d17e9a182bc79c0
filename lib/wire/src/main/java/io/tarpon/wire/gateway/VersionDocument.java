package io.tarpon.wire.gateway;

import io.tarpon.wire.metadata.VersionRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `GET /v1/datasets/{d}/{v}` (contracts section 2).
public record VersionDocument(
        String dataset,
        String version,
        String state,
        long revision,
        @Nullable String reason,
        @Nullable String planDigest,
        @Nullable String digest,
        @Nullable String order,
        InputsDocument inputs,
        List<SplitDocument> splits) {
    public static VersionDocument of(VersionRecord version) {
        return new VersionDocument(
                version.dataset().value(),
                version.version().toString(),
                version.state().wireName(),
                version.revision(),
                version.reason(),
                version.planDigest(),
                version.digest(),
                version.order(),
                InputsDocument.of(version.inputs()),
                version.splits().stream().map(SplitDocument::of).toList());
    }
}
