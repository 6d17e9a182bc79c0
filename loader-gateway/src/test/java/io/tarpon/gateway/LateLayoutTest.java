package io.tarpon.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.LateStore;
import io.tarpon.gateway.fixture.LateStoreResource;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.World;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/// Shards whose indexes come late from the object store.
@QuarkusTest
@TestProfile(LateLayoutTest.Late.class)
@NullUnmarked // The test framework fills the fields.
class LateLayoutTest {
    private static final String PATH = "/e/late/v1/train/7/3/0of2.tar?tail=keep";

    World world;
    LateStore store;

    @Inject
    Listener listener;

    /// Its store.
    public static class Late implements QuarkusTestProfile {
        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(LateStoreResource.class));
        }
    }

    @Test
    void itIsRefusedForEverLongerTimesAndServedOnceTheyAreThere() throws IOException {
        var shard = MadeShard.of("late", new Random(5), 20, _ -> 5_000);
        world.seal("late", 1, Map.of("train", List.of(shard)));
        var gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");

        for (var seconds : List.of("1", "2", "5", "10", "10")) {
            var answer = RawClient.get(gateway, PATH);
            assertThat(answer.status()).as(answer.text()).isEqualTo(503);
            assertThat(answer.text()).contains("urn:tarpon:problem:not-ready");
            assertThat(answer.header("retry-after")).isEqualTo(seconds);
        }
        assertThat(store.asked()).anyMatch(key -> key.contains("late/v1/"));
        store.release();

        Deadline.until("it is ready", () -> status(gateway) != 503);
        var answer = RawClient.get(gateway, PATH);
        assertThat(answer.status()).as(answer.text()).isEqualTo(200);
        assertThat(answer.whole()).isTrue();
        assertThat(answer.header("tarpon-samples")).isEqualTo("10");
    }

    @Test
    void whoWantsNoBytesOfAShardIsAnsweredWithoutItsIndex() throws IOException {
        var shard = MadeShard.of("head", new Random(6), 20, _ -> 5_000);
        world.seal("head", 1, Map.of("train", List.of(shard)));
        var gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        var path = "/d/head/v1/train/shard-000000.tar";

        var head = RawClient.ask(gateway, "HEAD", path);
        assertThat(head.status()).isEqualTo(200);
        assertThat(head.header("content-length")).isEqualTo(Integer.toString(shard.tar().length));
        var known = "If-None-Match: " + head.header("etag");
        assertThat(RawClient.ask(gateway, "GET", path, known).status()).isEqualTo(304);
        assertThat(store.asked()).noneMatch(key -> key.contains("head/v1/"));
    }

    private static int status(URI gateway) {
        try {
            return RawClient.get(gateway, PATH).status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
