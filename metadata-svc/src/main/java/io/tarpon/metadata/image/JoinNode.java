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
import java.util.regex.Pattern;

/// Makes a node part of the cluster, or changes what it registered.
public record JoinNode(String node, NodeRegistration registration) implements Command<NodeRegistration> {
    private static final Pattern ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,62}");

    public JoinNode {
        requireId(node);
        requireHttp(registration.url());
    }

    /// The id back, or `bad-parameter`.
    public static String requireId(String id) {
        if (!ID.matcher(id).matches()) {
            throw TarponException.badParameter("node id '" + id.replaceAll("\\p{Cntrl}", "?") + "' must match " + ID);
        }
        return id;
    }

    @Override
    public String idempotenceKey() {
        return "join/" + node + "/" + Digests.sha256Hex(Json.bytes(registration));
    }

    @Override
    public String scope() {
        return new Entity.Node(node).toString();
    }

    @Override
    public Decision decide(Image image) {
        var held = image.nodes.get(node);
        if (held != null && registration.equals(held.registration)) {
            return new Decision.AlreadyApplied();
        }
        Limits.requireRoomForNode(image, node);
        return Decision.append(
                image, List.of(new Entity.Node(node)), List.of(new Change.NodeJoined(node, registration)));
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
