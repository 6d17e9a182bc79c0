package io.tarpon.store;

import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.store.s3.Bucket;
import io.tarpon.store.s3.PartSizes;
import io.tarpon.store.s3.S3Store;
import java.io.IOException;

/// Opens the store that configuration names.
public final class Stores {
    private Stores() {}

    /// For a folder: makes it when missing. For S3: connects to nothing yet.
    ///
    /// @throws IllegalArgumentException naming the key whose value is missing or out of bounds
    public static ObjectStore open(StoreConfig config) throws IOException {
        return switch (config.kind()) {
            case DIRECTORY ->
                DirectoryStore.open(AbsolutePaths.require(
                        "tarpon.store.directory.root", config.directory().root().orElse("")));
            case S3 -> new S3Store(Bucket.open("tarpon.store.s3", config.s3()), PartSizes.of(config.s3()));
        };
    }
}
