package io.tarpon.metadata.node;

import static io.tarpon.metadata.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeState;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LivenessTest {
    /// Nanosecond clocks may begin anywhere, also just before they run over.
    private static final long START = Long.MAX_VALUE - 1_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private final Liveness liveness = new Liveness(TIMEOUT, START);

    @Test
    void aSilentNodeIsLostAfterTheTimeoutAndNotBefore() {
        liveness.beat("node-1", new Heartbeat(3, 400), START);
        assertThat(stateAt(START + TIMEOUT.toNanos())).isEqualTo(NodeState.UP);
        assertThat(stateAt(START + TIMEOUT.toNanos() + 1)).isEqualTo(NodeState.LOST);
    }

    @Test
    void aHeartbeatBringsALostNodeBack() {
        var late = START + 2 * TIMEOUT.toNanos();
        assertThat(stateAt(late)).isEqualTo(NodeState.LOST);
        liveness.beat("node-1", new Heartbeat(3, 400), late);
        assertThat(stateAt(late)).isEqualTo(NodeState.UP);
    }

    @Test
    void aNodeNotHeardSinceTheStartIsLostLater() {
        assertThat(stateAt(START + 1)).isEqualTo(NodeState.UP);
        assertThat(stateAt(START + TIMEOUT.toNanos() + 1)).isEqualTo(NodeState.LOST);
    }

    @Test
    void joiningAgainKeepsWhatTheNodeSaidToHold() {
        liveness.beat("node-1", new Heartbeat(3, 400), START);
        liveness.joined("node-1", START + 1);
        var record = liveness.record("node-1", node(1), START + 2);
        assertThat(record.blocks()).isEqualTo(3);
        assertThat(record.bytes()).isEqualTo(400);
    }

    @Test
    void aNodeThatLeftIsForgotten() {
        liveness.beat("node-1", new Heartbeat(3, 400), START);
        liveness.forgetAllBut(Set.of("node-2"));
        assertThat(liveness.record("node-1", node(1), START).blocks()).isZero();
    }

    private NodeState stateAt(long nanos) {
        return liveness.record("node-1", node(1), nanos).state();
    }
}
