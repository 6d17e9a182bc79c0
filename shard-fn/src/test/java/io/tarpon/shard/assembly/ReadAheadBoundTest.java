package io.tarpon.shard.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.shard.Folders;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.index.ShardIndex;
import io.tarpon.wire.plan.PlanReader;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import io.tarpon.wire.tar.Ustar;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadAheadBoundTest {
    @TempDir
    Path temp;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aSlowStoreStopsTheReadersOfAllShardsTogetherAtTheLimit(int shards) throws Exception {
        var limits = new AssemblyLimits(3, 1 << 20, shards);
        var source = new CountingSource();
        try (var store = DirectoryStore.open(temp);
                var assembly = new ShardAssembly(limits);
                var writers = Executors.newFixedThreadPool(shards)) {
            Folders.plan(store, Folders.ref(0), "in", samples());
            var plan = store.read(ObjectKeys.plan(Folders.ref(0)), 1 << 20);
            Callable<ShardIndex> build = () -> assembly.assemble(
                    new PlanReader("x", new ByteArrayInputStream(plan)), source, source.slowUpload(), () -> false);
            var digests = new HashSet<String>();
            for (var built : writers.invokeAll(Collections.nCopies(shards, build))) {
                digests.add(built.get().shardSha256());
            }
            assertThat(digests).hasSize(1);
        }
        assertThat(source.mostAhead.get()).isGreaterThan(limits.readAheadBytes() / 2);
        assertThat(source.mostAhead.get()).isLessThanOrEqualTo(limits.readAheadBytes());
        assertThat(source.mostAtOnce.get()).isBetween(2, limits.readers());
    }

    /// Small members and, now and then, one of several segments.
    private static List<PlannedSample> samples() {
        var samples = new ArrayList<PlannedSample>();
        for (int i = 0; i < 400; i++) {
            long size = i % 50 == 7 ? 600_000 : 9_000;
            samples.add(new PlannedSample("s%03d".formatted(i), List.of(new PlannedMember("bin", size, "k" + i, "e"))));
        }
        return samples;
    }

    /// Counts the tar bytes of what was read and not yet written. The first reader waits for a second.
    private static final class CountingSource implements ObjectSource {
        final CountDownLatch twoReaders = new CountDownLatch(2);
        final AtomicLong ahead = new AtomicLong();
        final AtomicLong mostAhead = new AtomicLong();
        final AtomicInteger reading = new AtomicInteger();
        final AtomicInteger mostAtOnce = new AtomicInteger();

        @Override
        public void list(SourceVisitor visitor) {
            throw new UnsupportedOperationException("not listed here");
        }

        @Override
        public Optional<SourceObject> find(String key) {
            throw new UnsupportedOperationException("not looked at here");
        }

        @Override
        public void read(String key, String etag, ByteBuffer into) {
            mostAtOnce.accumulateAndGet(reading.incrementAndGet(), Math::max);
            awaitSecondReader();
            count(Ustar.memberLength(into.remaining()));
            into.position(into.limit());
            reading.decrementAndGet();
        }

        @Override
        public InputStream open(String key, String etag, long size) {
            count(Ustar.memberLength(size) - size);
            return new InputStream() {
                private long left = size;

                @Override
                public int read() {
                    throw new UnsupportedOperationException("read by chunks");
                }

                @Override
                public int read(byte[] into, int offset, int length) {
                    int count = (int) Math.min(left, length);
                    left -= count;
                    count(count);
                    return count == 0 ? -1 : count;
                }
            };
        }

        ObjectStore.Upload slowUpload() {
            return new ObjectStore.Upload() {
                @Override
                public void write(ByteBuffer bytes) {
                    LockSupport.parkNanos(3_000_000);
                    ahead.addAndGet(-bytes.remaining());
                }

                @Override
                public void complete() {}

                @Override
                public void close() {}
            };
        }

        @Override
        public void close() {}

        private void awaitSecondReader() {
            twoReaders.countDown();
            try {
                twoReaders.await(10, TimeUnit.SECONDS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void count(long bytes) {
            mostAhead.accumulateAndGet(ahead.addAndGet(bytes), Math::max);
        }
    }
}
