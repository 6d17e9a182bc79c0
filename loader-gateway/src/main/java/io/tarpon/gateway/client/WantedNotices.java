package io.tarpon.gateway.client;

import io.tarpon.wire.block.WantedBlocks;
import io.tarpon.wire.http.LateTls;
import io.tarpon.wire.http.TokenSource;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeRecord;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Tells nodes which of their blocks are read soon. One request to a node at a time; what comes meanwhile
/// waits for it, [WantedBlocks#MOST] blocks at most, and more are not told. What a node does not take is
/// lost, and so is what waits for it then.
///
/// Threads: anybody adds and sends, under the lock; the client's threads run what follows an answer.
public final class WantedNotices implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(WantedNotices.class);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final TokenSource token;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Waiting> waiting = new HashMap<>();
    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .sslContext(LateTls.context())
            .connectTimeout(TIMEOUT)
            .build();

    public WantedNotices(TokenSource token) {
        this.token = token;
    }

    /// Of one node, by its URL: a node that comes again elsewhere is another one.
    private static final class Waiting {
        private final SequencedMap<String, WantedBlocks.Wanted> blocks = new LinkedHashMap<>();
        private boolean isAsked;
    }

    /// The node is told of the block with the next [#send].
    public void add(NodeRecord node, WantedBlocks.Wanted block) {
        lock.lock();
        try {
            var of = waiting.computeIfAbsent(node.registration().url(), _ -> new Waiting());
            if (of.blocks.size() < WantedBlocks.MOST) {
                of.blocks.putIfAbsent(block.id(), block);
            }
        } finally {
            lock.unlock();
        }
    }

    /// Tells every node that is not being told, and those after that. Blocks nobody.
    public void send() {
        List<String> urls;
        lock.lock();
        try {
            urls = List.copyOf(waiting.keySet());
        } finally {
            lock.unlock();
        }
        urls.forEach(this::send);
    }

    @Override
    public void close() {
        http.shutdownNow();
    }

    private void send(String url) {
        var blocks = take(url);
        if (blocks.isEmpty()) {
            return;
        }
        try {
            var request = HttpRequest.newBuilder(URI.create(url).resolve("/v1/blocks/wanted"))
                    .timeout(TIMEOUT)
                    .header("Content-Type", "application/json")
                    .header("Authorization", token.current().headerValue())
                    .POST(HttpRequest.BodyPublishers.ofByteArray(Json.bytes(new WantedBlocks(blocks))))
                    .build();
            var _ = http.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                    .whenComplete((answer, failure) -> told(url, answer, failure));
        } catch (IllegalArgumentException e) {
            told(url, null, e);
        }
    }

    /// What waits for the node, which counts as being asked then; nothing where it is being asked already. A
    /// node for which nothing waits is forgotten.
    private List<WantedBlocks.Wanted> take(String url) {
        lock.lock();
        try {
            var of = waiting.get(url);
            if (of == null || of.isAsked) {
                return List.of();
            }
            if (of.blocks.isEmpty()) {
                waiting.remove(url);
                return List.of();
            }
            var blocks = List.copyOf(of.blocks.values());
            of.blocks.clear();
            of.isAsked = true;
            return blocks;
        } finally {
            lock.unlock();
        }
    }

    private void told(String url, @Nullable HttpResponse<Void> answer, @Nullable Throwable failure) {
        var isTaken = answer != null && answer.statusCode() / 100 == 2;
        if (!isTaken) {
            LOG.debugf(
                    "wanted blocks lost url=%s reason=%s",
                    url, answer == null ? String.valueOf(failure) : "status " + answer.statusCode());
        }
        lock.lock();
        try {
            var of = waiting.get(url);
            if (of != null) {
                of.isAsked = false;
                if (!isTaken) {
                    of.blocks.clear();
                }
            }
        } finally {
            lock.unlock();
        }
        if (isTaken) {
            send(url);
        }
    }
}
