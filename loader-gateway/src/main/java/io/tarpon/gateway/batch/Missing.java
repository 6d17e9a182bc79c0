package io.tarpon.gateway.batch;

import io.tarpon.gateway.target.Percent;
import io.tarpon.wire.http.TarponException;

/// What becomes of a batch some samples of which are not there.
public enum Missing {
    /// It is refused.
    FAIL,
    /// Each has an empty member in its place.
    PLACEHOLDER;

    /// The value in a batch's body; anything else is refused as `bad-parameter`.
    static Missing parse(String word) {
        return switch (word) {
            case "fail" -> FAIL;
            case "placeholder" -> PLACEHOLDER;
            default ->
                throw TarponException.badParameter(
                        "missing '" + Percent.printable(word) + "' is neither fail nor placeholder");
        };
    }
}
