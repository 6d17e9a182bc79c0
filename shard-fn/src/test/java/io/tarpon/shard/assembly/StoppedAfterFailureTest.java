package io.tarpon.shard.assembly;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class StoppedAfterFailureTest {
    @TempDir
    Path temp;

    private final CountDownLatch standing = new CountDownLatch(1);
    private final CountDownLatch failed = new CountDownLatch(1);
    private final CountDownLatch forever = new CountDownLatch(1);
    private final AtomicInteger looks = new AtomicInteger();

    @Test
    void aReaderThatStandsStillAfterAnotherFailedHoldsNoStopUp() throws Exception {
        try (var store = DirectoryStore.open(temp);
                var assembly = new ShardAssembly(new AssemblyLimits(3, 1 << 20, 1));
                var writer = Executors.newSingleThreadExecutor(
                        Thread.ofPlatform().daemon().factory())) {
            Folders.plan(store, Folders.ref(0), "in", samples());
            var plan = store.read(ObjectKeys.plan(Folders.ref(0)), 1 << 20);
            var built = writer.submit(() -> assembly.assemble(
                    new PlanReader("x", new ByteArrayInputStream(plan)),
                    new FailingSource(),
                    new MemoryUpload(),
                    this::isStopping));
            try {
                assertThatThrownBy(() -> built.get(20, TimeUnit.SECONDS))
                        .isInstanceOf(ExecutionException.class)
                        .hasStackTraceContaining("k000");
            } finally {
                forever.countDown();
            }
        }
    }

    /// The stop comes while the assembly that failed is being closed.
    private boolean isStopping() {
        return failed.getCount() == 0 && looks.incrementAndGet() > 5;
    }

    private static List<PlannedSample> samples() {
        return IntStream.range(0, 400)
                .mapToObj("%03d"::formatted)
                .map(i -> new PlannedSample("s" + i, List.of(new PlannedMember("bin", 9_000, "k" + i, "e"))))
                .toList();
    }

    /// Its first object cannot be read, once another is being read; no other ever comes.
    private final class FailingSource implements ObjectSource {
        @Override
        public void list(SourceVisitor visitor) {
            throw new UnsupportedOperationException("not listed here");
        }

        @Override
        public Optional<SourceObject> find(String key) {
            throw new UnsupportedOperationException("not looked at here");
        }

        @Override
        public void read(String key, String etag, ByteBuffer into) throws IOException {
            if (!key.equals("k000")) {
                standing.countDown();
                await(forever);
                return;
            }
            await(standing);
            failed.countDown();
            throw new IOException("it is locked");
        }

        @Override
        public InputStream open(String key, String etag, long size) {
            throw new UnsupportedOperationException("only small objects here");
        }

        @Override
        public void close() {}

        private static void await(CountDownLatch latch) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
