package io.tarpon.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.WireRecords;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.TokenSource;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetList;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.VersionRecord;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client before a server that says only so much, over a real socket.
@Timeout(60)
class MetadataClientTest {
    private static final String NODES = "{\"revision\":1,\"nodes\":[]}";
    private static final String REFUSAL = Json.text(Problem.of(ProblemType.UNAUTHORIZED, "another token"));
    private static final String REFUSED = "HTTP/1.1 401 Unauthorized\r\nConnection: close\r\nContent-Length: "
            + REFUSAL.length() + "\r\n\r\n" + REFUSAL;
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
    void datasetsAreAskedForPageByPageAndTheirPartsPutTogether() throws IOException {
        serveInTurn(
                answer(new DatasetList(List.of(dataset("a", null), dataset("b", 1, 1, 2)), "b/v2")),
                answer(new DatasetList(List.of(dataset("b", 3, 3), dataset("c", null)))));
        try (var client = client(LONG, 1 << 20)) {
            var found = client.datasets();
            assertThat(found).extracting(each -> each.dataset().value()).containsExactly("a", "b", "c");
            assertThat(found.get(1).versions())
                    .extracting(version -> version.version().number())
                    .containsExactly(1, 2, 3);
            assertThat(found.get(1).latest()).isEqualTo(new VersionId(3));
        }
    }

    @Test
    void oneDatasetIsAskedForUntilItHasAllItsVersions() throws IOException {
        var first = dataset("b", 1, 1, 2);
        serveInTurn(
                answer(new DatasetRecord(first.dataset(), first.latest(), null, first.versions(), new VersionId(2))),
                answer(dataset("b", 1, 3)));
        try (var client = client(LONG, 1 << 20)) {
            var whole = client.dataset(new DatasetName("b"));
            assertThat(whole.versions())
                    .extracting(version -> version.version().number())
                    .containsExactly(1, 2, 3);
            assertThat(whole.next()).isNull();
        }
    }

    private static DatasetRecord dataset(String name, @Nullable Integer latest, int... versions) {
        var like = WireRecords.version();
        var records = IntStream.of(versions)
                .mapToObj(number -> new VersionRecord(
                        new DatasetName(name),
                        new VersionId(number),
                        like.state(),
                        like.revision(),
                        name + number,
                        like.reason(),
                        like.sameAs(),
                        like.parent(),
                        like.planDigest(),
                        like.digest(),
                        like.order(),
                        like.spec(),
                        like.inputs(),
                        like.splits(),
                        like.begunAt(),
                        like.sealedAt()))
                .toList();
        return new DatasetRecord(new DatasetName(name), latest == null ? null : new VersionId(latest), null, records);
    }

    private static String answer(Object document) {
        var json = Json.text(document);
        return answer(json.length(), json);
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

    @Test
    void whatIsRefusedForAnOldTokenGoesOutOnceMoreWithTheNewOne() throws IOException {
        var seen = serveInTurn(REFUSED, answer(NODES.length(), NODES));
        var source = new Replaced("an-old-token-of-the-tests", "a-new-token-of-the-tests!");
        try (var client = new MetadataClient(base(), source)) {
            assertThat(client.nodes().revision()).isEqualTo(1);
        }
        assertThat(seen).containsExactly(source.old.headerValue(), source.fresh.headerValue());
    }

    @Test
    void whatIsRefusedForTheNewTokenTooIsRefused() throws IOException {
        var seen = serveInTurn(REFUSED, REFUSED, REFUSED);
        try (var client =
                new MetadataClient(base(), new Replaced("an-old-token-of-the-tests", "a-new-token-of-the-tests!"))) {
            assertThatThrownBy(client::nodes)
                    .isInstanceOfSatisfying(
                            TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.UNAUTHORIZED));
        }
        assertThat(seen).hasSize(2);
    }

    @Test
    void whereThereIsNoNewTokenNothingIsSentAgain() throws IOException {
        var seen = serveInTurn(REFUSED, REFUSED);
        try (var client = new MetadataClient(base(), new WriteToken("an-old-token-of-the-tests"))) {
            assertThatThrownBy(client::nodes).isInstanceOf(TarponException.class);
        }
        assertThat(seen).hasSize(1);
    }

    /// A source whose file was replaced, which shows when it is read again.
    private static final class Replaced implements TokenSource {
        private final WriteToken old;
        private final WriteToken fresh;
        private volatile WriteToken held;

        Replaced(String old, String fresh) {
            this.old = new WriteToken(old);
            this.fresh = new WriteToken(fresh);
            this.held = this.old;
        }

        @Override
        public WriteToken current() {
            return held;
        }

        @Override
        public WriteToken reread() {
            held = fresh;
            return held;
        }
    }

    /// Answers requests so, one connection each; what is given is the token of each that came.
    private List<String> serveInTurn(String... answers) {
        var seen = new CopyOnWriteArrayList<String>();
        Thread.ofVirtual().start(() -> {
            for (var answer : answers) {
                try (Socket socket = listener.accept()) {
                    seen.add(authorization(socket));
                    socket.getOutputStream().write(answer.getBytes(StandardCharsets.UTF_8));
                } catch (IOException e) {
                    return;
                }
            }
        });
        return seen;
    }

    private static String authorization(Socket socket) throws IOException {
        var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        var value = "";
        for (var line = in.readLine(); line != null && !line.isEmpty(); line = in.readLine()) {
            value = line.startsWith("Authorization: ") ? line.substring("Authorization: ".length()) : value;
        }
        return value;
    }

    private URI base() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    private MetadataClient client(Duration timeout, int maxAnswerBytes) {
        return new MetadataClient(List.of(base()), null, timeout, maxAnswerBytes);
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
