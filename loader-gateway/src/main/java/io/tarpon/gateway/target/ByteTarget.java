package io.tarpon.gateway.target;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import org.jspecify.annotations.Nullable;

/// What a URL below `/d` asks for.
///
/// @param version null for `latest`
/// @param rest the path behind the version, as it was sent
public record ByteTarget(DatasetName dataset, @Nullable VersionId version, SplitName split, Thing thing, String rest) {

    /// One thing of a split.
    public sealed interface Thing {
        /// The word under which requests for it are counted.
        String route();
    }

    public record Tar(ShardName shard) implements Thing {
        @Override
        public String route() {
            return "shard";
        }
    }

    /// DALI's text index of a shard.
    public record Idx(ShardName shard) implements Thing {
        @Override
        public String route() {
            return "idx";
        }
    }

    public record Wids() implements Thing {
        @Override
        public String route() {
            return "wids";
        }
    }

    public record Urls() implements Thing {
        @Override
        public String route() {
            return "urls";
        }
    }

    /// A sample by ordinal, or one member of it.
    ///
    /// @param extension null for the whole sample
    public record Ordinal(long ordinal, @Nullable String extension) implements Thing {
        @Override
        public String route() {
            return extension == null ? "sample" : "member";
        }
    }

    /// A sample by key, or one member of it.
    ///
    /// @param extension null for the whole sample
    public record Key(String key, @Nullable String extension) implements Thing {
        @Override
        public String route() {
            return extension == null ? "sample" : "member";
        }
    }
}
