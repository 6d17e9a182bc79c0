package io.tarpon.block;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// A node that stands still for a while, is given up, and finds the world changed when it goes on.
class PauseTest {
    @TempDir
    Path folder;

    private Workshop workshop;
    private final TestShard shard = ForkedNode.LargeShard.make();
    private Process process;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard.storedIn(workshop.store);
        workshop.metadata.with(shard);
        var metadata = "metadata.url=" + workshop.metadata.url();
        process = ForkedNode.start(folder, "SERVE", metadata);
    }

    @AfterEach
    void stop() throws Exception {
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        workshop.close();
    }

    @Test
    void nodeThatWasPausedServesNothingStaleAndJoinsAgain() throws Exception {
        assertGoesOnAfterPause(5);
    }

    /// Longer than every time that a node waits for others, or others for it.
    @Test
    @EnabledIfSystemProperty(named = "nightly", matches = ".*")
    void nodeThatWasPausedForAMinuteServesNothingStaleAndJoinsAgain() throws Exception {
        assertGoesOnAfterPause(60);
    }

    private void assertGoesOnAfterPause(int seconds) throws Exception {
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8))) {
            var port = Integer.parseInt(out.readLine().substring("port ".length()));
            assertThat(get(port, shard.url(0)).body()).isEqualTo(shard.block(0));
            Deadline.until("joined", () -> workshop.metadata.joins.get() == 1);
            try (var reader = new RawClient(port)) {
                reader.write("GET " + shard.url(0) + " HTTP/1.1\r\nHost: node\r\n\r\n");
                var length = reader.readHead().contentLength();
                var first = reader.readBody(1000);
                signal("STOP");
                workshop.metadata.nodes.clear();
                var retried = TestShard.random(shard.ref().path(), 6, 5, 4_000_000, 8 << 20)
                        .storedIn(workshop.store);
                workshop.metadata.with(retried);
                TimeUnit.SECONDS.sleep(seconds);
                assertThat(workshop.metadata.nodes).isEmpty();
                signal("CONT");

                assertThat(reader.readBody(length - first.length))
                        .isEqualTo(Arrays.copyOfRange(shard.block(0), first.length, length));
                Deadline.until("joined again", () -> workshop.metadata.nodes.containsKey("node-1"));
                assertThat(get(port, retried.url(0)).body()).isEqualTo(retried.block(0));
                assertThat(get(port, retried.url(1)).body()).isEqualTo(retried.block(1));
                assertThat(get(port, shard.url(1)).statusCode()).isEqualTo(404);
            }
        }
    }

    private void signal(String name) throws Exception {
        var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start();
        assertThat(kill.waitFor()).isZero();
    }

    private static HttpResponse<byte[]> get(int port, String path) throws Exception {
        try (var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var uri = URI.create("http://127.0.0.1:" + port + path);
            return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofByteArray());
        }
    }
}
