package io.tarpon.store.s3;

import static io.tarpon.store.s3.FaultyServer.SLOWLY;
import static io.tarpon.store.s3.FaultyServer.answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers that refuse for a while, start late or crawl: absorbed, and within limits.
@Timeout(60)
class TroubledServerTest {
    private static final String GOOD = answer("200 OK", "Content-Length: 10\r\nETag: \"tag\"\r\n", "0123456789");
    private static final String SLOW_DOWN = answer("503 Slow Down", "Content-Length: 0\r\n", "");
    private static final String BROKEN = answer("500 Internal Server Error", "Content-Length: 0\r\n", "");
    private static final Duration SHORT = Duration.ofMillis(1);

    @Test
    void aStormOfRefusalsIsAbsorbed() throws Exception {
        try (var server = new FaultyServer(SLOW_DOWN, BROKEN, SLOW_DOWN, SLOW_DOWN, BROKEN, SLOW_DOWN, GOOD);
                var bucket = Bucket.open("test", server.config().withAttempts(8, SHORT, SHORT, 100))) {
            assertThat(read(bucket)).isEqualTo("0123456789");
            assertThat(server.requests()).hasSize(7);
        }
    }

    @Test
    void whatCanOnlyBeRefusedAgainIsAskedOnce() throws Exception {
        for (String status : new String[] {"403 Forbidden", "400 Bad Request", "301 Moved Permanently"}) {
            try (var server = new FaultyServer(answer(status, "Content-Length: 0\r\n", ""));
                    var bucket = Bucket.open("test", server.config().withAttempts(8, SHORT, SHORT, 100))) {
                assertThatThrownBy(() -> read(bucket)).as(status).isInstanceOf(IOException.class);
                assertThat(server.requests()).as(status).hasSize(1);
            }
        }
    }

    @Test
    void repetitionsOfAllReadersTogetherKeepToTheBudget() throws Exception {
        int readers = 10;
        int budget = 5;
        try (var server = new FaultyServer(SLOW_DOWN);
                var bucket = Bucket.open("test", server.config().withAttempts(8, SHORT, SHORT, budget));
                var pool = Executors.newFixedThreadPool(readers)) {
            Callable<Void> reader = () -> {
                assertThatThrownBy(() -> read(bucket)).isInstanceOf(IOException.class);
                return null;
            };
            for (var done : pool.invokeAll(Collections.nCopies(readers, reader))) {
                done.get();
            }
            assertThat(server.requests()).hasSize(readers + budget);
        }
    }

    @Test
    void readsThatGoOnAfterABreakAreOnTheSameBudget() throws Exception {
        try (var server =
                        new FaultyServer(answer("200 OK", "Content-Length: 10\r\nETag: \"tag\"\r\n", "01"), SLOW_DOWN);
                var bucket = Bucket.open("test", server.config().withAttempts(8, SHORT, SHORT, 3))) {
            assertThatThrownBy(() -> read(bucket)).isInstanceOf(IOException.class);
            assertThat(server.requests()).hasSize(1 + 3);
        }
    }

    @Test
    void aServerThatStartsLateIsWaitedFor() throws Exception {
        int port = freePort();
        var config = new TestS3Config("http://127.0.0.1:" + port, "bucket", "")
                .withAttempts(8, Duration.ofMillis(100), Duration.ofSeconds(5), 100);
        try (var later = Executors.newSingleThreadScheduledExecutor();
                var bucket = Bucket.open("test", config)) {
            var server = later.schedule(() -> new FaultyServer(port, GOOD), 3, TimeUnit.SECONDS);
            assertThat(read(bucket)).isEqualTo("0123456789");
            server.get().close();
        }
    }

    @Test
    void aBodyThatCrawlsCountsAsBrokenOff() throws Exception {
        String crawling = SLOWLY + answer("200 OK", "Content-Length: 40\r\nETag: \"tag\"\r\n", "0123456789".repeat(4));
        try (var server = new FaultyServer(0, head -> head.contains("\nrange: ") ? rest(head) : crawling);
                var bucket = server.bucket();
                InputStream in = new S3Source(bucket).open("a/key", "tag", 40)) {
            assertThat(in.readAllBytes()).asString().isEqualTo("0123456789".repeat(4));
            assertThat(server.requests()).hasSize(2);
            assertThat(server.requests().getLast()).contains("\nrange: bytes=");
        }
    }

    private static String rest(String head) {
        int from = Integer.parseInt(head.replaceFirst("(?s).*\nrange: bytes=(\\d+)-\n.*", "$1"));
        return answer(
                "206 Partial Content",
                "Content-Length: " + (40 - from) + "\r\nContent-Range: bytes " + from + "-39/40\r\nETag: \"tag\"\r\n",
                "0123456789".repeat(4).substring(from));
    }

    @Test
    void theBucketsNameMayBePartOfTheHosts() {
        var config = new TestS3Config("http://s3.invalid:9", "raw-data", "").withBucketInTheHostName();
        try (var bucket = Bucket.open("test", config)) {
            assertThatThrownBy(() -> new S3Source(bucket).list(object -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("raw-data.s3.invalid");
        }
        try (var bucket = Bucket.open("test", new TestS3Config("http://s3.invalid:9", "raw-data", ""))) {
            assertThatThrownBy(() -> new S3Source(bucket).list(object -> {}))
                    .isInstanceOf(IOException.class)
                    .hasMessageNotContaining("raw-data.s3.invalid");
        }
    }

    @Test
    void anInterruptEndsAVirtualThreadsWaitForAServer() throws Exception {
        try (var server = new FaultyServer(FaultyServer.SILENCE);
                var bucket = Bucket.open(
                        "test",
                        server.config().withAttempts(8, SHORT, SHORT, 100).withReadTimeout(Duration.ofSeconds(20)));
                var pool = Executors.newVirtualThreadPerTaskExecutor()) {
            var reading = pool.submit(() -> read(bucket));
            while (server.requests().isEmpty()) {
                Thread.onSpinWait();
            }
            long before = System.nanoTime();
            pool.shutdownNow();
            assertThatThrownBy(reading::get).hasRootCauseInstanceOf(Exception.class);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static String read(Bucket bucket) throws IOException {
        try (InputStream in = new S3Source(bucket).open("a/key", "tag", 10)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
