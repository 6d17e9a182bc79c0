package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.DatasetRecord;
import org.jspecify.annotations.Nullable;

/// Where a page of datasets ended: `demo/v7` after that version of it, `demo` after all of it.
///
/// @param version null: after all versions
public record DatasetCursor(DatasetName dataset, @Nullable VersionId version) {
    /// Throws [IllegalArgumentException] for what is neither.
    public static DatasetCursor parse(String text) {
        if (text.indexOf('/') < 0) {
            return new DatasetCursor(new DatasetName(text), null);
        }
        var name = VersionName.parse(text);
        return new DatasetCursor(name.dataset(), name.version());
    }

    static DatasetCursor after(DatasetRecord part) {
        return new DatasetCursor(part.dataset(), part.next());
    }

    @Override
    public String toString() {
        return version == null ? dataset.toString() : dataset + "/" + version;
    }
}
