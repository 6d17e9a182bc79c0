package io.tarpon.gateway.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TrafficTest {
    private static final int STREAMS = 50;
    private static final long BUFFERS = 16 << 20;
    private static final Traffic.Memory MEMORY = new Traffic.Memory(1L << 30, 1L << 30);

    private final Traffic traffic = new Traffic(STREAMS, BUFFERS, MEMORY, Patience.UNLIMITED, new Traffic.Meters() {
        @Override
        public void bytes(BlockBytes.Origin origin, long bytes) {
            throw new AssertionError("nothing is sent");
        }

        @Override
        public void waited(boolean onClient, Duration time) {
            throw new AssertionError("nobody waits");
        }
    });

    @Test
    void asManyResponsesAsConfiguredAndNoMore() {
        for (int i = 0; i < STREAMS; i++) {
            assertThat(traffic.enter()).isTrue();
        }
        assertThat(traffic.enter()).isFalse();
        traffic.leave();
        assertThat(traffic.enter()).isTrue();
        assertThat(traffic.enter()).isFalse();
    }

    @Test
    void theMoreResponsesTheLessMemoryEachHas() {
        assertThat(traffic.enter()).isTrue();
        assertThat(traffic.window()).isEqualTo(1 << 20);
        assertThat(traffic.readBytes()).isEqualTo(256 << 10);
        for (int i = 1; i < STREAMS; i++) {
            assertThat(traffic.enter()).isTrue();
            assertThat(traffic.reads() * (traffic.window() + traffic.readBytes()))
                    .isLessThanOrEqualTo(Math.max(BUFFERS / 2, traffic.reads() * (128L << 10)));
        }
    }

    @Test
    void piecesRunAheadOnlyAsFarAsMemoryReaches() {
        var ahead = 0;
        while (traffic.tryRunAhead(256 << 10)) {
            ahead++;
        }
        assertThat(ahead * (256L << 10)).isEqualTo(BUFFERS / 4);
        traffic.endAhead(256 << 10);
        assertThat(traffic.tryRunAhead(256 << 10)).isTrue();
        assertThat(traffic.tryRunAhead(1)).isFalse();
    }

    @Test
    void whatFitsIsNotRefusedBecauseOthersAskForMore() throws InterruptedException {
        while (traffic.tryRunAhead(256 << 10)) {
            // Until it is full.
        }
        traffic.endAhead(100);
        var stop = new AtomicBoolean();
        var others = Thread.ofPlatform().start(() -> {
            while (!stop.get()) {
                assertThat(traffic.tryRunAhead(256 << 10)).isFalse();
            }
        });
        try {
            for (int i = 0; i < 200_000; i++) {
                assertThat(traffic.tryRunAhead(100)).isTrue();
                traffic.endAhead(100);
            }
        } finally {
            stop.set(true);
            others.join();
        }
    }

    @Test
    void aPieceThatRunsAheadCountsAsItsFirstRead() {
        assertThat(Traffic.aheadBytes(8 << 20)).isEqualTo(256 << 10);
        assertThat(Traffic.aheadBytes(100_000)).isEqualTo(100_000);
        assertThat(Traffic.aheadBytes(1)).isEqualTo(8 << 10);
    }

    @Test
    void memoryBoundsTheResponsesWhateverIsConfigured() {
        var small = new Traffic(
                10_000, 96 << 20, new Traffic.Memory(64 << 20, 64 << 20), Patience.UNLIMITED, traffic.meters());
        assertThat(small.maxReads()).isBetween(100, 500);
        assertThat(small.maxReads() * (160L << 10)).isLessThan(64 << 20);
        assertThat(small.maxReads() * (24L << 10)).isLessThan(64 << 18);
        for (int i = 0; i < small.maxReads(); i++) {
            assertThat(small.enter()).isTrue();
        }
        assertThat(small.enter()).isFalse();
    }

    @Test
    void patienceEndsEarlierWhenThereAreMany() {
        var patience = new Patience(Duration.ofMinutes(30), Duration.ofSeconds(30), 0);
        var some = new Traffic(8, BUFFERS, MEMORY, patience, traffic.meters());
        for (int i = 0; i < 6; i++) {
            assertThat(some.enter()).isTrue();
            assertThat(some.stall()).isEqualTo(Duration.ofMinutes(30));
        }
        assertThat(some.enter()).isTrue();
        assertThat(some.stall()).isEqualTo(Duration.ofSeconds(30));
    }
}
