package io.tarpon.gateway.flow;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
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
        while (traffic.tryRunAhead()) {
            ahead++;
        }
        assertThat(ahead * (256L << 10)).isEqualTo(BUFFERS / 4);
        traffic.endAhead(1);
        assertThat(traffic.tryRunAhead()).isTrue();
        assertThat(traffic.tryRunAhead()).isFalse();
    }
}
