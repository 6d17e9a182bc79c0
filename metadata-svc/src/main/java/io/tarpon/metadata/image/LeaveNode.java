package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Takes a node out of the cluster. One that is not in it has left. A process that was overtaken by another one of its
/// id must not take that out.
///
/// @param incarnation which process leaves; null for whichever it is
public record LeaveNode(String node, @Nullable String incarnation) implements Command<String> {
    public LeaveNode {
        JoinNode.requireId(node);
    }

    @Override
    public String idempotenceKey() {
        return "leave/" + node;
    }

    @Override
    public String scope() {
        return new Entity.Node(node).toString();
    }

    @Override
    public Decision decide(Image image) {
        var held = image.nodes.get(node);
        if (held == null || held.registration == null) {
            return new Decision.AlreadyApplied();
        }
        if (incarnation != null && !held.isOf(incarnation)) {
            throw JoinNode.overtaken(node, held.registration);
        }
        return Decision.append(image, List.of(new Entity.Node(node)), List.of(new Change.NodeLeft(node)));
    }

    @Override
    public String answer(Image image) {
        return node;
    }
}
