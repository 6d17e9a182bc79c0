package io.tarpon.metadata.node;

import static io.tarpon.metadata.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LivenessTest {
    /// Nanosecond clocks may begin anywhere, also just before they run over.
    private static final long START = Long.MAX_VALUE - 1_000;

    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    private static final Duration DEAF = Duration.ofSeconds(30);
    private static final SortedMap<String, NodeRegistration> THREE =
            new TreeMap<>(Map.of("node-1", node(1), "node-2", node(2), "node-3", node(3)));
    private final Liveness liveness = new Liveness(TIMEOUT, DEAF, START);

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
    void aNodeThatLeftIsForgottenOnceItIsSilent() {
        liveness.beat("node-1", new Heartbeat(3, 400), START);
        liveness.records(new TreeMap<>(), START + TIMEOUT.toNanos() + 1);
        assertThat(liveness.record("node-1", node(1), START).blocks()).isZero();
    }

    /// Who lists nodes read them before this one joined.
    @Test
    void aNodeThatJoinsWhileOthersAreListedKeepsItsFirstSignOfLife() {
        var late = START + 10 * TIMEOUT.toNanos();
        liveness.joined("node-1", late);
        liveness.records(new TreeMap<>(), late);
        assertThat(stateAt(late + TIMEOUT.toNanos())).isEqualTo(NodeState.UP);
    }

    @Test
    void manyThatFallSilentAtOnceAreDoubtedAndThenLostTogether() {
        beat(after(0), "node-1");
        beat(after(800), "node-2");
        beat(after(999), "node-3");
        var last = after(999);
        for (long millis = 0; millis <= DEAF.toMillis(); millis += 100) {
            assertThat(lostAt(last + millis * 1_000_000))
                    .as("%d ms after the last", millis)
                    .isEmpty();
        }
        assertThat(lostAt(last + DEAF.toNanos() + 1)).containsExactly("node-1", "node-2", "node-3");
        beat(last + DEAF.toNanos() + 2, "node-2");
        assertThat(lostAt(last + DEAF.toNanos() + 2)).containsExactly("node-1", "node-3");
    }

    @Test
    void oneOfManyThatFallsSilentIsLostInTime() {
        for (long second = 0; second <= 6; second++) {
            var now = START + second * 1_000_000_000;
            beat(now, "node-2", "node-3");
            if (second == 0) {
                beat(now, "node-1");
            }
            assertThat(lostAt(now)).isEqualTo(second <= 5 ? List.of() : List.of("node-1"));
        }
    }

    @Test
    void theLastOneThatLivesIsLostInTime() {
        var later = START + 2 * TIMEOUT.toNanos();
        beat(later, "node-2");
        assertThat(lostAt(later + TIMEOUT.toNanos())).containsExactly("node-1", "node-3");
        assertThat(lostAt(later + TIMEOUT.toNanos() + 1)).containsExactly("node-1", "node-2", "node-3");
    }

    @Test
    void aNodeThatWasLostBeforeAllFellSilentStaysLost() {
        beat(START, "node-1");
        for (long second = 0; second <= 6; second++) {
            beat(START + second * 1_000_000_000, "node-2", "node-3");
        }
        for (long second = 6; second <= 30; second++) {
            assertThat(lostAt(START + second * 1_000_000_000)).containsExactly("node-1");
        }
    }

    private static long after(long millis) {
        return START + millis * 1_000_000;
    }

    private void beat(long nanos, String... ids) {
        for (var id : ids) {
            liveness.beat(id, new Heartbeat(1, 1), nanos);
        }
    }

    private List<String> lostAt(long nanos) {
        return liveness.records(THREE, nanos).stream()
                .filter(record -> record.state() == NodeState.LOST)
                .map(NodeRecord::id)
                .toList();
    }

    private NodeState stateAt(long nanos) {
        return liveness.record("node-1", node(1), nanos).state();
    }
}
