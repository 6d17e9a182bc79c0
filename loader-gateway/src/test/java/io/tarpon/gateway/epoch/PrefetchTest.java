package io.tarpon.gateway.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.NodeDouble;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.fixture.WorldResource;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.WantedBlocks;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// What nodes are told of the blocks that an open epoch reads next.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@QuarkusTestResource(WorldResource.class)
class PrefetchTest {
    private static final int PENDING = 64;
    private static final int SAMPLE_BYTES = 250_000;
    private static final String PATH = "/e/ahead/v1/train/7/3/0of1.tar?shuffle=none";

    World world;

    @Inject
    Listener listener;

    /// Larger than what waits for a client that takes nothing; gone with the test.
    private final MadeShard shard = MadeShard.of("ahead", new Random(4), 120, _ -> SAMPLE_BYTES);

    private URI gateway;
    private NodeDouble node;

    @BeforeEach
    void seal() throws IOException {
        gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        world.seal("ahead", 1, Map.of("train", List.of(shard)));
        node = new NodeDouble("ahead-node", "host-9", world.folder("ahead-node")).serve(shard);
        world.metadata().nodes(List.of(node.record()));
        Deadline.until("the gateway knows the node", () -> world.metadata().nodesAreKnown());
    }

    @AfterEach
    void stop() throws IOException {
        world.metadata().nodes(List.of());
        node.close();
    }

    @Test
    void theNodeIsToldOnceOfEachBlockThatComesNext() throws IOException {
        try (var client = new RawClient(gateway, 64 << 10)) {
            client.send("GET", PATH);
            assertThat(client.readStatus()).isEqualTo(200);
            Deadline.until("told", () -> node.wanted().size() >= PENDING / 2);
            var early = node.wanted().size();
            assertThat(early)
                    .as("a client that takes nothing")
                    .isLessThan(shard.index().blockCount());

            assertThat(client.receiveRest().body()).isEqualTo(shard.tar());
        }
        assertThat(node.wanted()).isSubsetOf(blocks()).doesNotHaveDuplicates();
        assertThat(node.wanted())
                .as("in order of need")
                .isSortedAccordingTo((one, other) -> Integer.compare(one.block(), other.block()));
    }

    @Test
    void aShardIsNoEpochAndNobodyIsTold() throws IOException {
        var answer = RawClient.get(gateway, "/d/ahead/v1/train/shard-000000.tar");

        assertThat(answer.body()).isEqualTo(shard.tar());
        // Streams are looked at in the order they began, and a node is told in that order.
        var later = MadeShard.of("later", new Random(6), 120, _ -> SAMPLE_BYTES);
        world.seal("later", 1, Map.of("train", List.of(later)));
        node.serve(later);
        try (var client = new RawClient(gateway, 64 << 10)) {
            client.send("GET", PATH.replace("ahead", "later"));
            Deadline.until("told of what was opened later", () -> node.wanted().size() >= PENDING / 2);
        }
        assertThat(node.wanted()).extracting(WantedBlocks.Wanted::shard).containsOnly("later/v1/train/shard-000000");
    }

    @Test
    void aNodeThatRefusesCostsNothing() throws IOException {
        node.close();

        var answer = RawClient.get(gateway, PATH);

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).hasSize(shard.tar().length);
    }

    private List<WantedBlocks.Wanted> blocks() {
        var index = shard.index();
        var blocks = new ArrayList<WantedBlocks.Wanted>();
        for (int block = 0; block < index.blockCount(); block++) {
            var id = BlockId.of(index.shardSha256(), block);
            blocks.add(new WantedBlocks.Wanted(id.hex(), "ahead/v1/train/shard-000000", block));
        }
        return blocks;
    }
}
