package io.tarpon.wire.placement;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.key.KeyOrder;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Weighted rendezvous hashing (Thaler and Ravishankar; weights after Schindelhauer and Schomaker): every node scores a
/// block by itself, the highest scores own it. A node that leaves moves its own blocks only, onto all that stay. Pure:
/// the same nodes in any order give the same owners in every process and build.
public final class Placement {
    private static final double UNIT = 0x1.0p-52;

    private Placement() {}

    /// The nodes that should hold a block, the first owner first: by score, in distinct zones while there are
    /// zones left, then by score in any. Fewer than `replicas` where there are fewer nodes.
    ///
    /// @param nodes ids distinct
    /// @param replicas at least 1
    public static List<PlacementNode> owners(BlockId block, Collection<PlacementNode> nodes, int replicas) {
        if (replicas < 1) {
            throw new IllegalArgumentException("a block has at least one replica, not " + replicas);
        }
        List<Scored> ranked = ranked(block, nodes);
        List<PlacementNode> owners = new ArrayList<>(Math.min(replicas, ranked.size()));
        List<PlacementNode> passedOver = new ArrayList<>();
        Set<String> zones = new HashSet<>();
        for (Scored scored : ranked) {
            if (owners.size() == replicas) {
                return List.copyOf(owners);
            }
            (zones.add(scored.node.zone()) ? owners : passedOver).add(scored.node);
        }
        int missing = Math.min(replicas - owners.size(), passedOver.size());
        owners.addAll(passedOver.subList(0, missing));
        return List.copyOf(owners);
    }

    private static List<Scored> ranked(BlockId block, Collection<PlacementNode> nodes) {
        long blockBits = mix(block.high()) ^ Long.rotateLeft(mix(~block.low()), 32);
        List<Scored> ranked = new ArrayList<>(nodes.size());
        Set<String> ids = new HashSet<>();
        for (PlacementNode node : nodes) {
            if (!ids.add(node.id())) {
                throw new IllegalArgumentException("two nodes have the id " + node.id());
            }
            ranked.add(new Scored(node, score(blockBits, node)));
        }
        ranked.sort(Comparator.comparingDouble(Scored::score)
                .reversed()
                .thenComparing(scored -> scored.node.id(), KeyOrder.UTF8));
        return ranked;
    }

    /// -weight / ln(u) for u uniform in (0, 1); StrictMath, so that every platform agrees on the last bit.
    private static double score(long blockBits, PlacementNode node) {
        long hash = mix(blockBits ^ mix(fnv1a(node.id())));
        double uniform = ((hash >>> 12) + 0.5) * UNIT;
        return -node.weight() / StrictMath.log(uniform);
    }

    /// FNV-1a, 64 bits, over the id's UTF-8 bytes.
    private static long fnv1a(String id) {
        long hash = 0xcbf29ce484222325L;
        for (byte b : id.getBytes(UTF_8)) {
            hash = (hash ^ (b & 0xff)) * 0x100000001b3L;
        }
        return hash;
    }

    /// The finaliser of SplitMix64: every input bit reaches every output bit.
    private static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private record Scored(PlacementNode node, double score) {}
}
