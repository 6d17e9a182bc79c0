package io.tarpon.gateway.order;

import io.tarpon.gateway.target.Percent;
import io.tarpon.wire.http.TarponException;
import java.util.Locale;

/// How the samples of a split are ordered in an epoch.
public enum Shuffle {
    /// All samples, each anywhere.
    GLOBAL,
    /// Blocks in any order, the samples of each in any order: a block is read once.
    BLOCK,
    /// Shards in any order, the samples of each in any order.
    SHARD,
    /// As they lie in the shards.
    NONE;

    /// The value of the query parameter `shuffle`; anything else is refused as `bad-parameter`.
    public static Shuffle parse(String word) {
        return switch (word) {
            case "global" -> GLOBAL;
            case "block" -> BLOCK;
            case "shard" -> SHARD;
            case "none" -> NONE;
            default ->
                throw TarponException.badParameter(
                        "shuffle '" + Percent.printable(word) + "' is none of global, block, shard and none");
        };
    }

    public String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
