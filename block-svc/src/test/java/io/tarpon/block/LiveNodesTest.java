package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LiveNodesTest {
    private static final BlockId BLOCK = new BlockId(17, 4);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final LiveNodes nodes = new LiveNodes();

    @Test
    void nodesThatAreAllLostAtOnceAreBelievedForAMinute() {
        nodes.replace(list(4, 4), 0);
        var owner = nodes.firstOwner(BLOCK);
        assertThat(owner).isPresent();
        nodes.replace(list(0, 4), SECOND);
        assertThat(nodes.firstOwner(BLOCK)).isEqualTo(owner);
        nodes.replace(list(1, 4), 30 * SECOND);
        assertThat(nodes.firstOwner(BLOCK)).isEqualTo(owner);
        nodes.replace(list(0, 4), 62 * SECOND);
        assertThat(nodes.firstOwner(BLOCK)).isEmpty();
    }

    @Test
    void doubtBeginsAnewOnceTheListIsWhole() {
        nodes.replace(list(4, 4), 0);
        nodes.replace(list(0, 4), SECOND);
        nodes.replace(list(4, 4), 2 * SECOND);
        nodes.replace(list(0, 4), 100 * SECOND);
        assertThat(nodes.firstOwner(BLOCK)).isPresent();
    }

    @Test
    void nodesThatAreLostOneByOneOrLeaveAreGoneAtOnce() {
        nodes.replace(list(4, 4), 0);
        nodes.replace(list(2, 4), SECOND);
        assertThat(nodes.firstOwner(BLOCK).orElseThrow().id()).isIn("node-0", "node-1");
        nodes.replace(list(0, 0), 2 * SECOND);
        assertThat(nodes.firstOwner(BLOCK)).isEmpty();
    }

    private static NodeList list(int up, int all) {
        List<NodeRecord> records = new ArrayList<>();
        for (var i = 0; i < all; i++) {
            var registration = new NodeRegistration("http://n" + i, "host-" + i, "zone-" + i, 1, 1, List.of("/data"));
            records.add(new NodeRecord("node-" + i, registration, i < up ? NodeState.UP : NodeState.LOST, 0, 0));
        }
        return new NodeList(1, records);
    }
}
