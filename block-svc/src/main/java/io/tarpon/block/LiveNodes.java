package io.tarpon.block;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeState;
import io.tarpon.wire.placement.Placement;
import io.tarpon.wire.placement.PlacementNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/// The nodes that were up when metadata-svc was last asked. A view that is old costs a detour over the store, never
/// a wrong byte, so it stays in force while metadata-svc is away, and for a minute where more than half of the nodes
/// seem to be lost at once: then rather metadata-svc stood still than they did. Replaced whole by one thread; any may
/// read.
public final class LiveNodes {
    private static final Logger LOG = Logger.getLogger(LiveNodes.class);
    private static final long DOUBT_NANOS = Duration.ofMinutes(1).toNanos();

    private volatile View view = new View(List.of(), Map.of());
    private boolean doubting;
    private long doubtedSince;

    /// The list as metadata-svc gave it. False where it is doubted, and the one before stays in force for now.
    public boolean replace(NodeList list, long nowNanos) {
        var up = list.nodes().stream()
                .filter(node -> node.state() == NodeState.UP)
                .toList();
        if (isDoubtful(up.size(), list.nodes().size(), nowNanos)) {
            return false;
        }
        view = new View(
                up.stream()
                        .map(node -> new PlacementNode(
                                node.id(),
                                node.registration().zone(),
                                node.registration().weight()))
                        .toList(),
                up.stream()
                        .collect(Collectors.toUnmodifiableMap(
                                node -> node.id(), node -> node.registration().url())));
        return true;
    }

    private boolean isDoubtful(int up, int all, long nowNanos) {
        if (2 * up >= all || view.nodes.size() <= up) {
            doubting = false;
            return false;
        }
        if (!doubting) {
            doubting = true;
            doubtedSince = nowNanos;
            LOG.warnf("most nodes seem to be lost at once, the last list stays for a while up=%d nodes=%d", up, all);
        }
        return nowNanos - doubtedSince < DOUBT_NANOS;
    }

    /// The node that pulls the block from the store for all others. It does not depend on the number of replicas;
    /// empty while no node is known.
    Optional<Peer> firstOwner(BlockId id) {
        var now = view;
        return Placement.owners(id, now.nodes, 1).stream()
                .findFirst()
                .map(owner -> new Peer(owner.id(), String.valueOf(now.urls.get(owner.id()))));
    }

    /// Another block service.
    ///
    /// @param url as it registered it; nobody has looked whether it is one
    record Peer(String id, String url) {}

    private record View(List<PlacementNode> nodes, Map<String, String> urls) {}
}
