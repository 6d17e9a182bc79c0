package io.tarpon.wire.metadata;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// How the list of nodes differs from what it was, as one replica of metadata-svc sees them.
///
/// That a node holds more or less is no change: `blocks` and `bytes` are those of when the node was told.
///
/// @param tag names all that the list says now, whichever replica says it; goes into the next request's `since`
/// @param since the tag of the list that this is the difference to; null where it is to none, and `nodes` is the list
/// @param revision of the list now
/// @param nodes those that came or changed, by id
/// @param left ids of those that are not there any more, in order
public record NodeChanges(
        String tag,
        @JsonSetter(nulls = Nulls.SET) @Nullable String since,
        long revision,
        List<NodeRecord> nodes,
        List<String> left) {
    public NodeChanges {
        nodes = List.copyOf(nodes);
        left = List.copyOf(left);
        if (since == null && !left.isEmpty()) {
            throw new IllegalArgumentException(left.size() + " nodes left a list that nothing is known of");
        }
    }

    /// Whether the list is as it was.
    public boolean changesNothing() {
        return tag.equals(since);
    }

    /// The list now.
    ///
    /// @param before the list of `since`; whatever it is where that is null
    public NodeList after(NodeList before) {
        if (since == null) {
            return new NodeList(revision, nodes);
        }
        var byId = new TreeMap<String, NodeRecord>();
        before.nodes().forEach(node -> byId.put(node.id(), node));
        left.forEach(byId::remove);
        nodes.forEach(node -> byId.put(node.id(), node));
        return new NodeList(revision, List.copyOf(byId.values()));
    }
}
