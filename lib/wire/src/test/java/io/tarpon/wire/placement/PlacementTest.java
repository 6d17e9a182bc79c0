package io.tarpon.wire.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.tarpon.wire.block.BlockId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PlacementTest {
    private static final int BLOCKS = 20_000;
    private static final byte[] SHARD = new byte[32];

    @Test
    void everyNodeOwnsItsShareOfTheBlocks() {
        List<PlacementNode> nodes = nodes(10, 10);
        Map<String, Integer> owned = firstOwners(nodes);
        for (PlacementNode node : nodes) {
            assertThat((double) owned.getOrDefault(node.id(), 0)).isCloseTo(BLOCKS / 10.0, within(BLOCKS * 0.01));
        }
    }

    @Test
    void nodeOfThreefoldWeightOwnsThreefoldBlocks() {
        List<PlacementNode> nodes = new ArrayList<>(nodes(3, 3));
        nodes.add(new PlacementNode("big", "z-big", 3));
        assertThat((double) firstOwners(nodes).getOrDefault("big", 0)).isCloseTo(BLOCKS / 2.0, within(BLOCKS * 0.02));
    }

    @Test
    void orderOfTheNodesDoesNotMatter() {
        long seed = 5;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<PlacementNode> nodes = new ArrayList<>(nodes(9, 4));
        for (int i = 0; i < 500; i++) {
            List<PlacementNode> before = Placement.owners(block(i), nodes, 3);
            Collections.shuffle(nodes, random);
            assertThat(Placement.owners(block(i), nodes, 3)).isEqualTo(before);
        }
    }

    @Test
    void replicasAreInDistinctZonesWhileThereAreZones() {
        List<PlacementNode> nodes = nodes(12, 4);
        for (int i = 0; i < 1000; i++) {
            assertThat(zones(Placement.owners(block(i), nodes, 3))).hasSize(3);
            List<PlacementNode> six = Placement.owners(block(i), nodes, 6);
            assertThat(six).hasSize(6).doesNotHaveDuplicates();
            assertThat(zones(six.subList(0, 4))).hasSize(4);
        }
    }

    @Test
    void fewerNodesThanReplicasAllOwnTheBlock() {
        assertThat(Placement.owners(block(1), nodes(2, 1), 3)).hasSize(2);
        assertThat(Placement.owners(block(1), List.of(), 3)).isEmpty();
    }

    @Test
    void nodeThatLeavesMovesItsOwnBlocksOnlyAndOntoAllThatStay() {
        List<PlacementNode> nodes = nodes(10, 5);
        PlacementNode gone = nodes.get(3);
        List<PlacementNode> left = nodes.stream().filter(n -> !n.equals(gone)).toList();
        Map<String, Integer> gained = new HashMap<>();
        for (int i = 0; i < BLOCKS; i++) {
            List<PlacementNode> before = Placement.owners(block(i), nodes, 2);
            List<PlacementNode> after = Placement.owners(block(i), left, 2);
            if (!before.contains(gone)) {
                assertThat(after).isEqualTo(before);
            } else {
                PlacementNode kept = before.getFirst().equals(gone) ? before.getLast() : before.getFirst();
                assertThat(after).contains(kept);
                after.stream().filter(n -> !n.equals(kept)).forEach(n -> gained.merge(n.id(), 1, Integer::sum));
            }
        }
        assertThat(gained).hasSize(9);
    }

    @Test
    void ownersAreTheGoldenOnes() {
        assertThat(IntStream.range(0, 8)
                        .mapToObj(i -> Placement.owners(block(i), nodes(5, 5), 2).stream()
                                .map(PlacementNode::id)
                                .toList()
                                .toString()))
                .containsExactly(
                        "[node-3, node-1]",
                        "[node-0, node-3]",
                        "[node-2, node-1]",
                        "[node-4, node-0]",
                        "[node-0, node-1]",
                        "[node-2, node-1]",
                        "[node-1, node-4]",
                        "[node-4, node-2]");
    }

    @Test
    void nonsenseIsRefused() {
        List<PlacementNode> twice = List.of(new PlacementNode("a", "z", 1), new PlacementNode("a", "y", 1));
        assertThatThrownBy(() -> Placement.owners(block(0), twice, 1)).hasMessageContaining("id a");
        assertThatThrownBy(() -> Placement.owners(block(0), nodes(1, 1), 0))
                .isInstanceOf(IllegalArgumentException.class);
        for (double weight : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
            assertThatThrownBy(() -> new PlacementNode("a", "z", weight)).hasMessageContaining("weight of node a");
        }
    }

    private static Map<String, Integer> firstOwners(List<PlacementNode> nodes) {
        Map<String, Integer> owned = new HashMap<>();
        for (int i = 0; i < BLOCKS; i++) {
            owned.merge(Placement.owners(block(i), nodes, 1).getFirst().id(), 1, Integer::sum);
        }
        return owned;
    }

    private static Set<String> zones(List<PlacementNode> nodes) {
        Set<String> zones = new HashSet<>();
        nodes.forEach(node -> zones.add(node.zone()));
        return zones;
    }

    private static List<PlacementNode> nodes(int count, int zones) {
        return IntStream.range(0, count)
                .mapToObj(i -> new PlacementNode("node-" + i, "zone-" + i % zones, 1))
                .toList();
    }

    private static BlockId block(int number) {
        return BlockId.of(SHARD, number);
    }
}
