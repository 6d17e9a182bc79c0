package io.tarpon.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.RoughLink;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.fixture.WorldResource;
import io.tarpon.testkit.RawClient;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/// A client behind a bad network goes on where it was cut, with `Range` and `If-Match`, and has the shard in the end.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@QuarkusTestResource(WorldResource.class)
class ResumeTest {
    private static final String PATH = "/d/resumed/v1/train/shard-000000.tar";
    private static final MadeShard MADE = MadeShard.of("resumed", new Random(8), 25, _ -> 40_000);
    private static final Duration JITTER = Duration.ofMillis(200);
    private static final int MOST_TRIES = 300;

    World world;

    @Inject
    Listener listener;

    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private String tag = "";

    @Test
    void aReadThatIsResetAgainAndAgainIsResumedByteForByte() throws IOException {
        world.seal("resumed", 1, Map.of("train", List.of(MADE)));
        var gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        var seed = System.nanoTime();
        System.out.println("ResumeTest seed=" + seed);
        try (var link = new RoughLink(gateway, new Random(seed), JITTER, 200_000)) {
            for (int tries = 0; received.size() < MADE.tar().length; tries++) {
                assertThat(tries).as("tries").isLessThan(MOST_TRIES);
                readOn(link.url());
            }
            assertThat(link.resets()).isGreaterThan(3);
        }
        assertThat(received.toByteArray()).isEqualTo(MADE.tar());
    }

    private void readOn(URI url) throws IOException {
        var from = received.size();
        try (var client = new RawClient(url)) {
            if (from == 0) {
                client.send("GET", PATH, "Connection: close");
            } else {
                client.send("GET", PATH, "Connection: close", "Range: bytes=" + from + "-", "If-Match: " + tag);
            }
            if (hasHead(client, from)) {
                received.writeBytes(client.readToEnd().bytes());
            }
        }
    }

    /// False where the connection ended before the head did.
    private boolean hasHead(RawClient client, int from) {
        int status;
        Map<String, String> headers;
        try {
            status = client.readStatus();
            headers = client.readHeaders();
        } catch (IOException reset) {
            return false;
        }
        assertThat(status).isEqualTo(from == 0 ? 200 : 206);
        if (from == 0) {
            tag = headers.get("ETag");
        } else {
            var last = MADE.tar().length - 1;
            assertThat(headers)
                    .containsEntry("ETag", tag)
                    .containsEntry("Content-Range", "bytes " + from + "-" + last + "/" + (last + 1));
        }
        return true;
    }
}
