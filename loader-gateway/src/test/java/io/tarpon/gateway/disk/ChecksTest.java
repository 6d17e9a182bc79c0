package io.tarpon.gateway.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.DefaultEventLoopGroup;
import io.netty.util.concurrent.EventExecutor;
import io.tarpon.blocks.disk.BlockFile;
import io.tarpon.blocks.disk.BlockFileWriter;
import io.tarpon.blocks.disk.DamagedBlockException;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.wire.block.BlockFileHeader;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChecksTest {
    private static final int SAMPLES = 400;
    private static final MadeShard SHARD = MadeShard.of("s", new Random(3), SAMPLES, _ -> 6_000);

    @TempDir
    Path folder = Path.of("");

    private final DefaultEventLoopGroup loops = new DefaultEventLoopGroup(2);
    private List<BlockFile> files = List.of();

    private record Told(
            int sample,
            EventExecutor loop,
            boolean inLoop,
            @Nullable IOException failure) {}

    @BeforeEach
    void blockFiles() throws IOException {
        var written = new ArrayList<BlockFile>();
        for (int i = 0; i < SHARD.index().blockCount(); i++) {
            var block = SHARD.index().block(i);
            var header = BlockFileHeader.of(SHARD.index().layout(), i);
            try (var writer = BlockFileWriter.create(folder, header)) {
                writer.write(ByteBuffer.wrap(SHARD.tar(), (int) block.offset(), block.length()));
                var file = writer.commit();
                written.add(BlockFile.open(file.path(), header));
                file.release();
            }
        }
        files = written;
    }

    @AfterEach
    void close() throws IOException {
        loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
        for (var file : files) {
            assertThat(file.isShared()).as("references left").isFalse();
            file.release();
        }
    }

    @Test
    void eachCheckIsToldOnceOnItsLoopHoweverManyComeAtOnce() throws Exception {
        try (var workers = Executors.newFixedThreadPool(4)) {
            var told = all(new Checks(workers));
            assertThat(told).extracting(Told::sample).hasSize(SAMPLES).doesNotHaveDuplicates();
            assertThat(told).allMatch(Told::inLoop).allMatch(one -> one.failure == null);
            assertThat(told).extracting(Told::loop).containsAll(loops);
        }
        assertThat(files).allMatch(file -> file.isVerified(0, file.length()));
    }

    @Test
    void whatIsDamagedIsToldToThoseAloneWhoAskedForIt() throws Exception {
        var layout = SHARD.index().layout();
        try (var file = new RandomAccessFile(files.get(2).path().toFile(), "rw")) {
            file.seek(files.get(2).dataOffset());
            var first = file.read();
            file.seek(files.get(2).dataOffset());
            file.write(~first);
        }
        try (var workers = Executors.newFixedThreadPool(2)) {
            for (var one : all(new Checks(workers))) {
                var offset = layout.sampleOffset(one.sample);
                var touched =
                        layout.blockAt(offset) == 2 && offset - layout.block(2).offset() < layout.subBlockBytes();
                assertThat(one.failure).as("sample " + one.sample).satisfies(failure -> {
                    if (touched) {
                        assertThat(failure).isInstanceOf(DamagedBlockException.class);
                    } else {
                        assertThat(failure).isNull();
                    }
                });
            }
        }
    }

    /// Every sample, from two threads at once.
    private List<Told> all(Checks checks) throws InterruptedException {
        var layout = SHARD.index().layout();
        var told = new ConcurrentLinkedQueue<Told>();
        var ended = new CountDownLatch(SAMPLES);
        try (var askers = Executors.newFixedThreadPool(2)) {
            for (int part = 0; part < 2; part++) {
                var first = part;
                var loop = loops.next();
                var _ = askers.submit(() -> {
                    for (int sample = first; sample < SAMPLES; sample += 2) {
                        var number = sample;
                        var block = layout.blockAt(layout.sampleOffset(number));
                        var from = layout.sampleOffset(number)
                                - layout.block(block).offset();
                        var to = from + layout.sampleLength(number);
                        checks.submit(files.get(block), from, to, loop, failure -> {
                            told.add(new Told(number, loop, loop.inEventLoop(), failure));
                            ended.countDown();
                        });
                    }
                });
            }
        }
        assertThat(ended.await(20, TimeUnit.SECONDS)).as("all are told").isTrue();
        return List.copyOf(told);
    }
}
