package io.tarpon.gateway.order;

import io.tarpon.wire.Digests;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// What an epoch's order depends on, beside the shuffle.
///
/// @param seed,epoch from 0
/// @param splitDigest of the sealed split, 64 lower-case hex digits
public record EpochSeed(long seed, long epoch, String splitDigest) {
    private static final String LABEL = "tarpon p1 ";

    public EpochSeed {
        if (seed < 0 || epoch < 0) {
            throw new IllegalArgumentException("negative seed " + seed + " or epoch " + epoch);
        }
        Digests.requireSha256("split digest", splitDigest);
    }

    /// The key of all permutations of one kind in this epoch.
    PermutationKey key(Permuted what) {
        var text = LABEL + what.word() + " " + seed + " " + epoch + " " + splitDigest;
        var hash = ByteBuffer.wrap(Digests.sha256().digest(text.getBytes(StandardCharsets.US_ASCII)));
        return new PermutationKey(hash.getLong(), hash.getLong(), hash.getLong(), hash.getLong());
    }
}
