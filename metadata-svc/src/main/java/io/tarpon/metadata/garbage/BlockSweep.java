package io.tarpon.metadata.garbage;

import io.tarpon.metadata.client.NodeBlocks;
import io.tarpon.metadata.image.Remains;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.DropBlocks;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jboss.logging.Logger;

/// Has every node drop the blocks of shards that no version has any more, a batch at a time. A node that does not do
/// it is left out from then on, and named. For one thread.
public final class BlockSweep {
    private static final Logger LOG = Logger.getLogger(BlockSweep.class);

    private final NodeBlocks client;
    private final boolean dryRun;
    private final List<NodeRecord> nodes;
    private final List<String> unreachable = new ArrayList<>();
    private long blocks;
    private long bytes;

    public BlockSweep(NodeBlocks client, List<NodeRecord> nodes, boolean dryRun) {
        this.client = client;
        this.dryRun = dryRun;
        this.nodes = new ArrayList<>(nodes);
        this.nodes.removeIf(node -> {
            var lost = node.state() == NodeState.LOST;
            if (lost) {
                unreachable.add(node.id());
            }
            return lost;
        });
    }

    public void run(Collection<Remains.Content> contents) {
        var batch = new ArrayList<String>();
        for (var content : contents) {
            for (int number = 0; number < content.blocks(); number++) {
                batch.add(BlockId.of(content.sha256(), number).hex());
                if (batch.size() == DropBlocks.MAX_IDS) {
                    drop(batch);
                    batch.clear();
                }
            }
        }
        if (!batch.isEmpty()) {
            drop(batch);
        }
    }

    private void drop(List<String> ids) {
        var command = new DropBlocks(ids, dryRun);
        nodes.removeIf(node -> {
            try {
                var dropped = client.drop(node.registration(), command);
                blocks += dropped.blocks();
                bytes += dropped.bytes();
                return false;
            } catch (IOException e) {
                LOG.warnf(
                        "blocks not dropped node=%s url=%s reason=%s",
                        node.id(), node.registration().url(), e);
                unreachable.add(node.id());
                return true;
            }
        });
    }

    public long blocks() {
        return blocks;
    }

    public long bytes() {
        return bytes;
    }

    public List<String> unreachable() {
        return unreachable;
    }
}
