package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.storekit.FailingStore.StreamFault;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import java.io.IOException;
import java.net.SocketException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// More than a node takes, readers that take too little, and a node that stops under its readers.
class LoadTest {
    private static final int BLOCK_BYTES = 8 << 20;

    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = TestShard.random("big/v1/train/shard-000000", 3, 2, BLOCK_BYTES - 4096, BLOCK_BYTES)
                .storedIn(workshop.store);
        workshop.metadata.with(shard);
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void moreRequestsThanTheLimitAreRefusedUntilOneHasEnded() throws Exception {
        var node = filled("block.max-requests", "2");
        try (var first = reading(node);
                var second = reading(node)) {
            var refused = node.get(shard.url(0));
            assertThat(TestNode.problem(refused)).isEqualTo("503 overloaded");
            assertThat(Integer.parseInt(
                            refused.headers().firstValue("Retry-After").orElse("0")))
                    .isBetween(1, 5);
            assertThat(TestNode.problem(node.get(shard.url(1)))).isEqualTo("503 overloaded");
            assertThat(node.head(shard.url(0)).statusCode()).isEqualTo(503);
            assertThat(node.wiring.facts().openReads()).isEqualTo(2);

            second.close();
            Deadline.until("one less", () -> node.wiring.facts().openReads() == 1);
            assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
            assertThat(first.readBody(1000)).hasSize(1000);
        }
        Deadline.until("none", () -> node.wiring.facts().openReads() == 0);
    }

    @Test
    void refusedAndFailedRequestsAreCountedNoLonger() throws Exception {
        var node = filled("block.max-requests", "1");
        for (var turn = 0; turn < 3; turn++) {
            assertThat(node.get(shard.url(0), "Range", "bytes=99999999-").statusCode())
                    .isEqualTo(416);
            assertThat(node.get(shard.url(1) + "&fill=none").statusCode()).isEqualTo(404);
            assertThat(node.head(shard.url(0)).statusCode()).isEqualTo(200);
        }
        Deadline.until("none", () -> node.wiring.facts().openReads() == 0);
    }

    @Test
    void readerThatTakesNothingIsCut() throws Exception {
        var node = filled("block.slow-reader-interval", "PT0.3S");
        try (var stalled = reading(node)) {
            Deadline.until("cut", () -> node.wiring.facts().openReads() == 0);

            assertThat(takenBeforeTheCut(stalled)).isLessThan(BLOCK_BYTES);
        }
    }

    @Test
    void readerThatTakesEnoughInEachIntervalGetsEveryByte() throws Exception {
        var node = filled("block.slow-reader-interval", "PT0.8S", "block.slow-reader-bytes", "16KiB");
        // With a small window the node sends as it is read, and not now and then much at once.
        try (var steady = new RawClient(URI.create("http://127.0.0.1:" + node.port() + "/"), 64 << 10)) {
            steady.write("GET " + shard.url(0) + " HTTP/1.1\r\nHost: node\r\n\r\n");
            var length = steady.readHead().contentLength();
            // Some three seconds: several intervals.
            for (var at = 0; at < length; at += 512 << 10) {
                var next = Math.min(512 << 10, length - at);
                assertThat(steady.readBody(next)).isEqualTo(Arrays.copyOfRange(shard.block(0), at, at + next));
                var pause = new CompletableFuture<Void>().completeOnTimeout(null, 120, TimeUnit.MILLISECONDS);
                pause.join();
            }
        }
    }

    @Test
    void readerThatWaitsForASlowFillIsNotCut() throws Exception {
        var node = workshop.node("node-1", "block.slow-reader-interval", "PT0.2S");
        workshop.store.order(StreamFault.WAIT, 6 << 20, 1);
        try (var waiting = new RawClient(node.port())) {
            waiting.write("GET " + shard.url(0) + " HTTP/1.1\r\nHost: node\r\n\r\n");
            var length = waiting.readHead().contentLength();
            var first = waiting.readBody(5 << 20);
            var intervals = new CompletableFuture<Void>().completeOnTimeout(null, 1, TimeUnit.SECONDS);
            intervals.join();
            assertThat(node.wiring.facts().openReads()).isEqualTo(1);
            workshop.store.openGate();

            assertThat(waiting.readBody(length - first.length))
                    .isEqualTo(Arrays.copyOfRange(shard.block(0), first.length, length));
        }
    }

    @Test
    void stoppingNodeLeavesFirstAndLetsOpenReadsEnd() throws Exception {
        var node = filled("block.drain", "PT30S");
        Deadline.until("joined", () -> node.wiring.membership().registered());
        try (var reader = reading(node)) {
            var closing = CompletableFuture.runAsync(node.wiring::close);
            Deadline.until("left", workshop.metadata.nodes::isEmpty);

            assertThat(TestNode.problem(node.get(shard.url(0)))).isEqualTo("503 not-ready");
            assertThat(closing.isDone()).isFalse();
            assertThat(reader.readBody(BLOCK_BYTES - 4096))
                    .isEqualTo(Arrays.copyOf(shard.block(0), BLOCK_BYTES - 4096));
            reader.close();

            closing.get(10, TimeUnit.SECONDS);
        }
    }

    @Test
    void stoppingNodeWaitsNoLongerThanItsDeadline() throws Exception {
        var node = filled("block.drain", "PT0.2S");
        try (var reader = reading(node)) {
            var begun = System.nanoTime();
            node.wiring.close();

            assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(10));
            assertThat(reader.readBody(1000)).hasSize(1000);
        }
    }

    /// A node that has block 0.
    private TestNode filled(String... settings) throws Exception {
        var node = workshop.node("node-1", settings);
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        Deadline.until("stored", () -> node.wiring.facts().blocks() == 1);
        return node;
    }

    /// A client that has read the head of block 0 and no more: most of the block is still to be sent.
    private RawClient reading(TestNode node) throws IOException {
        var client = new RawClient(node.port());
        client.write("GET " + shard.url(0) + " HTTP/1.1\r\nHost: node\r\n\r\n");
        assertThat(client.readHead().status()).isEqualTo(200);
        return client;
    }

    private static int takenBeforeTheCut(RawClient client) throws IOException {
        var taken = 0;
        try {
            while (!client.isAtEnd()) {
                taken++;
            }
        } catch (SocketException reset) {
            assertThat(reset).hasMessageContaining("reset");
        }
        return taken;
    }
}
