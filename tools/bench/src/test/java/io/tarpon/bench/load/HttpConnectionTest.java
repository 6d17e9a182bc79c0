package io.tarpon.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HttpConnectionTest {
    private static final Duration THINKING = Duration.ofMillis(80);

    private final ServerSocket server;
    private final AtomicReference<String> asked = new AtomicReference<>("");

    HttpConnectionTest() throws IOException {
        server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void theFirstByteOfTheBodyIsTimedAndNotTheHead() throws IOException {
        answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", "12345");
        try (var connection = open()) {
            var answer = connection.timed(Request.get("/x", 5));
            assertThat(answer.bodyBytes()).isEqualTo(5);
            assertThat(answer.nanosToFirstByte()).isGreaterThanOrEqualTo(THINKING.toNanos());
        }
    }

    @Test
    void whoOnlyBeginsNeedNotWaitForTheRest() throws IOException {
        answer("HTTP/1.1 206 Partial Content\r\nContent-Length: 1000000\r\n\r\n", "12345");
        try (var connection = open()) {
            assertThat(connection.begin(Request.rest("/x", 95)).bodyBytes()).isEqualTo(1_000_000);
        }
        assertThat(asked.get()).contains("GET /x HTTP/1.1\r\n").contains("\r\nRange: bytes=95-\r\n");
    }

    @Test
    void whoTakesTheBodySeesAllOfIt() throws IOException {
        answer("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12", "345");
        var body = new StringBuilder();
        try (var connection = open()) {
            connection.exchange(Request.get("/x", 5), part -> body.append(StandardCharsets.US_ASCII.decode(part)));
        }
        assertThat(body.toString()).isEqualTo("12345");
    }

    @Test
    void aRefusalIsAFailureInTheWordsOfTheServer() throws IOException {
        answer("HTTP/1.1 405 Method Not Allowed\r\nContent-Length: 4\r\n\r\n", "POST");
        try (var connection = open()) {
            assertThatThrownBy(() -> connection.exchange(Request.send("POST", "/v1/batch", "", "{}")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContainingAll("405", "200", "POST");
        }
    }

    private HttpConnection open() throws IOException {
        return HttpConnection.open("http://127.0.0.1:" + server.getLocalPort());
    }

    /// To one request, the second part after a while.
    private void answer(String first, String second) {
        Thread.ofPlatform().daemon().name("server").start(() -> {
            try (var socket = server.accept()) {
                asked.set(head(socket.getInputStream()));
                var out = socket.getOutputStream();
                out.write(first.getBytes(StandardCharsets.US_ASCII));
                out.flush();
                Thread.sleep(THINKING);
                out.write(second.getBytes(StandardCharsets.US_ASCII));
                out.flush();
                // Until the client has had enough.
                var _ = socket.getInputStream().readAllBytes();
            } catch (IOException | InterruptedException e) {
                // The client is gone.
            }
        });
    }

    private static String head(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.read());
        }
        return head.toString();
    }
}
