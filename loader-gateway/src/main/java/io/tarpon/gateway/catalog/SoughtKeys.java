package io.tarpon.gateway.catalog;

import io.tarpon.wire.index.ShardIndex;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// Keys that are looked for in one shard after the other; those that are found are looked for no more. Owned by
/// one thread.
final class SoughtKeys {
    private final String[] left;
    private final long[] hashes;
    private final Map<String, Long> found = new HashMap<>();
    private int count;

    SoughtKeys(Set<String> keys) {
        this.left = keys.toArray(String[]::new);
        this.hashes = new long[left.length];
        this.count = left.length;
        for (int i = 0; i < count; i++) {
            hashes[i] = KeyFilter.hash(left[i]);
        }
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// Whether a shard may have one of those that are left.
    boolean mayBeIn(KeyFilter filter) {
        for (int i = 0; i < count; i++) {
            if (filter.mayHave(hashes[i])) {
                return true;
            }
        }
        return false;
    }

    /// Looks for those that are left in one shard.
    ///
    /// @param filter of that shard
    /// @param firstSample ordinal in the split of the shard's first sample
    void find(KeyFilter filter, ShardIndex index, long firstSample) {
        int kept = 0;
        for (int i = 0; i < count; i++) {
            var sample = filter.mayHave(hashes[i]) ? index.find(left[i]).orElse(-1) : -1;
            if (sample < 0) {
                left[kept] = left[i];
                hashes[kept++] = hashes[i];
            } else {
                found.put(left[i], firstSample + sample);
            }
        }
        count = kept;
    }

    /// Ordinals in the split, by key.
    Map<String, Long> found() {
        return found;
    }
}
