package io.tarpon.cluster.plan;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// `tarpon status` (contracts section 6).
///
/// @param state `up` when every process answers, `degraded` when one does not, `down` when none runs
public record ClusterStatus(String state, @Nullable String gateway, List<MemberState> processes, List<Node> nodes) {

    /// @param state `starting`, `up` or `exited`
    public record MemberState(String name, long pid, String url, String state, String form, long rssBytes) {}

    /// A block service as metadata-svc sees it.
    public record Node(String id, String host, String zone, String state, long blocks, long bytes) {}

    public static ClusterStatus down() {
        return new ClusterStatus("down", null, List.of(), List.of());
    }
}
