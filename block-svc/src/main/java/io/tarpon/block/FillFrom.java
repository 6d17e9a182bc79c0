package io.tarpon.block;

import java.util.Locale;

/// Where a block that is missing may come from.
public enum FillFrom {
    /// From the block's first owner, which takes it from the store; from the store where this node is that owner,
    /// or it fails.
    PEER,
    /// From the store only: what the first owner is asked with, so that no two nodes ask each other in a ring.
    STORE,
    /// From nowhere: only what is here is served.
    NONE;

    public static FillFrom parse(String text) {
        for (var from : values()) {
            if (from.name().toLowerCase(Locale.ROOT).equals(text)) {
                return from;
            }
        }
        throw new IllegalArgumentException("fill is peer, store or none");
    }
}
