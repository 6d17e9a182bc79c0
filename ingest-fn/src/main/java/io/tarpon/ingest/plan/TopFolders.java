package io.tarpon.ingest.plan;

import io.tarpon.store.SourceObject;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.key.KeyPolicy;
import io.tarpon.wire.key.Named;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What a listing shows of the folders at the top, for splits by folder: fed with every object, asked at the end.
public final class TopFolders {
    private static final Set<String> SPLIT_NAMES = Set.of("train", "val", "valid", "validation", "dev", "test");

    private final TreeSet<String> found = new TreeSet<>();
    private boolean others;

    /// Only folders with an object that can become a member count.
    public void see(SourceObject object) {
        int slash = object.key().indexOf('/');
        if (slash < 0 || others) {
            return;
        }
        var folder = object.key().substring(0, slash);
        boolean known = found.contains(folder);
        if (!known && SplitLayout.fits(object) && KeyPolicy.classify(object.key()) instanceof Named.Member) {
            if (SPLIT_NAMES.contains(folder)) {
                found.add(folder);
            } else {
                others = true;
            }
        }
    }

    /// The splits that the folders are, in order of name; empty where the folders do not make splits.
    public List<SplitName> splits() {
        return others ? List.of() : found.stream().map(SplitName::new).toList();
    }
}
