package io.tarpon.gateway.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.NodeDouble;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.fixture.WorldResource;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

/// A gateway that reads nothing ahead by plan.
@QuarkusTest
@TestProfile(NoPrefetchTest.Off.class)
@NullUnmarked // The test framework fills the fields.
class NoPrefetchTest {
    World world;

    @Inject
    Listener listener;

    /// The switch.
    public static class Off implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("tarpon.gateway.prefetch.plan", "false");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(WorldResource.class));
        }
    }

    @Test
    void withoutTheSwitchNobodyIsTold() throws IOException {
        // Larger than what waits for a client that takes nothing.
        var shard = MadeShard.of("off", new Random(5), 120, _ -> 250_000);
        var later = MadeShard.of("later", new Random(6), 3, _ -> 50_000);
        world.seal("off", 1, Map.of("train", List.of(shard, later)));
        try (var node = new NodeDouble("off-node", "host-1", world.folder("off-node")).serve(shard)) {
            node.store(later);
            world.metadata().nodes(List.of(node.record()));
            Deadline.until("the gateway knows the node", () -> world.metadata().nodesAreKnown());
            var gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
            try (var client = new RawClient(gateway, 64 << 10)) {
                client.send("GET", "/e/off/v1/train/7/3/0of1.tar?shuffle=none");
                assertThat(client.readStatus()).isEqualTo(200);

                // That a block was read from its file a node is told too, once a second: long after the hints.
                RawClient.get(gateway, "/d/off/v1/train/shard-000001.tar");
                Deadline.until("told of what was read", () -> !node.used().isEmpty());
            }
            assertThat(node.requests()).isPositive();
            assertThat(node.wanted()).isEmpty();
        }
    }
}
