package io.tarpon.gateway.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoop;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.blocks.disk.OpenFiles;
import io.tarpon.gateway.body.LaidOutShard;
import io.tarpon.gateway.body.Piece;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.NodeDouble;
import io.tarpon.gateway.flow.Avoidance;
import io.tarpon.gateway.flow.BlockBytes;
import io.tarpon.gateway.flow.Chunk;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.metadata.NodeRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Disks that hang: a block file that is a pipe nobody writes to hangs whoever opens it, as a disk would.
@NullUnmarked // The test framework fills the fields.
@Timeout(60)
class LocalBytesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);
    private static final int THREADS = 2;
    private static final MadeShard MADE = MadeShard.of("s", new Random(3), 60, _ -> 20_000);
    private static final LaidOutShard SHARD = new LaidOutShard(
            MADE.sealed(ShardRef.parse("demo/v1/train/shard-000000"), 1),
            MADE.index().layout());

    @TempDir
    Path folder;

    private final DefaultEventLoop loop = new DefaultEventLoop();
    private final OpenFiles files = new OpenFiles(100, OpenFiles.FOR_GOOD, OpenFiles.FOR_GOOD);
    private final List<Path> pipes = new ArrayList<>();
    private DiskLanes lanes;
    private LocalBlocks blocks;

    @BeforeEach
    void open() {
        lanes = new DiskLanes(
                THREADS, TIMEOUT, new Avoidance(Duration.ofMinutes(1), Duration.ofMinutes(2), System::nanoTime));
        blocks = new LocalBlocks(files, lanes, (_, _) -> {});
    }

    /// Lets those go who hang, so that no thread outlives its test.
    @AfterEach
    void close() throws IOException {
        for (var pipe : pipes) {
            FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)
                    .close();
        }
        files.close();
        lanes.close();
        var _ = loop.shutdownGracefully(0, 0, TimeUnit.SECONDS);
    }

    @Test
    void aDiskThatHangsIsLeftInTimeAndThenNotAskedAtAll() throws Exception {
        var hanging = hanging();
        var wakes = new AtomicInteger();
        var first = start(hanging, 0, wakes);
        look(first, TIMEOUT.minusMillis(500));
        assertThat(failure(first)).as("not yet").isNull();
        look(first, TIMEOUT);
        assertThat(failure(first)).hasMessageContaining("did not answer for");
        Deadline.until("its response is woken", () -> wakes.get() > 0);
        assertThat(failure(start(hanging, 1, wakes))).hasMessageContaining("is slow");
    }

    @Test
    void readersOfAnotherDiskGoOnWhileOneHangs() throws Exception {
        var hanging = hanging();
        var good = good();
        var stuck = new ArrayList<BlockBytes>();
        for (int block = 0; block < SHARD.layout().blockCount(); block++) {
            for (int i = 0; i < 2 * THREADS; i++) {
                stuck.add(start(hanging, block, new AtomicInteger()));
            }
        }
        for (int block = 0; block < SHARD.layout().blockCount(); block++) {
            var bytes = start(good, block, new AtomicInteger());
            Deadline.until(
                    Duration.ofSeconds(5),
                    "bytes of the good disk",
                    () -> !read(bytes).isEmpty());
        }
        for (var one : stuck) {
            assertThat(failure(one)).isNull();
        }
    }

    @Test
    void aPieceTooManyForADiskThatHangsGoesElsewhereAtOnce() throws Exception {
        var node = good();
        var wakes = new AtomicInteger();
        var held = hold(lanes.of("node " + node.id()));
        var waiting = startMany(node, DiskLanes.MOST_WAITING);
        assertThat(failure(waiting.getLast())).isNull();
        assertThat(failure(start(node, 0, wakes))).hasMessageContaining("too much waits");
        held.countDown();
        Deadline.until("it is asked again", () -> failure(start(node, 0, wakes)) == null);
        Deadline.until("what waited is read", () -> !read(waiting.getLast()).isEmpty());
    }

    @Test
    void aCheckTooManyForADiskThatHangsGoesElsewhereAtOnce() throws Exception {
        var node = good();
        var wakes = new AtomicInteger();
        var held = hold(lanes.of(node.registration().dataDirs().getFirst()));
        var _ = start(node, 0, wakes);
        var block = SHARD.blockId(0);
        Deadline.until("the file is open", () -> {
            var open = files.cached(block);
            open.ifPresent(BlockFile::release);
            return open.isPresent();
        });
        var waiting = startMany(node, DiskLanes.MOST_WAITING);
        assertThat(failure(waiting.getFirst())).isNull();
        assertThat(failure(waiting.getLast())).hasMessageContaining("too much waits");
        held.countDown();
        Deadline.until("it is asked again", () -> failure(start(node, 0, wakes)) == null);
    }

    @Test
    void aFileThatWasCutWhileItIsOpenIsNotSent() throws Exception {
        var node = good();
        readWhole(node);
        try (var channel = FileChannel.open(file(node), StandardOpenOption.WRITE)) {
            channel.truncate(channel.size() - 1);
        }
        var bytes = start(node, 0, new AtomicInteger());
        Deadline.until("it fails", () -> failure(bytes) != null);
        assertThat(failure(bytes)).isInstanceOf(DamagedBlockException.class);
        assertThat(read(bytes)).isEmpty();
    }

    @Test
    void whatLeftThePageCacheIsReadByAWorkerAndNotByTheLoop() throws Exception {
        var node = good();
        readWhole(node);
        var block = SHARD.blockId(0);
        var open = files.cached(block).orElseThrow();
        Deadline.until(Duration.ofSeconds(20), "it was not read of late", () -> !open.isWarm(0, 1_000));
        var held = hold(lanes.of(node.registration().dataDirs().getFirst()));

        var wakes = new AtomicInteger();
        var small = startMany(node, 1).getFirst();
        var large = start(node, 0, wakes);
        assertThat(read(small)).isEmpty();
        assertThat(read(large)).isEmpty();
        look(large, TIMEOUT);
        assertThat(failure(large)).hasMessageContaining("did not answer for");
        assertThat(failure(start(node, 0, wakes))).hasMessageContaining("is slow");

        held.countDown();
        Deadline.until("it was read", () -> open.isWarm(0, 1_000));
        open.release();
    }

    private void readWhole(NodeRecord node) throws Exception {
        var bytes = start(node, 0, new AtomicInteger());
        Deadline.until("it is read", () -> !read(bytes).isEmpty());
    }

    private Path file(NodeRecord node) {
        var open = files.cached(SHARD.blockId(0)).orElseThrow();
        open.release();
        assertThat(open.path())
                .startsWith(Path.of(node.registration().dataDirs().getFirst()));
        return open.path();
    }

    /// Has all threads of a lane wait.
    private static CountDownLatch hold(DiskLanes.Lane lane) {
        var held = new CountDownLatch(1);
        for (int i = 0; i < THREADS; i++) {
            lane.workers().execute(() -> {
                try {
                    held.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        return held;
    }

    /// The first bytes of a block, as small a part as a sample is.
    private List<BlockBytes> startMany(NodeRecord node, int count) throws Exception {
        var piece = new Piece.OfBlock(SHARD.shard(), SHARD.layout(), 0, SHARD.blockId(0), 0, 1_000);
        return onLoop(() -> {
            var source = blocks.source(node, loop);
            return IntStream.range(0, count)
                    .mapToObj(_ -> source.open(piece, () -> {}))
                    .toList();
        });
    }

    /// As where a page of a mapped file cannot be read: what a worker throws ends the read, whatever it is.
    @Test
    void anErrorOfAWorkerFailsTheReadAndWakesIt() throws Exception {
        var mapped = folder.resolve("columns");
        var columns = MADE.index().layout().columnBytes();
        Files.write(mapped, columnsOf(Math.toIntExact(columns)));
        try (var channel = FileChannel.open(mapped, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            var map = channel.map(FileChannel.MapMode.READ_ONLY, 0, columns).order(ByteOrder.nativeOrder());
            var layout = MADE.index().layout().over(map.asIntBuffer());
            var shard = SHARD.over(layout);
            var piece = piece(shard, 0);
            channel.truncate(0);
            var wakes = new AtomicInteger();
            var bytes = onLoop(() -> blocks.source(good(), loop).open(piece, wakes::incrementAndGet));
            Deadline.until("it fails", () -> wakes.get() > 0);
            assertThat(failure(bytes)).hasCauseInstanceOf(InternalError.class);
        }
    }

    private static byte[] columnsOf(int bytes) {
        var memory = ByteBuffer.allocate(bytes).order(ByteOrder.nativeOrder());
        MADE.index().layout().copyColumns(memory.asIntBuffer());
        return memory.array();
    }

    private NodeRecord good() throws IOException {
        try (var node = new NodeDouble("good", "host", Files.createDirectories(folder.resolve("good")))) {
            node.store(MADE);
            return node.record();
        }
    }

    private NodeRecord hanging() throws Exception {
        try (var node = new NodeDouble("hangs", "host", Files.createDirectories(folder.resolve("hangs")))) {
            for (var file : node.store(MADE)) {
                Files.delete(file);
                assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                        .isZero();
                pipes.add(file);
            }
            return node.record();
        }
    }

    private BlockBytes start(NodeRecord node, int block, AtomicInteger wakes) throws Exception {
        return onLoop(() -> blocks.source(node, loop).open(piece(SHARD, block), wakes::incrementAndGet));
    }

    private static Piece.OfBlock piece(LaidOutShard shard, int block) {
        var length = MADE.index().layout().block(block).length();
        return new Piece.OfBlock(shard.shard(), shard.layout(), block, shard.blockId(block), 0, length);
    }

    private void look(BlockBytes bytes, Duration later) throws Exception {
        onLoop(() -> {
            bytes.look(System.nanoTime() + later.toNanos());
            return bytes;
        });
    }

    private @Nullable Throwable failure(BlockBytes bytes) throws Exception {
        return loop.submit(bytes::failure).get();
    }

    private List<Chunk> read(BlockBytes bytes) {
        try {
            return onLoop(() -> {
                var chunk = bytes.poll();
                if (chunk == null) {
                    return List.of();
                }
                chunk.release();
                bytes.close();
                return List.of(chunk);
            });
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private <T> T onLoop(Callable<T> what) throws ExecutionException, InterruptedException {
        return loop.submit(what).get();
    }
}
