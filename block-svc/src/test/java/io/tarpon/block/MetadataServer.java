package io.tarpon.block;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeChanges;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import io.tarpon.wire.metadata.ShardRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The part of metadata-svc's REST that a node speaks to, over a real socket, with faults to order.
final class MetadataServer implements AutoCloseable {
    static final String TOKEN = "0123456789abcdef-token";

    final Map<String, NodeRecord> nodes = new ConcurrentHashMap<>();
    final AtomicInteger joins = new AtomicInteger();
    final AtomicInteger heartbeats = new AtomicInteger();
    /// The tag of each who waits for the nodes to change.
    private final Map<HttpExchange, String> waiting = new ConcurrentHashMap<>();

    private volatile boolean isClosed;
    private final Map<ShardRef, ShardRecord> shards = new ConcurrentHashMap<>();
    private final HttpServer server;
    private final Map<ShardRef, ShardRecord> behind = new ConcurrentHashMap<>();
    private final Map<String, String> incarnations = new ConcurrentHashMap<>();
    private volatile boolean away;
    private volatile CountDownLatch shardsWait = new CountDownLatch(0);
    final AtomicInteger shardsAsked = new AtomicInteger();

    MetadataServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/v1/", this::handle);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    MetadataServer with(TestShard shard) {
        return with(shard.ref(), shard.record());
    }

    /// The shard is known by another name, as where a version kept it, or by none any more.
    MetadataServer with(ShardRef ref, @Nullable ShardRecord record) {
        if (record == null) {
            shards.remove(ref);
        } else {
            shards.put(ref, record);
        }
        return this;
    }

    /// Who does not ask for the log's end is told what was so before.
    void behind(ShardRef ref, ShardRecord record) {
        behind.put(ref, record);
    }

    /// From now on every request is answered 503, or no longer.
    void away(boolean now) {
        away = now;
    }

    /// From now on who asks for a shard waits, until [#answerShards].
    void holdShards() {
        shardsWait = new CountDownLatch(1);
    }

    void answerShards() {
        shardsWait.countDown();
    }

    /// How many know the nodes as they are now, and wait for them to change.
    long upToDate() {
        var now = tag();
        return waiting.values().stream().filter(now::equals).count();
    }

    @Override
    public void close() {
        isClosed = true;
        answerShards();
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            var path = exchange.getRequestURI().getPath().substring("/v1/".length());
            if (away) {
                answer(exchange, 503, Problem.of(ProblemType.NOT_READY, "ordered to be away"));
            } else if (path.startsWith("datasets/")) {
                shard(exchange, path);
            } else if (path.equals("nodes")) {
                answer(exchange, 200, new NodeList(1, List.copyOf(nodes.values())));
            } else if (path.equals("node-changes")) {
                answer(exchange, 200, changes(exchange));
            } else if (authorized(exchange)) {
                node(exchange, path.substring("nodes/".length()));
            } else {
                answer(exchange, 401, Problem.of(ProblemType.UNAUTHORIZED, "no token"));
            }
        }
    }

    /// It remembers no list: who knows another one than that of now is told all.
    private NodeChanges changes(HttpExchange exchange) throws IOException {
        var query = exchange.getRequestURI().getQuery();
        var since = query.replaceFirst("since=([^&]*).*", "$1");
        var until = System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(Long.parseLong(query.replaceFirst(".*wait-millis=([0-9]+).*", "$1")));
        waiting.put(exchange, since);
        try {
            while (since.equals(tag()) && !away && !isClosed && System.nanoTime() < until) {
                Thread.sleep(5);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        } finally {
            waiting.remove(exchange);
        }
        var now = tag();
        return since.equals(now)
                ? new NodeChanges(now, since, 1, List.of(), List.of())
                : new NodeChanges(now, null, 1, List.copyOf(nodes.values()), List.of());
    }

    /// Of who is there and whether he lives.
    private String tag() {
        return "t"
                + new TreeMap<>(nodes)
                        .values().stream()
                                .map(node -> node.id() + node.registration() + node.state())
                                .toList()
                                .hashCode();
    }

    private static boolean authorized(HttpExchange exchange) {
        return new WriteToken(TOKEN)
                .headerValue()
                .equals(exchange.getRequestHeaders().getFirst("Authorization"));
    }

    private void shard(HttpExchange exchange, String path) throws IOException {
        shardsAsked.incrementAndGet();
        waitForOrders();
        var parts = path.split("/", -1);
        var ref = ShardRef.parse(parts[1] + "/" + parts[3] + "/" + parts[5] + "/" + parts[7]);
        var isLatest = "read=latest".equals(exchange.getRequestURI().getQuery());
        var record = isLatest ? shards.get(ref) : behind.getOrDefault(ref, shards.get(ref));
        if (record == null) {
            answer(exchange, 404, Problem.of(ProblemType.UNKNOWN_SHARD, "no shard " + ref));
        } else {
            answer(exchange, 200, record);
        }
    }

    private void waitForOrders() throws IOException {
        try {
            shardsWait.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private void node(HttpExchange exchange, String path) throws IOException {
        var id = path.split("/", -1)[0];
        var incarnation = String.valueOf(exchange.getRequestURI().getQuery());
        if (exchange.getRequestMethod().equals("PUT")) {
            incarnations.put(id, incarnation);
        } else if (nodes.containsKey(id) && !incarnation.equals(incarnations.get(id))) {
            answer(exchange, 409, Problem.of(ProblemType.CONFLICT, "another process is the node"));
            return;
        }
        var body = exchange.getRequestBody().readAllBytes();
        switch (exchange.getRequestMethod()) {
            case "PUT" -> {
                joins.incrementAndGet();
                var registration = Json.read(body, NodeRegistration.class);
                nodes.put(id, new NodeRecord(id, registration, NodeState.UP, 0, 0));
                answer(exchange, 200, nodes.get(id));
            }
            case "DELETE" -> {
                nodes.remove(id);
                exchange.sendResponseHeaders(204, -1);
            }
            default -> {
                var known = nodes.get(id);
                if (known == null) {
                    answer(exchange, 404, Problem.of(ProblemType.NOT_FOUND, "join again"));
                    return;
                }
                heartbeats.incrementAndGet();
                var beat = Json.read(body, Heartbeat.class);
                nodes.put(id, new NodeRecord(id, known.registration(), NodeState.UP, beat.blocks(), beat.bytes()));
                answer(exchange, 200, nodes.get(id));
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, Object document) throws IOException {
        var bytes = Json.bytes(document);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
