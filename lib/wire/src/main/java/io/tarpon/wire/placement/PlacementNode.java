package io.tarpon.wire.placement;

/// A node that blocks can be placed on.
///
/// @param zone its failure domain
/// @param weight its share, relative to the other nodes'; above 0
public record PlacementNode(String id, String zone, double weight) {
    public PlacementNode {
        if (id.isEmpty() || zone.isEmpty()) {
            throw new IllegalArgumentException("a node has an id and a zone");
        }
        if (!(weight > 0) || Double.isInfinite(weight)) {
            throw new IllegalArgumentException("weight of node " + id + " is not above 0: " + weight);
        }
    }
}
