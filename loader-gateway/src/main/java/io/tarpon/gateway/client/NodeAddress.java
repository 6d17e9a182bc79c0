package io.tarpon.gateway.client;

import io.tarpon.wire.metadata.NodeRecord;
import java.net.InetSocketAddress;
import java.net.URI;

/// Where a node answers. `authority` is the Host of requests to it.
record NodeAddress(String host, int port) {
    private static final int HTTP_PORT = 80;

    /// Throws [IllegalArgumentException] where the node registered something that is not `http://host:port`.
    static NodeAddress of(NodeRecord node) {
        var uri = URI.create(node.registration().url());
        var host = uri.getHost();
        if (host == null || !"http".equals(uri.getScheme())) {
            throw new IllegalArgumentException(
                    "node " + node.id() + " has the url '" + uri + "', not http://host:port");
        }
        return new NodeAddress(host, uri.getPort() < 0 ? HTTP_PORT : uri.getPort());
    }

    InetSocketAddress socketAddress() {
        return new InetSocketAddress(host.startsWith("[") ? host.substring(1, host.length() - 1) : host, port);
    }

    String authority() {
        return host + ":" + port;
    }
}
