package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;

/// One version of one dataset: `demo/v1`.
public record VersionName(DatasetName dataset, VersionId version) {
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
    public String toString() {
        return dataset + "/" + version;
    }
}
