package io.tarpon.metadata.garbage;

import io.tarpon.metadata.image.Remains.Content;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The blocks that only doomed versions have: first everything of these is added, then everything of the others is
/// kept. Holds one entry for each doomed shard.
public final class DoomedBlocks {
    private final Map<String, Content> byDigest = new HashMap<>();

    public void add(List<Content> contents) {
        contents.forEach(content -> byDigest.put(content.sha256(), content));
    }

    public void keep(List<Content> contents) {
        contents.forEach(content -> byDigest.remove(content.sha256()));
    }

    public Collection<Content> contents() {
        return byDigest.values();
    }
}
