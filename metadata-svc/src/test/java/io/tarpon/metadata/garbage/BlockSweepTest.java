package io.tarpon.metadata.garbage;

import static io.tarpon.metadata.Fixtures.sha;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.client.BlockNode;
import io.tarpon.metadata.client.NodeBlocks;
import io.tarpon.metadata.image.Remains.Content;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.DropBlocks;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class BlockSweepTest {
    private static final WriteToken TOKEN = new WriteToken("test-token-0123456789");
    private static final Duration TIMEOUT = Duration.ofSeconds(20);

    @Test
    void idsGoInBatchesOfAsManyAsANodeTakes() throws IOException {
        try (var node = BlockNode.start(TOKEN);
                var client = new NodeBlocks(TOKEN, TIMEOUT)) {
            node.hold(List.of(
                    BlockId.of(sha("b"), 8_999).hex(),
                    BlockId.of(sha("other"), 0).hex()));
            var sweep = new BlockSweep(client, List.of(up("node-1", node)), false);
            sweep.run(List.of(
                    new Content(sha("a"), DropBlocks.MAX_IDS),
                    new Content(sha("b"), 9_000),
                    new Content(sha("c"), 1_001)));
            assertThat(node.batches()).containsExactly(DropBlocks.MAX_IDS, DropBlocks.MAX_IDS, 1);
            assertThat(sweep.blocks()).isEqualTo(1);
            assertThat(node.blocks())
                    .containsExactly(BlockId.of(sha("other"), 0).hex());
        }
    }

    @Test
    void aNodeThatFailsOnceIsNotAskedAgainAndTheOthersAre() throws IOException {
        try (var good = BlockNode.start(TOKEN);
                var bad = BlockNode.start(TOKEN);
                var client = new NodeBlocks(TOKEN, TIMEOUT)) {
            bad.answer(503);
            var sweep = new BlockSweep(client, List.of(up("bad", bad), up("good", good)), false);
            sweep.run(List.of(new Content(sha("a"), 2 * DropBlocks.MAX_IDS)));
            assertThat(sweep.unreachable()).containsExactly("bad");
            assertThat(bad.batches()).hasSize(1);
            assertThat(good.batches()).hasSize(2);
        }
    }

    private static NodeRecord up(String id, BlockNode node) {
        return new NodeRecord(id, node.registration(), NodeState.UP, 0, 0);
    }
}
