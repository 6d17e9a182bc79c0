package io.tarpon.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.StrictProfile;
import io.tarpon.gateway.fixture.World;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Too many clients, slow ones and idle ones: they are turned away or cut, and the others are served.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@TestProfile(StrictProfile.class)
class ClientLimitsTest {
    private static final Duration EACH = Duration.ofMillis(5);
    private static final String PATH = "/d/limits/v1/train/shard-000000.tar";
    private static final MadeShard LARGE = MadeShard.of("large", new Random(3), 400, _ -> 100_000);

    private static boolean sealed;

    World world;

    @Inject
    Listener listener;

    private URI gateway;
    private final List<RawClient> clients = new ArrayList<>();

    @BeforeEach
    void seal() throws IOException {
        gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        if (!sealed) {
            sealed = true;
            world.seal("limits", 1, Map.of("train", List.of(LARGE)));
        }
    }

    @AfterEach
    void leave() throws IOException {
        for (var client : clients) {
            client.close();
        }
        Deadline.until("there is room again", () -> status() == 200);
    }

    @Test
    void oneReadTooManyIsTurnedAwayAndItsConnectionKept() throws IOException {
        for (int i = 0; i < StrictProfile.MAX_READS; i++) {
            assertThat(begin().readStatus()).isEqualTo(200);
        }
        var late = client();
        for (int i = 0; i < 20; i++) {
            late.send("GET", PATH);
            var answer = late.receive(false);
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).contains("urn:tarpon:problem:overloaded").contains("\"retryable\":true");
            assertThat(Integer.parseInt(answer.header("Retry-After"))).isBetween(1, 5);
        }
        late.send("GET", "/v1/datasets");
        assertThat(late.receive(false).status()).isEqualTo(200);
        clients.getFirst().close();
        Deadline.until("its place is free", () -> status(late) == 206);
    }

    @Test
    void aReaderThatTakesNothingIsCutWithAResetOnceThereAreMany() throws IOException {
        for (int i = 0; i < StrictProfile.MAX_READS; i++) {
            assertThat(begin().readStatus()).isEqualTo(200);
        }
        // All or all but a few of them, until there is room.
        Deadline.until("stalled readers make room", () -> status() == 200);
        var cut = 0;
        for (var client : clients.subList(0, StrictProfile.MAX_READS)) {
            client.readHeaders();
            var rest = client.readToEnd();
            assertThat(rest.bytes().length).isLessThanOrEqualTo(LARGE.tar().length);
            cut += rest.isReset() ? 1 : 0;
            assertThat(rest.isReset()).isEqualTo(rest.bytes().length < LARGE.tar().length);
        }
        assertThat(cut).isPositive();
    }

    @Test
    void theConnectionOfAReaderThatIsCutGoesAlthoughItTakesNothing() throws IOException {
        for (int i = 0; i < StrictProfile.MAX_READS; i++) {
            assertThat(begin().readStatus()).isEqualTo(200);
        }
        Deadline.until("stalled readers make room", () -> status() == 200);
        Deadline.until("their connections are gone", () -> listener.connections() < StrictProfile.MAX_READS);
    }

    @Test
    void pipelinedRequestsAreReadNoFasterThanTheyAreAnswered() throws Exception {
        var client = client();
        client.send("GET", PATH);
        assertThat(client.readStatus()).isEqualTo(200);
        int requests = 20_000;
        var sender = CompletableFuture.runAsync(() -> {
            try {
                client.write("HEAD /v1/none HTTP/1.1\r\nHost: a\r\n\r\n".repeat(requests));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        assertThat(client.receiveRest().body()).isEqualTo(LARGE.tar());
        for (int i = 0; i < requests; i++) {
            assertThat(client.receive(true).status()).isEqualTo(404);
        }
        sender.get(10, TimeUnit.SECONDS);
    }

    @Test
    void aReaderThatTakesNothingIsKeptWhileThereIsRoom() throws IOException {
        var patient = begin();
        assertThat(patient.readStatus()).isEqualTo(200);
        LockSupport.parkNanos(Duration.ofSeconds(2).toNanos());
        assertThat(patient.receiveRest().body()).isEqualTo(LARGE.tar());
    }

    @Test
    void headersThatComeByteByByteEndTheConnection() throws IOException {
        var slow = client();
        var ended = slow.trickle("GET " + PATH + " HTTP/1.1\r\nHost: a\r\nX-Slow: " + "x".repeat(2_000), EACH);
        assertThat(ended).isTrue();
    }

    @Test
    void aBodyThatComesByteByByteAfterItWasRefusedEndsTheConnection() throws IOException {
        var slow = client();
        slow.write("POST /v1/datasets HTTP/1.1\r\nHost: a\r\nContent-Length: 5000\r\n\r\n");
        assertThat(slow.receive(false).status()).isEqualTo(405);
        assertThat(slow.trickle("x".repeat(2_000), EACH)).isTrue();
    }

    @Test
    void aConnectionWithoutRequestsEnds() throws IOException {
        var unused = client();
        assertThat(unused.readToEnd().bytes()).isEmpty();
        var used = client();
        used.send("HEAD", PATH);
        assertThat(used.receive(true).status()).isEqualTo(200);
        assertThat(used.readToEnd().bytes()).isEmpty();
    }

    @Test
    void oneConnectionTooManyIsClosedAndTheOthersAreServed() throws IOException {
        var first = client();
        for (int i = 1; i < 4 * StrictProfile.MAX_CONNECTIONS; i++) {
            client();
        }
        first.send("GET", PATH, "Range: bytes=0-99");
        assertThat(first.receive(false).status()).isEqualTo(206);
        assertThat(clients.getLast().readToEnd().bytes()).isEmpty();
    }

    @Test
    void slowOnesDoNotDisturbOthers() throws IOException {
        var slow = 30;
        // Who waited for them would be answered only once they are cut, which is soon: so the answer must find them
        // there.
        Deadline.until("an answer beside slow ones", () -> {
            Deadline.until("those before are cut", () -> listener.connections() == 0);
            for (int i = 0; i < slow; i++) {
                client().write("GET /d/limits HTTP/1.1\r\nHo");
            }
            Deadline.until("they are there", () -> listener.connections() >= slow);
            assertThat(RawClient.get(gateway, PATH, "Range: bytes=-4096").status())
                    .isEqualTo(206);
            return listener.connections() >= slow;
        });
    }

    /// A client that asked for a large shard and takes little of it.
    private RawClient begin() throws IOException {
        var client = client();
        client.send("GET", PATH);
        return client;
    }

    private RawClient client() throws IOException {
        var client = new RawClient(gateway, 16 << 10);
        clients.add(client);
        return client;
    }

    private static int status(RawClient client) {
        try {
            client.send("GET", PATH, "Range: bytes=0-0");
            return client.receive(false).status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int status() {
        try {
            return RawClient.get(gateway, PATH, "Range: bytes=0-0").status() == 206 ? 200 : 503;
        } catch (IOException e) {
            return 503;
        }
    }
}
