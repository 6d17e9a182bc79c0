package io.tarpon.gateway.catalog;

import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.time.Instant;
import java.util.Objects;

/// A split of a sealed version.
public record SealedSplit(VersionRecord version, SplitRecord record, SplitShards shards) {
    /// @param version that has the shards' split
    public static SealedSplit of(VersionRecord version, SplitShards shards) {
        var name = shards.split();
        var record = version.splits().stream()
                .filter(split -> split.name().equals(name))
                .findFirst()
                .orElseThrow();
        return new SealedSplit(version, record, shards);
    }

    public String digest() {
        return Objects.requireNonNull(record.digest(), "a sealed split has a digest");
    }

    public Instant sealedAt() {
        return Objects.requireNonNull(version.sealedAt(), "a sealed version has a time");
    }

    /// Which fields it has, and how many samples each, for an error.
    public String fieldCounts() {
        var text = new StringBuilder("samples that have them: ");
        record.fields()
                .forEach((field, totals) ->
                        text.append(field).append(' ').append(totals.samples()).append(", "));
        text.setLength(text.length() - 2);
        return text.toString();
    }
}
