package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.block.index.BlockIndex;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.json.Json;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CapacityTest {
    private static final String[] TOKEN = {"Authorization", "Bearer " + MetadataServer.TOKEN};

    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = workshop.shard;
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void leastRecentlyUsedBlockMakesRoom() throws Exception {
        var node = nodeForTwoBlocks();
        fill(node, 0);
        fill(node, 1);
        assertThat(node.get(shard.url(0)).statusCode()).isEqualTo(200);
        fill(node, 2);

        assertThat(present(node)).containsExactly(true, false, true);
        assertThat(node.wiring.facts().bytes()).isLessThanOrEqualTo(capacity());
        assertThat(node.get(shard.url(1)).body()).isEqualTo(shard.block(1));
    }

    @Test
    void blockReadFromItsFileByAGatewayCountsAsUsed() throws Exception {
        var node = nodeForTwoBlocks();
        fill(node, 0);
        fill(node, 1);
        var used = Json.text(Map.of("ids", List.of(shard.id(0).hex())));
        assertThat(TestNode.problem(node.post("/v1/blocks/used", used))).isEqualTo("401 unauthorized");
        assertThat(node.post("/v1/blocks/used", used, TOKEN).statusCode()).isEqualTo(204);
        fill(node, 2);

        assertThat(present(node)).containsExactly(true, false, true);
    }

    @Test
    void useIsRememberedOverARestart() throws Exception {
        var node = nodeForTwoBlocks();
        fill(node, 0);
        fill(node, 1);
        assertThat(node.get(shard.url(0)).statusCode()).isEqualTo(200);
        workshop.stop(node);
        node = nodeForTwoBlocks();
        fill(node, 2);

        assertThat(present(node)).containsExactly(true, false, true);
    }

    @Test
    void pinnedBlocksStayAndFillsAreRefusedWhileHitsGoOn() throws Exception {
        var node = nodeForTwoBlocks();
        fill(node, 0);
        fill(node, 1);
        workshop.stop(node);
        var state = folder.resolve("node-1").resolve("state");
        try (var index = BlockIndex.open(TestNode.index(state, node.data()).toString())) {
            index.pin(shard.id(0), true);
            index.pin(shard.id(1), true);
        }
        node = nodeForTwoBlocks();

        assertThat(TestNode.problem(node.get(shard.url(2)))).isEqualTo("507 insufficient-storage");
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        assertThat(node.get(shard.url(1)).body()).isEqualTo(shard.block(1));
        assertThat(node.names("tmp")).isEmpty();
    }

    @Test
    void diskBelowItsReserveRefusesFillsAndServesHits() throws Exception {
        var node = workshop.node("node-1");
        fill(node, 0);
        workshop.stop(node);
        var reserve = Files.getFileStore(folder).getTotalSpace();
        node = workshop.node("node-1", "block.disk-reserve", Long.toString(reserve));

        assertThat(TestNode.problem(node.get(shard.url(1)))).isEqualTo("507 insufficient-storage");
        assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
    }

    private TestNode nodeForTwoBlocks() throws Exception {
        return workshop.node("node-1", "block.capacity", Long.toString(capacity()));
    }

    private long capacity() {
        return 2L * BlockFileHeader.BYTES + shard.block(0).length + shard.block(1).length;
    }

    private void fill(TestNode node, int block) throws Exception {
        assertThat(node.get(shard.url(block)).body()).isEqualTo(shard.block(block));
        Deadline.until("stored", () -> node.wiring.facts().fills() == 0);
    }

    private List<Boolean> present(TestNode node) {
        return IntStream.range(0, 3)
                .mapToObj(block -> Files.exists(node.file(shard.id(block))))
                .toList();
    }
}
