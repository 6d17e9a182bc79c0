package io.tarpon.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.Deadline;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.NodeDouble;
import io.tarpon.gateway.fixture.RawClient;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.fixture.WorldResource;
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
        var shard = MadeShard.of("off", new Random(5), 200, _ -> 50_000);
        world.seal("off", 1, Map.of("train", List.of(shard)));
        try (var node = new NodeDouble("off-node", "host-9", world.folder("off-node")).serve(shard)) {
            var asked = world.metadata().nodeRequests();
            world.metadata().nodes(List.of(node.record()));
            Deadline.await("the gateway knows the node", () -> world.metadata().nodeRequests() > asked + 1);
            var gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");

            var answer = RawClient.get(gateway, "/e/off/v1/train/7/3/0of1.tar");

            assertThat(answer.body()).hasSize(shard.tar().length);
            assertThat(node.requests()).isPositive();
            assertThat(node.wanted()).isEmpty();
        }
    }
}
