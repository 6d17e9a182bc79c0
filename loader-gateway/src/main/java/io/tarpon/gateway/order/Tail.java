package io.tarpon.gateway.order;

import io.tarpon.gateway.target.Percent;
import io.tarpon.wire.http.TarponException;
import java.util.Locale;

/// What becomes of the last positions where they do not fill a batch for every rank.
public enum Tail {
    /// They are left out: every rank has as many samples as every other.
    DROP,
    /// The first positions are repeated behind them: every rank has as many samples as every other.
    PAD,
    /// They are dealt out as far as they go: ranks may differ by up to one batch.
    KEEP;

    /// The value of the query parameter `tail`; anything else is refused as `bad-parameter`.
    public static Tail parse(String word) {
        return switch (word) {
            case "drop" -> DROP;
            case "pad" -> PAD;
            case "keep" -> KEEP;
            default ->
                throw TarponException.badParameter(
                        "tail '" + Percent.printable(word) + "' is none of drop, pad and keep");
        };
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
