package io.tarpon.ingest;

import io.tarpon.store.ObjectStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Set;

/// Takes back what planning wrote and nothing will be built from.
final class VersionFiles {
    private final ObjectStore store;

    VersionFiles(ObjectStore store) {
        this.store = store;
    }

    /// The plans; the report stays, because it says why.
    void deletePlans(DatasetName dataset, VersionId version) throws IOException {
        delete(plans(dataset, version), Set.of());
    }

    /// Plans of an earlier try that a plan does not have. Those of its kept shards lie elsewhere.
    void deletePlansBeside(DatasetName dataset, VersionId version, FrozenPlan plan) throws IOException {
        var wanted = new HashSet<String>();
        for (var split : plan.splits()) {
            for (var shard : split.shards()) {
                if (shard.kept() == null) {
                    wanted.add(ObjectKeys.plan(new ShardRef(dataset, version, split.name(), shard.name())));
                }
            }
        }
        delete(plans(dataset, version), wanted);
    }

    void deleteAll(DatasetName dataset, VersionId version) throws IOException {
        delete(ObjectKeys.version(dataset, version), Set.of());
    }

    private static String plans(DatasetName dataset, VersionId version) {
        return ObjectKeys.version(dataset, version) + "plan/";
    }

    private void delete(String prefix, Set<String> except) throws IOException {
        var keys = new ArrayList<String>();
        store.list(prefix, object -> {
            if (!except.contains(object.key())) {
                keys.add(object.key());
            }
        });
        for (var key : keys) {
            store.delete(key);
        }
    }
}
