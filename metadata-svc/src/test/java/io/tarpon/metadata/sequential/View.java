package io.tarpon.metadata.sequential;

import io.tarpon.wire.SplitName;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// What can be seen of something: its record without what tells when things happened, and how large they are.
public sealed interface View {

    record Dataset(@Nullable DatasetSpec spec, int latest, List<Version> versions) implements View {
        public Dataset {
            versions = List.copyOf(versions);
        }

        public static Dataset of(DatasetRecord record) {
            var latest = record.latest();
            return new Dataset(
                    record.spec(),
                    latest == null ? KnownVersion.NONE : latest.number(),
                    record.versions().stream().map(Version::of).toList());
        }
    }

    /// @param parent, sameAs [KnownVersion#NONE] where there is none
    record Version(
            int number,
            String requestId,
            DatasetSpec spec,
            VersionState state,
            int parent,
            int sameAs,
            @Nullable String planDigest,
            List<Split> splits)
            implements View {
        public Version {
            splits = List.copyOf(splits);
        }

        public static Version of(VersionRecord record) {
            var parent = record.parent();
            var sameAs = record.sameAs();
            return new Version(
                    record.version().number(),
                    record.requestId(),
                    record.spec(),
                    record.state(),
                    parent == null ? KnownVersion.NONE : parent.number(),
                    sameAs == null ? KnownVersion.NONE : sameAs.number(),
                    record.planDigest(),
                    record.splits().stream()
                            .map(split -> new Split(split.name(), split.shards(), split.sealedShards()))
                            .toList());
        }
    }

    record Split(SplitName name, int shards, int sealed) {}

    /// @param content SHA-256 of what it is sealed as; null where it is not
    /// @param home the version under whose keys it lies; [KnownVersion#NONE] where that is its own
    record Shard(@Nullable String content, int home) implements View {
        static final Shard PLANNED = new Shard(null, KnownVersion.NONE);

        boolean isSealed() {
            return content != null;
        }

        public static Shard of(ShardRecord record) {
            var seal = record.seal();
            var home = record.home();
            return new Shard(
                    seal == null ? null : seal.sha256(),
                    home == null ? KnownVersion.NONE : home.version().number());
        }
    }

    /// Those of each version that was not removed, split by split.
    record Shards(Map<Integer, Map<SplitName, List<Shard>>> versions) implements View {}

    record Node(NodeRegistration registration) implements View {}
}
