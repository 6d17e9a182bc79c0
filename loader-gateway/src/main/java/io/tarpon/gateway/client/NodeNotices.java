package io.tarpon.gateway.client;

import io.quarkus.runtime.annotations.RegisterForReflection;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.http.LateTls;
import io.tarpon.wire.http.TokenSource;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeRecord;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/// Tells nodes what a gateway on their host did behind their back: which of their blocks it read, so that they
/// stay, and which it found damaged, so that they are repaired. Notices are hints: collected, sent in batches,
/// and lost where a node does not take them. At most 10,000 blocks a node wait; more are not told.
///
/// Threads: anybody tells, under the lock; one thread of its own sends.
public final class NodeNotices implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(NodeNotices.class);
    private static final int MOST_WAITING = 10_000;
    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final TokenSource token;
    private final ReentrantLock lock = new ReentrantLock();
    private final CountDownLatch stop = new CountDownLatch(1);
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(LateTls.context())
            .connectTimeout(TIMEOUT)
            .build();
    private final Thread thread;
    private Map<String, Waiting> waiting = new HashMap<>();

    public NodeNotices(TokenSource token) {
        this.token = token;
        this.thread = Thread.ofVirtual().name("node-notices").unstarted(this::run);
    }

    /// The body of `POST /v1/blocks/used`.
    @RegisterForReflection
    record Used(List<String> ids) {}

    private record Waiting(String url, Set<BlockId> used, Set<BlockId> damaged) {}

    public void start() {
        thread.start();
    }

    /// A block of the node was read from its file.
    public void used(NodeRecord node, BlockId block) {
        add(node, block, false);
    }

    /// A block of the node is not what was sealed.
    public void damaged(NodeRecord node, BlockId block) {
        add(node, block, true);
    }

    @Override
    public void close() {
        stop.countDown();
        thread.interrupt();
        http.shutdownNow();
    }

    private void add(NodeRecord node, BlockId block, boolean isDamaged) {
        lock.lock();
        try {
            var of = waiting.computeIfAbsent(
                    node.id(), _ -> new Waiting(node.registration().url(), new HashSet<>(), new HashSet<>()));
            var set = isDamaged ? of.damaged : of.used;
            if (set.size() < MOST_WAITING) {
                set.add(block);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (!stop.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                sendAll();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendAll() throws InterruptedException {
        Map<String, Waiting> batch;
        lock.lock();
        try {
            batch = waiting;
            waiting = new HashMap<>();
        } finally {
            lock.unlock();
        }
        for (var entry : batch.entrySet()) {
            try {
                send(entry.getValue());
            } catch (IOException | IllegalArgumentException e) {
                LOG.debugf("notices lost node=%s reason=%s", entry.getKey(), e.getMessage());
            }
        }
    }

    private void send(Waiting notices) throws IOException, InterruptedException {
        for (var block : notices.damaged) {
            post(notices.url, "/v1/blocks/" + block + "/damaged", new byte[0]);
        }
        if (!notices.used.isEmpty()) {
            var ids = notices.used.stream().map(BlockId::hex).toList();
            post(notices.url, "/v1/blocks/used", Json.bytes(new Used(ids)));
        }
    }

    private void post(String node, String path, byte[] body) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(URI.create(node).resolve(path))
                .timeout(TIMEOUT)
                .header("Content-Type", "application/json")
                .header("Authorization", token.current().headerValue())
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        var status = http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status / 100 != 2) {
            LOG.debugf("notice refused url=%s status=%d", request.uri(), status);
        }
    }
}
