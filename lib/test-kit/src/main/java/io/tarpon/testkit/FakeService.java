package io.tarpon.testkit;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Executors;

/// A service that says what a test wants it to: answers by path, in turn, the last one for ever; cuts, problems,
/// silence.
public final class FakeService implements AutoCloseable {
    /// One answer.
    public interface Answer {
        void to(HttpExchange exchange) throws IOException;
    }

    private final HttpServer server;
    private final Map<String, Queue<Answer>> answers = new HashMap<>();
    private final List<String> requests = new ArrayList<>();

    public FakeService() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /// The path as it came, encoded.
    public FakeService on(String path, Answer... inTurn) {
        synchronized (answers) {
            answers.put(path, new ArrayDeque<>(List.of(inTurn)));
        }
        return this;
    }

    public List<String> requests() {
        synchronized (answers) {
            return List.copyOf(requests);
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        var path = exchange.getRequestURI().toString();
        Answer answer;
        synchronized (answers) {
            requests.add(exchange.getRequestMethod() + " " + path);
            var queue = answers.get(path);
            answer = queue == null
                    ? text(404, "nothing at " + path)
                    : queue.size() > 1 ? queue.remove() : queue.element();
        }
        try (exchange) {
            answer.to(exchange);
        }
    }

    public static Answer text(int status, String text) {
        return bytes(status, text.getBytes(StandardCharsets.UTF_8));
    }

    public static Answer bytes(int status, byte[] body) {
        return exchange -> {
            exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        };
    }

    /// Promises more bytes than it sends.
    public static Answer cut(String text) {
        return exchange -> {
            exchange.sendResponseHeaders(200, text.length() + 100L);
            exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
            exchange.getResponseBody().flush();
            throw new IOException("cut on purpose");
        };
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
