package io.tarpon.gateway.target;

import io.tarpon.gateway.order.Share;
import io.tarpon.wire.http.TarponException;

/// What the query of a rank's manifest says.
///
/// @param epoch what is cut
/// @param workers loader workers of the rank; 1 for the rank's own body
/// @param pieces how many consecutive parts; [#UNCUT] where the URL does not say
public record ManifestOptions(EpochOptions epoch, int workers, int pieces) {
    /// Not cut into pieces: other than one piece, that needs no full step and goes with every tail.
    public static final int UNCUT = 0;

    /// The most URLs in a manifest.
    public static final int MOST_URLS = 10_000;

    public ManifestOptions {
        Share.upToMost("workers", workers);
        if (pieces != UNCUT) {
            Share.upToMost("pieces", pieces);
        }
        var urls = (long) workers * Math.max(1, pieces);
        if (urls > MOST_URLS) {
            throw TarponException.badParameter("workers " + workers + (pieces == UNCUT ? "" : " and pieces " + pieces)
                    + " make " + urls + " URLs, more than " + MOST_URLS + " in one document; ask for fewer");
        }
    }
}
