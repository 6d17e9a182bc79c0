package io.tarpon.wire.gateway;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// `GET /e/{d}/{v}/{split}/{seed}/{epoch}/{rank}of{world}.json` (contracts section 3): one rank's part of an epoch, as
/// URLs.
///
/// @param order the algorithm, as pinned in the version
/// @param start the first position
/// @param cursor the position that follows when every rank has read all its URLs
/// @param samples what the URLs hold together
/// @param bytes the length of the rank's one body, `{rank}of{world}.tar`, whatever it is cut into; each URL ends in
/// zeros of its own, so that the lengths of n URLs add up to 1,024 * (n - 1) bytes more
/// @param urls absolute, the version pinned; in the order of the rank's positions, piece by piece
/// @param pattern the same URLs as one that braces are expanded in; null where pieces were asked for
public record EpochDocument(
        String dataset,
        String version,
        String split,
        long seed,
        long epoch,
        int world,
        int rank,
        String order,
        long start,
        long cursor,
        long samples,
        long bytes,
        List<String> urls,
        @Nullable String pattern) {
    public EpochDocument {
        urls = List.copyOf(urls);
    }
}
