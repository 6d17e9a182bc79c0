package io.tarpon.wire.index;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/// The shard list of WebDataset's `wids`, version 1.
///
/// @param base prefix of the shards' URLs
@JsonPropertyOrder({"__kind__", "wids_version", "name", "base", "shardlist"})
public record Wids(
        @JsonProperty("__kind__") String kind,
        @JsonProperty("wids_version") int widsVersion,
        String name,
        String base,
        List<WidsShard> shardlist) {
    private static final String KIND = "wids-shard-index-v1";

    public Wids {
        if (!kind.equals(KIND) || widsVersion != 1) {
            throw new IllegalArgumentException("not a wids index of version 1: " + kind + ' ' + widsVersion);
        }
        shardlist = List.copyOf(shardlist);
    }

    /// @param shards in order of their URLs
    public static Wids of(String name, String base, List<WidsShard> shards) {
        return new Wids(KIND, 1, name, base, shards);
    }

    /// One shard of a [Wids].
    ///
    /// @param url absolute, or relative to the base
    /// @param nsamples samples in the shard
    /// @param filesize bytes
    public record WidsShard(String url, long nsamples, long filesize) {
        public WidsShard {
            if (url.isEmpty() || nsamples <= 0 || filesize <= 0) {
                throw new IllegalArgumentException("not a shard of a wids index: " + url);
            }
        }
    }
}
