package io.tarpon.gateway.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AvoidanceTest {
    private static final String NODE = "n1";

    private final AtomicLong clock = new AtomicLong(-5);
    private final Avoidance avoided = new Avoidance(Duration.ofSeconds(3), Duration.ofSeconds(60), clock::get);

    @Test
    void aNodeThatFailsAtOnceIsAvoidedForTheLeastTime() {
        assertThat(avoided.isAvoided(NODE)).isFalse();
        avoided.failed(NODE, Duration.ZERO);
        assertAvoidedFor(Duration.ofSeconds(3));
    }

    @Test
    void aNodeThatWasWaitedForIsAvoidedTwiceAsLong() {
        avoided.failed(NODE, Duration.ofSeconds(5));
        assertAvoidedFor(Duration.ofSeconds(10));
    }

    @Test
    void eachFailureInARowDoublesTheTimeUpToTheMost() {
        for (var seconds : new int[] {10, 20, 40, 60, 60}) {
            assertThat(avoided.failed(NODE, Duration.ofSeconds(5))).isTrue();
            assertAvoidedFor(Duration.ofSeconds(seconds));
        }
        for (int i = 0; i < 200; i++) {
            avoided.failed(NODE, Duration.ofSeconds(5));
            assertAvoidedFor(Duration.ofSeconds(60));
        }
    }

    @Test
    void failuresAtOnceAreOne() {
        assertThat(avoided.failed(NODE, Duration.ofSeconds(5))).isTrue();
        for (int i = 0; i < 31; i++) {
            assertThat(avoided.failed(NODE, Duration.ofSeconds(5))).isFalse();
        }
        assertAvoidedFor(Duration.ofSeconds(10));
    }

    @Test
    void oneAnswerEndsIt() {
        avoided.failed(NODE, Duration.ofSeconds(5));
        assertAvoidedFor(Duration.ofSeconds(10));
        avoided.failed(NODE, Duration.ofSeconds(5));
        avoided.worked(NODE);
        assertThat(avoided.isAvoided(NODE)).isFalse();
        avoided.failed(NODE, Duration.ofSeconds(5));
        assertAvoidedFor(Duration.ofSeconds(10));
    }

    @Test
    void othersAreNotAvoided() {
        avoided.failed(NODE, Duration.ofSeconds(5));
        assertThat(avoided.isAvoided("n2")).isFalse();
    }

    /// And not a nanosecond longer. Time has passed afterwards.
    private void assertAvoidedFor(Duration time) {
        clock.addAndGet(time.toNanos() - 1);
        assertThat(avoided.isAvoided(NODE)).isTrue();
        clock.addAndGet(1);
        assertThat(avoided.isAvoided(NODE)).isFalse();
    }
}
