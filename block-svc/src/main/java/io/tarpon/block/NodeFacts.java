package io.tarpon.block;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/// What `GET /v1/node` answers.
///
/// @param registered whether metadata-svc knows this node, as far as the node knows
/// @param disks those of [#dataDirs] that could be opened
/// @param openFiles block files open for readers to come
/// @param openReads block requests that are being answered
/// @param fills blocks on their way
/// @param usesUnwritten blocks whose last use is not in the index yet
@RegisterForReflection
public record NodeFacts(
        String id,
        String host,
        String zone,
        String url,
        boolean registered,
        long blocks,
        long bytes,
        long capacityBytes,
        List<String> dataDirs,
        List<DiskFacts> disks,
        long openFiles,
        int openReads,
        int fills,
        int usesUnwritten) {
    public NodeFacts {
        dataDirs = List.copyOf(dataDirs);
        disks = List.copyOf(disks);
    }

    /// A data folder that is open.
    ///
    /// @param id its name for good
    /// @param state `well`, `resting` after a failure, or `silent`: it does not answer
    /// @param failures of its disk since the start
    @RegisterForReflection
    public record DiskFacts(
            String dir, String id, String state, long blocks, long bytes, long capacityBytes, long failures) {}
}
