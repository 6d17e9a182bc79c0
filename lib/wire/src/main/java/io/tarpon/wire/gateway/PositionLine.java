package io.tarpon.wire.gateway;

import java.util.List;

/// One line of `GET /e/{d}/{v}/{split}/{seed}/{epoch}/positions` (contracts section 3): which sample comes at a
/// position, and which inputs it was made of.
///
/// @param position in the epoch, from 0
/// @param ordinal of the sample in its split, from 0
/// @param key of the sample, as in the shard
/// @param shard its name
/// @param sources one for each member, in tar order
public record PositionLine(long position, long ordinal, String key, String shard, List<Source> sources) {
    public PositionLine {
        sources = List.copyOf(sources);
    }

    /// One input.
    ///
    /// @param key in the source, below its prefix
    /// @param etag as the source gave it when the version was planned
    public record Source(String key, String etag) {}
}
