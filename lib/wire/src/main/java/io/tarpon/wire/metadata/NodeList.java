package io.tarpon.wire.metadata;

import java.util.List;

/// Every node that joined and did not leave, by id; `revision` changes when one joins or leaves.
public record NodeList(long revision, List<NodeRecord> nodes) {
    public NodeList {
        nodes = List.copyOf(nodes);
    }
}
