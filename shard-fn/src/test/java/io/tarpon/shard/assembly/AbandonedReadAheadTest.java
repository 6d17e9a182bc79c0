package io.tarpon.shard.assembly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.service.retry.AbandonedException;
import io.tarpon.shard.Folders;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.index.ShardIndexBuilder;
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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// An assembly that is abandoned while the process lives on keeps neither connections nor memory.
@Timeout(60)
class AbandonedReadAheadTest {
    private static final int SEGMENT = 64 << 10;
    private static final int WINDOW = 4;
    private static final long LARGE = 20L * SEGMENT;

    @TempDir
    Path temp;

    private final ExecutorService readers = Executors.newFixedThreadPool(2);
    private final SegmentPool pool = new SegmentPool(SEGMENT);
    private final AtomicBoolean abandoned = new AtomicBoolean();

    @AfterEach
    void close() {
        readers.shutdownNow();
    }

    @Test
    void aStreamThatStandsStillIsNotWaitedForAndEndsWhenItGoesOn() throws Exception {
        var source = new OneStream(SEGMENT);
        try (var ahead = readAhead(source)) {
            ahead.release(ahead.next().orElseThrow());
            source.standing.await();
            abandoned.set(true);
            assertThatThrownBy(() -> drain(ahead)).isInstanceOf(AbandonedException.class);
        }
        assertThat(source.closed).hasValue(0);
        assertThat(pool.freeCount()).isLessThan(WINDOW);

        source.goOn.countDown();
        Deadline.until("closed and given back", () -> source.closed.get() == 1 && pool.freeCount() == WINDOW);
        assertThat(source.opened).hasValue(1);
    }

    @Test
    void aStreamThatNobodyReadsAtThatMomentIsClosedAtOnce() throws Exception {
        var source = new OneStream(LARGE);
        try (var ahead = readAhead(source)) {
            ahead.release(ahead.next().orElseThrow());
            Deadline.until("window full", () -> source.given.get() > 2L * SEGMENT);
            abandoned.set(true);
        }
        Deadline.until("closed and given back", () -> source.closed.get() == 1 && pool.freeCount() == WINDOW);
        assertThat(source.opened).hasValue(1);
    }

    @Test
    void aStreamThatBreaksIsClosedBeforeTheWriterHearsOfIt() throws Exception {
        var source = new OneStream(LARGE);
        source.broken.set(true);
        try (var ahead = readAhead(source)) {
            assertThatThrownBy(() -> drain(ahead))
                    .isInstanceOf(UnreadableInputException.class)
                    .hasStackTraceContaining("the link is cut");
            assertThat(source.closed).hasValue(1);
        }
    }

    private static void drain(ReadAhead ahead) throws IOException {
        for (var next = ahead.next(); next.isPresent(); next = ahead.next()) {
            ahead.release(next.get());
        }
    }

    private ReadAhead readAhead(ObjectSource source) throws IOException {
        try (var store = DirectoryStore.open(temp)) {
            var samples = List.of(
                    new PlannedSample("a", List.of(new PlannedMember("bin", 9_000, "a", "e"))),
                    new PlannedSample("b", List.of(new PlannedMember("bin", LARGE, "b", "e"))));
            Folders.plan(store, Folders.ref(0), "in", samples);
            var plan = store.read(ObjectKeys.plan(Folders.ref(0)), 1 << 20);
            var inputs = new Inputs(source);
            var cutter = new SegmentCutter(
                    new PlanReader("x", new ByteArrayInputStream(plan)),
                    new ShardIndexBuilder(),
                    SEGMENT,
                    member -> new LargeMember(member, inputs, readers));
            return new ReadAhead(cutter, inputs, pool, readers, WINDOW, abandoned::get);
        }
    }

    /// Small objects at once, and one large, which stands still after so many bytes until it may go on.
    private static final class OneStream implements ObjectSource {
        final CountDownLatch standing = new CountDownLatch(1);
        final CountDownLatch goOn = new CountDownLatch(1);
        final AtomicBoolean broken = new AtomicBoolean();
        final AtomicInteger opened = new AtomicInteger();
        final AtomicInteger closed = new AtomicInteger();
        final AtomicLong given = new AtomicLong();
        private final long standsAt;

        OneStream(long standsAt) {
            this.standsAt = standsAt;
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
        public void read(String key, String etag, ByteBuffer into) {
            into.position(into.limit());
        }

        @Override
        public InputStream open(String key, String etag, long size) {
            opened.incrementAndGet();
            return new InputStream() {
                @Override
                public int read() {
                    throw new UnsupportedOperationException("read by chunks");
                }

                @Override
                public int read(byte[] into, int offset, int length) throws IOException {
                    if (broken.get()) {
                        throw new IOException("the link is cut");
                    }
                    if (given.get() >= standsAt) {
                        standing.countDown();
                        await(goOn);
                    }
                    given.addAndGet(length);
                    return length;
                }

                @Override
                public void close() {
                    closed.incrementAndGet();
                }
            };
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
