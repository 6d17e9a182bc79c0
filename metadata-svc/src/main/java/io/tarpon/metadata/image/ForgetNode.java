package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import java.time.Instant;
import java.util.List;

/// Forgets a node that left at `leftUpTo` or before. One that is joined, or left later, stays as it is.
public record ForgetNode(String node, Instant leftUpTo) implements Command<String> {
    public ForgetNode {
        JoinNode.requireId(node);
    }

    @Override
    public String idempotenceKey() {
        return "forget/" + node;
    }

    @Override
    public String scope() {
        return new Entity.Node(node).toString();
    }

    @Override
    public Decision decide(Image image) {
        var held = image.nodes.get(node);
        if (held == null || !held.isForgettable(leftUpTo)) {
            return new Decision.AlreadyApplied();
        }
        return Decision.append(image, List.of(new Entity.Node(node)), List.of(new Change.NodeForgotten(node)));
    }

    @Override
    public String answer(Image image) {
        return node;
    }
}
