package io.tarpon.block;

import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.List;

/// What `GET /v1/node` answers.
///
/// @param registered whether metadata-svc knows this node, as far as the node knows
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
        long openFiles,
        int openReads,
        int fills,
        int usesUnwritten) {
    public NodeFacts {
        dataDirs = List.copyOf(dataDirs);
    }
}
