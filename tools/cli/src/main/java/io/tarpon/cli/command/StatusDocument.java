package io.tarpon.cli.command;

import io.tarpon.cluster.plan.ClusterStatus;
import io.tarpon.wire.metadata.SplitRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `tarpon status` of a cluster that runs: its processes and nodes, and what they have to do.
///
/// @param versions in work; null where metadata-svc does not answer
/// @param lag records that wait in a topic for a group; a group that does not answer is missing
/// @param deadLetters that were not put back; null where ingest-fn does not answer
record StatusDocument(
        String state,
        @Nullable String gateway,
        List<ClusterStatus.MemberState> processes,
        List<ClusterStatus.Node> nodes,
        @Nullable List<InWork> versions,
        List<Lag> lag,
        @Nullable Letters deadLetters) {

    /// A version that is planned or built. Totals are 0 until it is planned.
    ///
    /// @param stillSeconds since it came on last, by metadata-svc's clock
    record InWork(
            String dataset,
            String version,
            String state,
            int shards,
            int sealedShards,
            long bytes,
            long sealedBytes,
            long stillSeconds) {
        static InWork of(VersionRecord version, Duration still) {
            var splits = version.splits();
            return new InWork(
                    version.dataset().value(),
                    version.version().toString(),
                    version.state().wireName(),
                    splits.stream().mapToInt(SplitRecord::shards).sum(),
                    splits.stream().mapToInt(SplitRecord::sealedShards).sum(),
                    version.bytes(),
                    splits.stream().mapToLong(SplitRecord::sealedBytes).sum(),
                    Math.max(0, still.toSeconds()));
        }
    }

    record Lag(String topic, String group, long records) {}

    /// @param more there are at least so many
    record Letters(int count, boolean more) {}
}
