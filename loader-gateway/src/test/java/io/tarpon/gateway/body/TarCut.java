package io.tarpon.gateway.body;

import io.tarpon.wire.index.ShardIndex;

/// Whether a tar reader notices that a shard ends too early.
public final class TarCut {
    private TarCut() {}

    /// Whether a shard cut after `bytes` bytes ends strictly inside a member's data.
    public static boolean isInsideData(ShardIndex index, long bytes) {
        for (int sample = 0; sample < index.sampleCount(); sample++) {
            for (var member : index.members(sample)) {
                if (bytes > member.dataOffset() && bytes < member.dataOffset() + member.size()) {
                    return true;
                }
            }
        }
        return false;
    }
}
