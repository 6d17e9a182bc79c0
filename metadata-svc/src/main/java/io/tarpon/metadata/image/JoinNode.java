package io.tarpon.metadata.image;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.wire.Digests;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeRegistration;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Makes a node part of the cluster, or changes what it registered. Who joined last under an id is the node.
///
/// @param incarnation which process it is; null where it does not tell
public record JoinNode(
        String node,
        NodeRegistration registration,
        @Nullable String incarnation) implements Command<NodeRegistration> {
    private static final int MAX_INCARNATION_CHARS = 64;

    public JoinNode {
        requireId(node);
        requireHttp(registration.url());
        if (incarnation != null && (incarnation.isBlank() || incarnation.length() > MAX_INCARNATION_CHARS)) {
            throw TarponException.badParameter("incarnation must have 1 to " + MAX_INCARNATION_CHARS + " characters");
        }
    }

    /// The id back, or `bad-parameter`.
    public static String requireId(String id) {
        try {
            return NodeRegistration.requireId(id);
        } catch (IllegalArgumentException e) {
            throw TarponException.badParameter(String.valueOf(e.getMessage()));
        }
    }

    /// What a process is told that is not the node any more.
    static TarponException overtaken(String node, NodeRegistration now) {
        return new TarponException(
                ProblemType.CONFLICT,
                "node " + node + " is another process now, at " + now.url()
                        + ": give each block service an id of its own");
    }

    @Override
    public String idempotenceKey() {
        return "join/" + node + "/" + Digests.sha256Hex(Json.bytes(registration))
                + (incarnation == null ? "" : "/" + incarnation);
    }

    @Override
    public String scope() {
        return new Entity.Node(node).toString();
    }

    @Override
    public Decision decide(Image image) {
        var held = image.nodes.get(node);
        if (held != null && registration.equals(held.registration) && Objects.equals(incarnation, held.incarnation)) {
            return new Decision.AlreadyApplied();
        }
        Limits.requireRoomForNode(image, node);
        return Decision.append(
                image, List.of(new Entity.Node(node)), List.of(new Change.NodeJoined(node, registration, incarnation)));
    }

    @Override
    public NodeRegistration answer(Image image) {
        return image.reads().node(node);
    }

    private static void requireHttp(String url) {
        try {
            var uri = URI.create(url);
            if (uri.getHost() != null && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme()))) {
                return;
            }
        } catch (IllegalArgumentException e) {
            throw new TarponException(ProblemType.BAD_PARAMETER, "url: not a URL: " + e.getMessage(), e);
        }
        throw TarponException.badParameter("url: '" + url + "' is not http://host:port");
    }
}
