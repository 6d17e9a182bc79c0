package io.tarpon.ingest;

import io.tarpon.store.ObjectStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.VersionId;
import java.io.IOException;
import java.util.ArrayList;

/// Takes back what planning wrote for a version that will never be built.
final class VersionFiles {
    private final ObjectStore store;

    VersionFiles(ObjectStore store) {
        this.store = store;
    }

    /// The plans; the report stays, because it says why.
    void deletePlans(DatasetName dataset, VersionId version) throws IOException {
        delete(ObjectKeys.version(dataset, version) + "plan/");
    }

    void deleteAll(DatasetName dataset, VersionId version) throws IOException {
        delete(ObjectKeys.version(dataset, version));
    }

    private void delete(String prefix) throws IOException {
        var keys = new ArrayList<String>();
        store.list(prefix, object -> keys.add(object.key()));
        for (var key : keys) {
            store.delete(key);
        }
    }
}
