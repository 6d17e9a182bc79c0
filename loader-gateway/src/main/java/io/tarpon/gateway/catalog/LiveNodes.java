package io.tarpon.gateway.catalog;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeState;
import io.tarpon.wire.placement.Placement;
import io.tarpon.wire.placement.PlacementNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/// The nodes that are up, as of one answer of metadata-svc, which stands until they change. Remembers the
/// owners of the first few thousand blocks it was asked for: an epoch asks for the same ones again and again.
///
/// Threads: any; what is remembered only grows, and two that compute the same owners get equal ones.
public final class LiveNodes {
    public static final LiveNodes NONE = new LiveNodes(List.of());

    private static final int MOST_REMEMBERED = 4096;

    private final Map<String, NodeRecord> byId = new HashMap<>();
    private final List<PlacementNode> placement = new ArrayList<>();
    private final Map<BlockId, Owned> owned = new ConcurrentHashMap<>();

    private record Owned(int replicas, List<NodeRecord> nodes) {}

    private LiveNodes(List<NodeRecord> nodes) {
        for (var node : nodes) {
            if (node.state() == NodeState.UP) {
                byId.put(node.id(), node);
                placement.add(new PlacementNode(
                        node.id(),
                        node.registration().zone(),
                        node.registration().weight()));
            }
        }
    }

    public static LiveNodes of(NodeList list) {
        return new LiveNodes(list.nodes());
    }

    /// The owners of a block, the first owner first; fewer than `replicas` where fewer nodes are up.
    public List<NodeRecord> owners(BlockId block, int replicas) {
        if (placement.isEmpty()) {
            return List.of();
        }
        var known = owned.get(block);
        if (known != null && known.replicas == replicas) {
            return known.nodes;
        }
        var nodes = compute(block, replicas);
        if (owned.size() < MOST_REMEMBERED) {
            owned.put(block, new Owned(replicas, nodes));
        }
        return nodes;
    }

    private List<NodeRecord> compute(BlockId block, int replicas) {
        return Placement.owners(block, placement, replicas).stream()
                .map(node -> Objects.requireNonNull(byId.get(node.id())))
                .toList();
    }

    public int count() {
        return byId.size();
    }
}
