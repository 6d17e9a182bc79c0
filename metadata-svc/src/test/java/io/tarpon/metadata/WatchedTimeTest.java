package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.garbage.OpenReads;
import io.tarpon.metadata.image.VersionName;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeState;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class WatchedTimeTest {
    private static final Duration INTERVAL = Duration.ofMillis(500);
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    /// Nanosecond clocks may begin anywhere, also just before they run over.
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 1_000);

    private final WatchedTime watched = new WatchedTime(clock::get, INTERVAL);

    @Test
    void whatIsLookedAtInTimeCountsWhole() {
        for (int look = 0; look < 10; look++) {
            pass(INTERVAL);
        }
        assertThat(watched.getAsLong()).isEqualTo(INTERVAL.multipliedBy(10).toNanos());
    }

    @Test
    void aPauseCountsForTwoIntervals() {
        pass(INTERVAL);
        var before = watched.getAsLong();
        pass(Duration.ofHours(1));
        assertThat(watched.getAsLong() - before)
                .isEqualTo(INTERVAL.multipliedBy(2).toNanos());
    }

    @Test
    void aClockThatGoesBackTakesNoTimeBack() {
        pass(INTERVAL);
        var before = watched.getAsLong();
        clock.addAndGet(-1_000);
        assertThat(watched.getAsLong()).isEqualTo(before);
    }

    @Test
    void aPauseOfTheWatcherLosesNoNodeAndNoOpenRead() {
        var liveness = new Liveness(TIMEOUT, Duration.ZERO, watched.getAsLong());
        var reads = new OpenReads(TIMEOUT, 10, watched.getAsLong());
        var version = new VersionName(Fixtures.DEMO, Fixtures.V1);
        liveness.beat("node-1", new Heartbeat(1, 1), watched.getAsLong());
        reads.report("gateway-1", Set.of(version), watched.getAsLong());
        pass(Duration.ofMinutes(10));
        var now = watched.getAsLong();
        assertThat(liveness.record("node-1", node(1), now).state()).isEqualTo(NodeState.UP);
        assertThat(reads.open(now)).containsExactly(version);
        for (int look = 0; look < 10; look++) {
            pass(INTERVAL);
        }
        assertThat(liveness.record("node-1", node(1), watched.getAsLong()).state())
                .as("silent for its timeout after the pause")
                .isEqualTo(NodeState.LOST);
    }

    @Test
    void theThreadLooksByItself() throws InterruptedException {
        var looks = new AtomicLong();
        try (var looking = new WatchedTime(looks::incrementAndGet, Duration.ofMillis(1))) {
            looking.start();
            var deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
            while (looks.get() < 5) {
                assertThat(System.nanoTime()).as("it looks").isLessThan(deadline);
                Thread.onSpinWait();
            }
        }
    }

    private void pass(Duration time) {
        clock.addAndGet(time.toNanos());
        assertThat(watched.getAsLong()).isNotNegative();
    }
}
