package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import java.util.Comparator;

/// One version of one dataset: `demo/v1`. In order of datasets, then of numbers.
public record VersionName(DatasetName dataset, VersionId version) implements Comparable<VersionName> {
    private static final Comparator<VersionName> ORDER = Comparator.<VersionName, String>comparing(
                    name -> name.dataset().value())
            .thenComparingInt(name -> name.version().number());

    /// The version that a shard is of.
    public static VersionName of(ShardRef ref) {
        return new VersionName(ref.dataset(), ref.version());
    }

    /// Reads `demo/v1`. Throws [IllegalArgumentException] for anything else.
    public static VersionName parse(String text) {
        var slash = text.indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("'" + text + "' is not dataset/version, such as demo/v1");
        }
        return new VersionName(new DatasetName(text.substring(0, slash)), VersionId.parse(text.substring(slash + 1)));
    }

    @Override
    public int compareTo(VersionName other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return dataset + "/" + version;
    }
}
