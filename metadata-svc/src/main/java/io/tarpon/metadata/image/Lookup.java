package io.tarpon.metadata.image;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;

/// What is looked up by its name alone, and answered with one document.
public sealed interface Lookup {
    /// Below that of all datasets: `demo`, `demo/versions/v3`, `demo/versions/latest`. No two have the same.
    String path();

    /// A dataset with its first versions.
    record OfDataset(DatasetName dataset) implements Lookup {
        @Override
        public String path() {
            return dataset.value();
        }
    }

    record OfVersion(DatasetName dataset, VersionId version) implements Lookup {
        @Override
        public String path() {
            return dataset + "/versions/" + version;
        }
    }

    /// The highest sealed version.
    record OfLatest(DatasetName dataset) implements Lookup {
        @Override
        public String path() {
            return dataset + "/versions/latest";
        }
    }
}
