package io.tarpon.metadata.garbage;

import io.tarpon.metadata.image.VersionName;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StoredObject;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardRef;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One walk through everything below `datasets/`: what is of a doomed version goes, unless a version that stays lies
/// there. What is of no version that is known to be doomed is not touched. For one thread.
public final class ObjectSweep {
    private static final String ROOT = "datasets/";

    private final ObjectStore store;
    private final Set<VersionName> doomed;
    private final Set<ShardRef> inUse;
    private final @Nullable Deletions deletions;
    private @Nullable VersionName at;
    private Set<String> keysInUse = Set.of();
    private long objects;
    private long bytes;

    /// @param deletions null where objects are only counted
    public ObjectSweep(ObjectStore store, Set<VersionName> doomed, Set<ShardRef> inUse, @Nullable Deletions deletions) {
        this.store = store;
        this.doomed = doomed;
        this.inUse = inUse;
        this.deletions = deletions;
    }

    /// After an exception some objects may be deleted; walk again.
    public void run() throws IOException {
        if (!doomed.isEmpty()) {
            store.list(ROOT, this::visit);
        }
    }

    public long objects() {
        return objects;
    }

    public long bytes() {
        return bytes;
    }

    private void visit(StoredObject object) throws IOException {
        var version = versionOf(object.key());
        if (version.isEmpty() || !doomed.contains(version.get())) {
            return;
        }
        if (!version.get().equals(at)) {
            at = version.get();
            keysInUse = keysInUse(at);
        }
        if (!keysInUse.contains(object.key())) {
            objects++;
            bytes += object.sizeBytes();
            if (deletions != null) {
                deletions.delete(object.key());
            }
        }
    }

    private Set<String> keysInUse(VersionName version) {
        var keys = new HashSet<String>();
        for (var home : inUse) {
            if (VersionName.of(home).equals(version)) {
                keys.add(ObjectKeys.plan(home));
                keys.add(ObjectKeys.tar(home));
                keys.add(ObjectKeys.index(home));
            }
        }
        return keys;
    }

    /// Empty where the key is not `datasets/<dataset>/<version>/…`.
    static Optional<VersionName> versionOf(String key) {
        var afterDataset = key.indexOf('/', ROOT.length());
        var afterVersion = afterDataset < 0 ? -1 : key.indexOf('/', afterDataset + 1);
        if (!key.startsWith(ROOT) || afterVersion < 0) {
            return Optional.empty();
        }
        try {
            return Optional.of(VersionName.parse(key.substring(ROOT.length(), afterVersion)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }
}
