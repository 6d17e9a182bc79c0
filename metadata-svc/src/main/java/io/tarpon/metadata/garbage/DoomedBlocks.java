package io.tarpon.metadata.garbage;

import io.tarpon.metadata.image.Remains.Content;
import io.tarpon.metadata.image.VersionName;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The blocks that only doomed versions have: first everything of these is added, then everything of the others is
/// kept. Holds one entry for each doomed shard.
public final class DoomedBlocks {
    private final Map<String, Content> byDigest = new HashMap<>();
    private final Set<VersionName> versions = new HashSet<>();

    public void add(VersionName version, List<Content> contents) {
        contents.forEach(content -> byDigest.put(content.sha256(), content));
        if (!contents.isEmpty()) {
            versions.add(version);
        }
    }

    public void keep(List<Content> contents) {
        contents.forEach(content -> byDigest.remove(content.sha256()));
    }

    public Collection<Content> contents() {
        return byDigest.values();
    }

    /// Whether blocks of this version may lie on nodes.
    public boolean hasBlocks(VersionName version) {
        return versions.contains(version);
    }
}
