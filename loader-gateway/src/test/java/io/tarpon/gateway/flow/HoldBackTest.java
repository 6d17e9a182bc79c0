package io.tarpon.gateway.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class HoldBackTest {
    private final List<Long> left = new ArrayList<>();
    private final HoldBack holdBack = new HoldBack(chunk -> {
        left.add(chunk.length());
        chunk.release();
    });

    @Test
    void whereAChunkMayBeCutIsAskedForOnlyWhenItIs() {
        var asked = new AtomicInteger();
        for (int i = 0; i < 1_000; i++) {
            holdBack.add(chunk(), () -> {
                asked.incrementAndGet();
                return 70;
            });
        }
        assertThat(asked).hasValue(0);
        assertThat(left).as("all but the last, whole").hasSize(999).containsOnly(100L);
        holdBack.settle();
        assertThat(asked).hasValue(1);
        assertThat(left).last().isEqualTo(70L);
        assertThat(holdBack.bytes()).isEqualTo(30);
        holdBack.settle();
        assertThat(asked).as("it left already").hasValue(1);
        assertThat(left).hasSize(1_000);
    }

    @Test
    void aChunkWithoutSuchAPlaceIsKeptBehindTheOneThatHasOne() {
        holdBack.add(chunk(), () -> 100);
        holdBack.add(chunk(), 0);
        holdBack.add(chunk(), 0);
        assertThat(left).isEmpty();
        holdBack.settle();
        assertThat(left).containsExactly(100L);
        assertThat(holdBack.bytes()).isEqualTo(200);
        holdBack.add(chunk(), () -> 1);
        assertThat(left).containsExactly(100L, 100L, 100L);
        holdBack.drain();
        assertThat(left).containsExactly(100L, 100L, 100L, 100L);
    }

    private static Chunk chunk() {
        return new BufferChunk(Unpooled.wrappedBuffer(new byte[100]));
    }
}
