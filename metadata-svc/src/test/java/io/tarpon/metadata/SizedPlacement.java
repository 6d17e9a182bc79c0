package io.tarpon.metadata;

import io.tarpon.wire.Digests;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.placement.Placement;
import io.tarpon.wire.placement.PlacementNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Where blocks lie on so many equal nodes, and what moves when one of them goes or one more comes, by [Placement].
///
/// @param mean replicas that a node holds
/// @param least replicas on the emptiest node
/// @param most replicas on the fullest node
/// @param spread variance of what nodes hold by the mean: 1 is chance alone, so more blocks even it out
/// @param doubled blocks with two replicas on one node, or in one zone though there are others
/// @param left replicas that moved when the middle node went
/// @param held replicas that this node had
/// @param takers nodes that took over some of these
/// @param joined replicas that moved when one more node came
/// @param astray replicas that moved between two nodes that were there before and after, which none should
/// @param micros that a block's owners took to compute
record SizedPlacement(
        int nodes,
        int zones,
        int blocks,
        double mean,
        int least,
        int most,
        double spread,
        int doubled,
        int left,
        int held,
        int takers,
        int joined,
        int astray,
        double micros) {
    static final int REPLICAS = 2;
    private static final int BLOCKS_A_SHARD = 32;
    private static final double NANOS_PER_MICRO = 1e3;

    /// @param zones nodes are dealt out to them in turn
    static SizedPlacement of(int nodes, int zones, int blocks) {
        return new Run(nodes, zones).place(blocks);
    }

    double leftShare() {
        return (double) left / (REPLICAS * blocks);
    }

    double joinedShare() {
        return (double) joined / (REPLICAS * blocks);
    }

    private static final class Run {
        private final int zones;
        private final List<PlacementNode> nodes;
        private final List<PlacementNode> more;
        private final List<PlacementNode> fewer;
        private final PlacementNode leaver;
        private final PlacementNode joiner;
        private final Map<String, Integer> holds = new TreeMap<>();
        private final Set<String> takers = new HashSet<>();
        private int doubled;
        private int left;
        private int joined;
        private int astray;
        private long nanos;

        private Run(int count, int zones) {
            this.zones = zones;
            this.more = IntStream.rangeClosed(0, count)
                    .mapToObj(number -> new PlacementNode("block-svc-" + number, "zone-" + number % zones, 1))
                    .toList();
            this.joiner = more.getLast();
            this.nodes = more.subList(0, count);
            this.leaver = nodes.get(count / 2);
            this.fewer = new ArrayList<>(nodes);
            fewer.remove(leaver);
            nodes.forEach(node -> holds.put(node.id(), 0));
        }

        private SizedPlacement place(int blocks) {
            for (int number = 0; number < blocks; number++) {
                place(block(number));
            }
            var mean = (double) REPLICAS * blocks / nodes.size();
            var squares = holds.values().stream()
                    .mapToDouble(held -> (held - mean) * (held - mean))
                    .sum();
            var ordered = holds.values().stream().sorted().toList();
            return new SizedPlacement(
                    nodes.size(),
                    zones,
                    blocks,
                    mean,
                    ordered.getFirst(),
                    ordered.getLast(),
                    squares / nodes.size() / mean,
                    doubled,
                    left,
                    holds.getOrDefault(leaver.id(), 0),
                    takers.size(),
                    joined,
                    astray,
                    nanos / NANOS_PER_MICRO / blocks);
        }

        private void place(BlockId block) {
            var begun = System.nanoTime();
            var owners = Placement.owners(block, nodes, REPLICAS);
            nanos += System.nanoTime() - begun;
            owners.forEach(owner -> holds.merge(owner.id(), 1, Integer::sum));
            var inZones = owners.stream().map(PlacementNode::zone).distinct().count();
            if (Set.copyOf(owners).size() != REPLICAS || inZones != Math.min(REPLICAS, zones)) {
                doubled++;
            }
            var without = Placement.owners(block, fewer, REPLICAS);
            for (var taker : missingIn(owners, without)) {
                left++;
                takers.add(taker.id());
            }
            astray += (int) missingIn(without, owners).stream()
                    .filter(node -> !node.equals(leaver))
                    .count();
            var with = Placement.owners(block, more, REPLICAS);
            joined += missingIn(owners, with).size();
            astray += (int) missingIn(owners, with).stream()
                    .filter(node -> !node.equals(joiner))
                    .count();
        }

        private static List<PlacementNode> missingIn(List<PlacementNode> some, List<PlacementNode> of) {
            return of.stream().filter(node -> !some.contains(node)).toList();
        }

        private static BlockId block(int number) {
            var shard = Digests.sha256Hex(("shard " + number / BLOCKS_A_SHARD).getBytes(StandardCharsets.UTF_8));
            return BlockId.of(shard, number % BLOCKS_A_SHARD);
        }
    }
}
