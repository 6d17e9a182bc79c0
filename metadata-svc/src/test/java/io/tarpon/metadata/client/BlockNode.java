package io.tarpon.metadata.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tarpon.wire.block.DropBlocks;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeRegistration;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// A node that holds blocks of 100 bytes by their ids, and drops them over HTTP as block-svc does.
public final class BlockNode implements AutoCloseable {
    public static final long BLOCK_BYTES = 100;

    private final WriteToken token;
    private final HttpServer server;
    private final Set<String> blocks = ConcurrentHashMap.newKeySet();
    private final List<Integer> batches = new CopyOnWriteArrayList<>();
    private volatile int status = 200;

    private BlockNode(WriteToken token, HttpServer server) {
        this.token = token;
        this.server = server;
    }

    public static BlockNode start(WriteToken token) throws IOException {
        var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        var node = new BlockNode(token, server);
        server.createContext("/v1/blocks/drop", node::drop);
        server.start();
        return node;
    }

    public void hold(Collection<String> ids) {
        blocks.addAll(ids);
    }

    public Set<String> blocks() {
        return blocks;
    }

    /// How many ids each request named.
    public List<Integer> batches() {
        return batches;
    }

    /// What it answers from now on.
    public void answer(int httpStatus) {
        status = httpStatus;
    }

    public NodeRegistration registration() {
        var url = "http://127.0.0.1:" + server.getAddress().getPort();
        return new NodeRegistration(url, "host", "zone", 1, 1L << 30, List.of("/nvme0"));
    }

    private void drop(HttpExchange exchange) throws IOException {
        try (exchange) {
            token.check(exchange.getRequestHeaders().getFirst("Authorization"));
            var command = Json.read(exchange.getRequestBody().readAllBytes(), DropBlocks.class);
            batches.add(command.ids().size());
            var held = command.ids().stream().filter(blocks::contains).toList();
            if (!command.dryRun() && status == 200) {
                held.forEach(blocks::remove);
            }
            var answer = Json.bytes(new DropBlocks.Answer(held.size(), held.size() * BLOCK_BYTES));
            exchange.sendResponseHeaders(status, answer.length);
            exchange.getResponseBody().write(answer);
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
