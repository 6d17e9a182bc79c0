package io.tarpon.blocks.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OpenFilesTest {
    private static final SmallShard SHARD = SmallShard.random(3);

    @TempDir
    Path folder;

    @Test
    void openFileIsOpenedOnceAndSharedUntilItIsForgotten() throws IOException {
        try (var files = new OpenFiles(4, OpenFiles.FOR_GOOD, OpenFiles.FOR_GOOD)) {
            write(0);
            var first = open(files, 0);
            var again = open(files, 0);
            assertThat(again).isSameAs(first);
            assertThat(files.inUse(SHARD.id(0))).isTrue();
            again.release();
            files.forget(SHARD.id(0));
            assertThat(first.isShared()).as("only this holder is left").isFalse();
            first.verify(0, first.length());
            first.release();
            assertThat(files.cached(SHARD.id(0))).isEmpty();
        }
    }

    @Test
    void mostRecentlyUsedFilesStayOpenAndNoMore() throws IOException {
        try (var files = new OpenFiles(2, OpenFiles.FOR_GOOD, OpenFiles.FOR_GOOD)) {
            for (var block = 0; block < 4; block++) {
                write(block);
                open(files, block).release();
            }
            assertThat(files.count()).isEqualTo(2);
        }
    }

    @Test
    void fileThatNobodyUsesIsClosed() throws IOException {
        try (var files = new OpenFiles(2, Duration.ofMillis(50), OpenFiles.FOR_GOOD)) {
            write(0);
            var file = open(files, 0);
            var until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            while (file.isShared() && System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            assertThat(file.isShared()).as("held by the cache").isFalse();
            file.release();
        }
    }

    @Test
    void replacedFileIsOpenedAnewAndARemovedOneIsMissing() throws IOException {
        try (var files = new OpenFiles(2, OpenFiles.FOR_GOOD, Duration.ZERO)) {
            var path = write(0);
            var first = open(files, 0);
            Files.delete(path);
            write(0);
            var second = open(files, 0);
            assertThat(second).isNotSameAs(first);
            Files.delete(path);
            assertThatThrownBy(() -> open(files, 0)).isInstanceOf(NoSuchFileException.class);
            first.release();
            second.release();
        }
    }

    @Test
    void forgettingAFileLeavesTheOneThatTookItsPlace() throws IOException {
        try (var files = new OpenFiles(2, OpenFiles.FOR_GOOD, Duration.ZERO)) {
            var path = write(0);
            var first = open(files, 0);
            Files.delete(path);
            write(0);
            var second = open(files, 0);
            files.forget(first);
            second.release();
            assertThat(files.count()).isEqualTo(1);
            assertThat(second.tryRetain()).isTrue();
            second.release();
            first.release();
        }
    }

    @Test
    void openThatHangsHoldsUpNoOther() throws Exception {
        var hangs = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        try (var files = new OpenFiles(4096, OpenFiles.FOR_GOOD, OpenFiles.FOR_GOOD);
                var threads = Executors.newSingleThreadExecutor()) {
            var stuck = threads.submit(() -> files.open(SHARD.id(0), write(0), path -> {
                begun.countDown();
                await(hangs);
                return BlockFile.open(path, SHARD.id(0));
            }));
            begun.await();
            for (var block = 1; block < SHARD.index().blockCount(); block++) {
                write(block);
                open(files, block).release();
            }
            // Even the same block, from wherever else it can be had.
            open(files, 0).release();
            hangs.countDown();
            stuck.get(20, TimeUnit.SECONDS).release();
        }
    }

    @Test
    void fileIsClosedWhereItsOpenerSaid() throws IOException {
        var closings = new ArrayDeque<Runnable>();
        try (var files = new OpenFiles(2, OpenFiles.FOR_GOOD, OpenFiles.FOR_GOOD)) {
            write(0);
            var file = open(files, 0).closedOn(closings::add);
            files.forget(SHARD.id(0));
            file.release();
            assertThat(file.channel().isOpen()).isTrue();
            closings.remove().run();
            assertThat(file.channel().isOpen()).isFalse();
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private Path write(int block) throws IOException {
        return Files.write(folder.resolve(SHARD.id(block) + ".blk"), SHARD.file(block));
    }

    private BlockFile open(OpenFiles files, int block) throws IOException {
        var id = SHARD.id(block);
        return files.open(id, folder.resolve(id + ".blk"), path -> BlockFile.open(path, id));
    }
}
