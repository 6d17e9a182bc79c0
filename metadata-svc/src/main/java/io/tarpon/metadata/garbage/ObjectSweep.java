package io.tarpon.metadata.garbage;

import io.tarpon.metadata.image.VersionName;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.StoredObject;
import io.tarpon.wire.ObjectKeys;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// One walk through everything below `datasets/`. Of a doomed version everything goes, unless a version that stays lies
/// there. Of a sealed version goes what no record names: objects of attempts that came second or died, plans of an
/// earlier try. Which names count is settled there, for a sealed version takes no plan and no seal any more; what an
/// attempt that still runs writes later, the next walk finds. What is of any other version is not touched: one that is
/// being planned or built may yet name what lies there, and so may one that failed, where it is tried again.
///
/// For one thread.
public final class ObjectSweep {
    private static final String ROOT = "datasets/";

    private final ObjectStore store;
    private final Set<VersionName> doomed;
    private final Set<String> inUse;
    private final Set<VersionName> sealed;
    private final Predicate<String> isNamed;
    private final @Nullable Deletions deletions;
    private @Nullable VersionName at;
    private Predicate<String> stays = _ -> true;
    private long objects;
    private long bytes;

    /// @param inUse keys of doomed versions that others use
    /// @param isNamed whether a record of the key's sealed version names it
    /// @param deletions null where objects are only counted
    public ObjectSweep(
            ObjectStore store,
            Set<VersionName> doomed,
            Set<String> inUse,
            Set<VersionName> sealed,
            Predicate<String> isNamed,
            @Nullable Deletions deletions) {
        this.store = store;
        this.doomed = doomed;
        this.inUse = inUse;
        this.sealed = sealed;
        this.isNamed = isNamed;
        this.deletions = deletions;
    }

    /// After an exception some objects may be deleted; walk again.
    public void run() throws IOException {
        if (!doomed.isEmpty() || !sealed.isEmpty()) {
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
        if (version.isEmpty()) {
            return;
        }
        if (!version.get().equals(at)) {
            at = version.get();
            stays = stays(at);
        }
        if (!stays.test(object.key())) {
            objects++;
            bytes += object.sizeBytes();
            if (deletions != null) {
                deletions.delete(object.key());
            }
        }
    }

    private Predicate<String> stays(VersionName version) {
        if (doomed.contains(version)) {
            return inUse::contains;
        }
        if (sealed.contains(version)) {
            var report = ObjectKeys.report(version.dataset(), version.version());
            return key -> key.equals(report) || isNamed.test(key);
        }
        return _ -> true;
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
