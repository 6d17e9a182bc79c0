package io.tarpon.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client before a server that says only so much, over a real socket.
@Timeout(60)
class MetadataClientTest {
    private static final String NODES = "{\"revision\":1,\"nodes\":[]}";
    private static final Duration PATIENCE = Duration.ofMillis(300);
    private static final Duration LONG = Duration.ofMinutes(1);

    private ServerSocket listener = new ServerSocket();

    MetadataClientTest() throws IOException {}

    @BeforeEach
    void listen() throws IOException {
        listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    @Test
    void aBodyThatNeverEndsIsGivenUpInTimeAndItsConnectionClosed() throws Exception {
        var ended = serve(answer(NODES.length(), NODES.substring(0, 5)));
        try (var client = client(PATIENCE, NODES.length())) {
            assertThatThrownBy(client::nodes)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("no whole answer within 300 ms");
            assertThat(ended.get(30, TimeUnit.SECONDS))
                    .as("the connection is closed")
                    .isTrue();
        }
    }

    @Test
    void aHeadThatNeverComesIsGivenUpInTime() throws IOException {
        var ended = serve("");
        try (var client = client(PATIENCE, NODES.length())) {
            assertThatThrownBy(client::nodes).hasMessageContaining("no whole answer within 300 ms");
        }
        assertThat(ended).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
    }

    @Test
    void anAnswerAsLongAsItMayBeIsRead() throws IOException {
        var ended = serve(answer(NODES.length(), NODES));
        try (var client = client(LONG, NODES.length())) {
            assertThat(client.nodes().revision()).isEqualTo(1);
        }
        assertThat(ended).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
    }

    @Test
    void anAnswerOneByteLongerIsAnError() throws IOException {
        var ended = serve(answer(NODES.length(), NODES));
        try (var client = client(LONG, NODES.length() - 1)) {
            assertThatThrownBy(client::nodes)
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("metadata-svc at " + base() + " does not answer");
        }
        assertThat(ended).succeedsWithin(Duration.ofSeconds(30)).isEqualTo(true);
    }

    @Test
    void anInterruptedCallerKeepsItsFlagAndLeavesNoExchange() throws Exception {
        var ended = serve(answer(NODES.length(), NODES.substring(0, 5)));
        var flag = new CompletableFuture<Boolean>();
        try (var client = client(LONG, NODES.length())) {
            var caller = Thread.ofVirtual().start(() -> {
                Thread.currentThread().interrupt();
                try {
                    client.nodes();
                    flag.completeExceptionally(new AssertionError("an answer that is not whole was taken"));
                } catch (InterruptedIOException e) {
                    flag.complete(Thread.currentThread().isInterrupted());
                } catch (IOException e) {
                    flag.completeExceptionally(e);
                }
            });
            caller.join();
            assertThat(flag.join()).isTrue();
        }
        listener.close();
        assertThat(ended.handle((closed, _) -> closed)).succeedsWithin(Duration.ofSeconds(30));
    }

    private URI base() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    private MetadataClient client(Duration timeout, int maxAnswerBytes) {
        return new MetadataClient(base(), null, timeout, maxAnswerBytes);
    }

    /// Answers the first request so, and says true once the client has closed the connection.
    private CompletableFuture<Boolean> serve(String answer) {
        var ended = new CompletableFuture<Boolean>();
        Thread.ofVirtual().start(() -> {
            try (Socket socket = listener.accept()) {
                socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                ended.complete(socket.getInputStream().readAllBytes().length > 0);
            } catch (IOException e) {
                ended.completeExceptionally(e);
            }
        });
        return ended;
    }

    private static String answer(int length, String body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " + length + "\r\n\r\n" + body;
    }
}
