package io.tarpon.ingest;

import io.tarpon.store.ObjectStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.VersionId;
import java.io.IOException;
import java.util.ArrayList;

/// Takes back what planning wrote for a version that was removed for another one with the same plan: that happens at
/// every trigger without a change, so it does not wait for garbage to be collected.
final class VersionFiles {
    private final ObjectStore store;

    VersionFiles(ObjectStore store) {
        this.store = store;
    }

    void deleteAll(DatasetName dataset, VersionId version) throws IOException {
        var keys = new ArrayList<String>();
        store.list(ObjectKeys.version(dataset, version), object -> keys.add(object.key()));
        store.deleteAll(keys);
    }
}
