package io.tarpon.shard.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.shard.Folders;
import io.tarpon.shard.MemoryUpload;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.plan.PlanReader;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A source far away: every read takes 30 ms, and as many as one likes may be under way.
class LatencyTest {
    private static final Duration LATENCY = Duration.ofMillis(30);
    private static final int OBJECTS = 2000;
    private static final int GOAL = 20;

    @TempDir
    Path temp;

    @Test
    void defaultsReadTwentyTimesAsFastAsOneConnectionWould() throws Exception {
        var source = new FarSource();
        var samples = IntStream.range(0, OBJECTS)
                .mapToObj(i ->
                        new PlannedSample("s%05d".formatted(i), List.of(new PlannedMember("bin", 5_000, "k" + i, "e"))))
                .toList();
        try (var store = DirectoryStore.open(temp);
                var assembly = new ShardAssembly(new AssemblyLimits(64, 32 << 20, 2))) {
            Folders.plan(store, Folders.ref(0), "far", samples);
            var plan = store.read(ObjectKeys.plan(Folders.ref(0)), 1 << 20);
            var reader = new PlanReader("x", new ByteArrayInputStream(plan));
            var begun = System.nanoTime();
            assembly.assemble(reader, source, new MemoryUpload(), () -> false);
            var took = Duration.ofNanos(System.nanoTime() - begun);

            assertThat(took).isLessThan(LATENCY.multipliedBy(OBJECTS).dividedBy(GOAL));
            assertThat(source.mostAtOnce.get()).isBetween(GOAL, 64);
        }
    }

    private static final class FarSource implements ObjectSource {
        private final AtomicInteger reading = new AtomicInteger();
        final AtomicInteger mostAtOnce = new AtomicInteger();

        @Override
        public void read(String key, String etag, ByteBuffer into) {
            mostAtOnce.accumulateAndGet(reading.incrementAndGet(), Math::max);
            var end = System.nanoTime() + LATENCY.toNanos();
            while (System.nanoTime() < end) {
                LockSupport.parkNanos(end - System.nanoTime());
            }
            into.position(into.limit());
            reading.decrementAndGet();
        }

        @Override
        public void list(SourceVisitor visitor) {
            throw new UnsupportedOperationException("not listed here");
        }

        @Override
        public Optional<SourceObject> find(String key) {
            throw new UnsupportedOperationException("not looked at here");
        }

        @Override
        public InputStream open(String key, String etag, long size) {
            throw new UnsupportedOperationException("only small objects here");
        }

        @Override
        public void close() {}
    }
}
