package io.tarpon.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import io.tarpon.gateway.BodyStreams.Purpose;
import io.tarpon.gateway.catalog.OpenReads;
import io.tarpon.gateway.epoch.OpenEpochs;
import io.tarpon.gateway.flow.BlockBytes;
import io.tarpon.gateway.flow.Traffic;
import java.time.Duration;
import java.util.Collections;
import java.util.Optional;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;

@NullUnmarked // What is missing is missing on purpose.
class BodyStreamsTest {
    private static final int PLACES = 3;

    private final EventLoop loop = new DefaultEventLoop();
    private final OpenReads reads = new OpenReads();

    /// Without patience, which no writer can be made of.
    private final Traffic traffic =
            new Traffic(PLACES, 64 << 20, new Traffic.Memory(1L << 30, 1L << 30), null, new Traffic.Meters() {
                @Override
                public void bytes(BlockBytes.Origin origin, long bytes) {
                    // Not counted.
                }

                @Override
                public void waited(boolean onClient, Duration time) {
                    // Not counted.
                }
            });

    @Test
    void aResponseThatCannotBeginGivesItsPlaceBack() {
        var streams = new BodyStreams(traffic, reads, new OpenEpochs(), null, 1, Optional.empty());
        for (int i = 0; i < 2 * PLACES; i++) {
            assertThatThrownBy(() ->
                            streams.send(loop, null, new Purpose("demo/v1", null), Collections.emptyIterator(), 0))
                    .isInstanceOf(NullPointerException.class);
        }
        assertThat(traffic.reads()).isZero();
        assertThat(reads.versions(10)).isEmpty();
        var _ = loop.shutdownGracefully();
    }
}
