package io.tarpon.gateway.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.StrictProfile;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.flow.HeapBudget;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Senders of batches that are too large together, or too slow, with 1 MiB for all.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@TestProfile(StrictProfile.class)
class BatchLimitsTest {
    private static final MadeShard MADE = MadeShard.of("limit", new Random(9), 20, _ -> 100_000);
    private static final String BATCH =
            "{\"dataset\":\"batchlimits\",\"version\":\"v1\",\"split\":\"train\",\"samples\":[1]}";

    World world;

    @Inject
    Listener listener;

    @Inject
    HeapBudget heap;

    private URI gateway;

    @BeforeEach
    void seal() throws IOException {
        gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        world.seal("batchlimits", 1, Map.of("train", List.of(MADE)));
    }

    @AfterEach
    void allIsGivenBack() {
        Deadline.until("all is given back", () -> heap.taken() == 0);
    }

    @Test
    void moreThanTheMemoryBearsIsTurnedAwayUntilThereIsRoom() throws IOException {
        try (var first = new RawClient(gateway)) {
            first.send("POST", "/v1/batch", "Content-Length: 950000");
            first.write(" ".repeat(900_000));
            Deadline.until("it is held", () -> heap.taken() >= 900_000);
            try (var second = new RawClient(gateway)) {
                write(second, " ".repeat(400_000) + BATCH);
                var answer = second.receive(false);
                assertThat(answer.status()).as(answer.text()).isEqualTo(503);
                assertThat(answer.text()).contains("urn:tarpon:problem:overloaded", "batch-memory");
                assertThat(Integer.parseInt(answer.header("retry-after"))).isBetween(1, 5);
            }
            try (var small = new RawClient(gateway)) {
                write(small, BATCH);
                assertThat(small.receive(false).status()).isEqualTo(200);
            }
        }
        Deadline.until("there is room again", () -> heap.taken() == 0);
        try (var second = new RawClient(gateway)) {
            write(second, " ".repeat(400_000) + BATCH);
            assertThat(second.receive(false).status()).isEqualTo(200);
        }
    }

    @Test
    void aSenderThatStopsIsCutAndHoldsNothing() throws IOException {
        try (var slow = new RawClient(gateway)) {
            slow.send("POST", "/v1/batch", "Content-Length: 1000");
            slow.write(BATCH);
            Deadline.until("it is held", () -> heap.taken() > 0);
            assertThat(slow.readToEnd().bytes()).isEmpty();
        }
    }

    @Test
    void aBodyThatComesByteByByteIsCutAndHoldsNothing() throws IOException {
        try (var slow = new RawClient(gateway)) {
            slow.send("POST", "/v1/batch", "Content-Length: 100000");
            slow.write(BATCH);
            Deadline.until("it is held", () -> heap.taken() > 0);
            assertThat(slow.trickle(" ".repeat(4_000), Duration.ofMillis(5)))
                    .as("cut")
                    .isTrue();
        }
    }

    private static void write(RawClient client, String json) throws IOException {
        client.send("POST", "/v1/batch", "Content-Length: " + json.length());
        client.write(json);
    }
}
