package io.tarpon.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.body.TarCut;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.StrictProfile;
import io.tarpon.gateway.fixture.World;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/// The end of a gateway as SIGTERM brings it, with clients of every kind.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@TestProfile(DrainTest.Profile.class)
class DrainTest {
    private static final String PATH = "/d/drained/v1/train/shard-000000.tar";

    /// A gateway of its own: it does not live on.
    public static final class Profile extends StrictProfile {}

    World world;

    @Inject
    Listener listener;

    @Test
    void openResponsesComeToTheirEndOrBreakInsideAMember() throws Exception {
        var gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        var made = MadeShard.of("d", new Random(4), 400, _ -> 100_000);
        world.seal("drained", 1, Map.of("train", List.of(made)));
        Deadline.until("the gateway is ready", () -> ready(gateway) == 200);
        try (var executor = Executors.newVirtualThreadPerTaskExecutor();
                var quick = begin(gateway);
                var slow = begin(gateway);
                var stuck = begin(gateway);
                var kept = new RawClient(gateway)) {
            var draining = CompletableFuture.runAsync(this::drain, executor);
            Deadline.until("not ready, and still listening", () -> ready(gateway) == 503);
            kept.send("GET", PATH, "Range: bytes=0-9");
            assertThat(kept.receive(false).status()).isEqualTo(206);
            Deadline.until("nobody listens", () -> ready(gateway) == 0);
            assertThat(quick.receiveRest().body()).isEqualTo(made.tar());
            assertThat(quick.isAtEnd())
                    .as("a kept connection ends after its answer")
                    .isTrue();
            var cut = readSlowly(slow);
            draining.get(20, TimeUnit.SECONDS);
            assertCut(made, cut);
            stuck.readHeaders();
            assertCut(made, stuck.readToEnd());
            assertThatThrownBy(() -> new RawClient(gateway).close()).isInstanceOf(ConnectException.class);
        }
    }

    /// A reset, or an end in order at a place that every tar reader takes for a break.
    private static void assertCut(MadeShard made, RawClient.Rest rest) {
        var sent = rest.bytes().length;
        assertThat(sent).isLessThan(made.tar().length);
        assertThat(rest.bytes()).isEqualTo(Arrays.copyOf(made.tar(), sent));
        assertThat(rest.isReset() || TarCut.isInsideData(made.index(), sent))
                .as("end at %d", sent)
                .isTrue();
    }

    private void drain() {
        try {
            listener.drain();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Fast enough to take what is on its way when the deadline comes, too slow for the whole.
    private static RawClient.Rest readSlowly(RawClient client) throws IOException {
        client.readHeaders();
        return client.readToEnd(() -> LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(8)));
    }

    private static RawClient begin(URI gateway) throws IOException {
        var client = new RawClient(gateway, 32 << 10);
        client.send("GET", PATH);
        assertThat(client.readStatus()).isEqualTo(200);
        return client;
    }

    /// 0 where nobody listens.
    private static int ready(URI gateway) {
        try {
            return RawClient.get(gateway, "/q/health/ready").status();
        } catch (ConnectException e) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
