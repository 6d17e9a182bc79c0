package io.tarpon.wire.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeChanges;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// One replica as far as a client sees it: it says that there are no nodes, at the revision that it has, and not before
/// it has the one that is asked for; and how nodes change, once it was told. Who has heard all that it says waits.
final class ReplicaStandIn implements AutoCloseable {
    /// What came, as `GET /v1/nodes?revision=3`.
    final List<String> asked = new CopyOnWriteArrayList<>();

    final List<String> bodies = new CopyOnWriteArrayList<>();
    final AtomicLong revision = new AtomicLong();
    private final HttpServer server;
    /// What it said, by tag.
    private final Map<String, NodeChanges> said = new ConcurrentHashMap<>();

    private volatile @Nullable NodeChanges says;
    private volatile boolean isImpatient;
    private volatile @Nullable ProblemType trouble;
    private volatile boolean isSilent;
    private volatile boolean isBroken;

    ReplicaStandIn(long revision) throws IOException {
        this.revision.set(revision);
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::handle);
        server.start();
    }

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /// Answers everything so.
    void troubled(ProblemType by) {
        trouble = by;
    }

    /// Says this from here on, also to who waits.
    ///
    /// @param changes to nothing, or those that it answers whatever it is asked
    synchronized void says(NodeChanges changes) {
        says = changes;
        said.put(changes.tag(), changes);
        notifyAll();
    }

    /// Lets nobody wait any more, as one that too many ask.
    void isImpatient() {
        isImpatient = true;
    }

    void untroubled() {
        trouble = null;
    }

    /// Reads what it is asked and closes the connection.
    synchronized void breaksOff() {
        isBroken = true;
        notifyAll();
    }

    /// Reads what it is asked and says nothing, as one that stands still.
    void fallsSilent() {
        isSilent = true;
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try {
            asked.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            var nodes = nodes(exchange);
            if (!isSilent && !isBroken) {
                answer(exchange, nodes);
            }
        } finally {
            if (!isSilent) {
                exchange.close();
            }
        }
    }

    /// The answer about nodes, once there is one to give.
    private synchronized Object nodes(HttpExchange exchange) throws IOException {
        if (says == null || exchange.getRequestURI().getPath().endsWith("/nodes")) {
            return new NodeList(revision.get(), List.of());
        }
        var since = parameter(exchange, "since");
        var until = System.nanoTime()
                + TimeUnit.MILLISECONDS.toNanos(Long.parseLong("0" + parameter(exchange, "wait-millis")));
        try {
            while (since.equals(says.tag()) && !isBroken && !isImpatient) {
                var left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
                if (left <= 0) {
                    break;
                }
                wait(left);
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
        var before = said.get(since);
        return before == null || says.since() != null ? says : difference(before, says);
    }

    private static NodeChanges difference(NodeChanges before, NodeChanges now) {
        var ids = now.nodes().stream().map(NodeRecord::id).toList();
        return new NodeChanges(
                now.tag(),
                before.tag(),
                now.revision(),
                now.nodes().stream()
                        .filter(node -> !before.nodes().contains(node))
                        .toList(),
                before.nodes().stream()
                        .map(NodeRecord::id)
                        .filter(id -> !ids.contains(id))
                        .toList());
    }

    private static String parameter(HttpExchange exchange, String name) {
        var query = "&" + exchange.getRequestURI().getQuery();
        return query.contains("&" + name + "=") ? query.replaceFirst(".*&" + name + "=([^&]*).*", "$1") : "";
    }

    private void answer(HttpExchange exchange, Object nodes) throws IOException {
        var here = revision.get();
        exchange.getResponseHeaders().add("Tarpon-Revision", Long.toString(here));
        var isUnknown = says == null && exchange.getRequestURI().getPath().endsWith("/node-changes");
        var problem = trouble != null
                ? trouble
                : isBehind(exchange, here) ? ProblemType.NOT_READY : isUnknown ? ProblemType.NOT_FOUND : null;
        if (problem == null) {
            send(exchange, 200, Json.bytes(nodes));
        } else {
            send(exchange, problem.status(), Json.bytes(Problem.of(problem, "says " + url())));
        }
    }

    private static boolean isBehind(HttpExchange exchange, long here) {
        return Long.parseLong("0" + parameter(exchange, "revision")) > here;
    }

    private static void send(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}
