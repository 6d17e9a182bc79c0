package io.tarpon.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.gateway.disk.UnnamedFiles;
import io.tarpon.gateway.fixture.LargeSplit;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Splits on the heap and in files, up to the bounds of both.
class SplitLayoutsTest {
    private static final int SHARDS = 30;
    private static final int SAMPLES = 2_000;
    private static final long MIB = 1 << 20;

    /// Of a split below: more than its shards and blocks need, less than its samples do.
    private static final long SMALL_HEAP = 256 << 10;

    private final AtomicInteger loads = new AtomicInteger();
    private final Executor counted = task -> {
        loads.incrementAndGet();
        task.run();
    };

    @TempDir
    Path folder;

    private DirectoryStore store;
    private SplitShards shards;

    @BeforeEach
    void make() throws IOException {
        store = DirectoryStore.open(Files.createDirectories(folder.resolve("store")));
        shards = shards("large");
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void aSplitLargerThanTheHeapBoundIsLoadedIntoFilesThatHaveNoName() throws IOException {
        var files = files(64 * MIB);
        var layout = layouts(SMALL_HEAP, Optional.of(files)).of(shards).join();

        assertThat(layout.memoryBytes()).isLessThan(SMALL_HEAP);
        assertThat(layout.fileBytes()).isGreaterThan(16L * SHARDS * SAMPLES).isEqualTo(files.takenBytes());
        assertThat(folder.resolve("layouts")).isEmptyDirectory();
    }

    @Test
    void heapAndFilesGiveTheSameAnswers() throws IOException {
        var heap = layouts(64 * MIB, Optional.empty()).of(shards).join();
        var file = layouts(64 * MIB, Optional.of(files(64 * MIB))).of(shards).join();

        assertThat(heap.fileBytes()).isZero();
        assertThat(file.samples()).isEqualTo(heap.samples()).isEqualTo((long) SHARDS * SAMPLES);
        assertThat(file.length()).isEqualTo(heap.length());
        for (long ordinal = 0; ordinal < heap.samples(); ordinal += 7) {
            var one = heap.sample(ordinal);
            var other = file.sample(ordinal);
            assertThat(other.shard().shard()).isEqualTo(one.shard().shard());
            assertThat(file.length(ordinal)).isEqualTo(heap.length(ordinal));
            assertThat(other.shard().layout().members(other.inside()))
                    .isEqualTo(one.shard().layout().members(one.inside()));
        }
        for (int block = 0; block < heap.sample(0).shard().layout().blockCount(); block++) {
            assertThat(file.sample(0).shard().blockId(block))
                    .isEqualTo(heap.sample(0).shard().blockId(block))
                    .isEqualTo(shards.shard(0).blockId(block));
        }
    }

    @Test
    void aSplitThatNeedsMoreHeapIsRefused() {
        assertRefused(layouts(SMALL_HEAP, Optional.empty()), "MiB of heap", "set tarpon.gateway.dir, or raise");
    }

    @Test
    void aSplitThatCannotFitIsRefusedBeforeAnythingIsWritten() throws IOException {
        var files = files(12L * SHARDS * SAMPLES - 1);
        Files.delete(folder.resolve("layouts"));
        assertRefused(layouts(64 * MIB, Optional.of(files)), "MiB of disk", "raise tarpon.gateway.layout-files");
    }

    @Test
    void aSplitThatTurnsOutTooLargeIsRefusedAndLeavesNothing() throws IOException {
        var files = files(13L * SHARDS * SAMPLES);
        assertRefused(layouts(64 * MIB, Optional.of(files)), "MiB of disk", "raise tarpon.gateway.layout-files");
        assertThat(folder.resolve("layouts")).isEmptyDirectory();
        assertThat(files.takenBytes()).isLessThanOrEqualTo(files.maxBytes());
    }

    @Test
    void aFolderThatTakesNothingIsAProblemThatNamesItsKeyOnlyWhereTheHeapIsTooSmall() throws IOException {
        var files = files(64 * MIB);
        Files.delete(folder.resolve("layouts"));
        Files.createFile(folder.resolve("layouts"));
        assertRefused(layouts(SMALL_HEAP, Optional.of(files)), "large/v1/train", "tarpon.gateway.dir");
        var kept = layouts(64 * MIB, Optional.of(files)).of(shards).join();
        assertThat(kept.samples()).isEqualTo((long) SHARDS * SAMPLES);
        assertThat(kept.fileBytes()).isZero();
    }

    @Test
    void theSplitThatWasLoadedLastIsKeptHoweverOftenTheOthersWereAskedFor() throws IOException {
        var layouts = layouts(64 * MIB, Optional.of(files(18L * SHARDS * SAMPLES)));
        var often = shards("often");
        for (int i = 0; i < 100; i++) {
            layouts.of(often).join();
        }
        var late = shards("late");
        var loaded = layouts.of(late).join();
        assertThat(layouts.of(late).join()).isSameAs(loaded);
    }

    @Test
    void splitsThatFitAloneButNotTogetherAreLoadedInTurn() throws IOException {
        var files = files(18L * SHARDS * SAMPLES);
        var layouts = layouts(64 * MIB, Optional.of(files));
        for (var name : new String[] {"a", "b", "c", "d", "e"}) {
            assertThat(layouts.of(shards(name)).join().samples()).isEqualTo((long) SHARDS * SAMPLES);
            assertThat(files.takenBytes()).isLessThanOrEqualTo(2 * files.maxBytes());
        }
    }

    @Test
    void aShardIsAtHandBeforeTheOthersOfItsSplit() throws IOException {
        var waiting = new ArrayList<Runnable>();
        var layouts = layouts(waiting::add, 64 * MIB, Optional.of(files(64 * MIB)));
        var split = layouts.of(shards);

        var shard = layouts.shard(shards, 7).join();
        assertThat(shard.shard()).isEqualTo(shards.shard(7));
        assertThat(shard.layout().isMapped()).isTrue();
        var sample = layouts.sample(shards, 7L * SAMPLES + 5).join();
        assertThat(sample.shard()).isSameAs(shard);
        assertThat(sample.inside()).isEqualTo(5);
        assertThat(split).isNotDone();
        assertThat(loads).as("indexes that were read").hasValue(1);

        waiting.forEach(Runnable::run);
        assertThat(layouts.shard(shards, 7).join())
                .as("the split's own")
                .isSameAs(split.join().shard(7));
    }

    @Test
    void shardsOfWhichTheIndexesWouldFillTheHeapManyTimesAreReadOnce() throws IOException {
        var layouts = layouts(Runnable::run, SMALL_HEAP, Optional.of(files(64 * MIB)));
        for (int round = 0; round < 3; round++) {
            for (int number = 0; number < SHARDS; number++) {
                assertThat(layouts.shard(shards, number).join().memoryBytes()).isLessThan(SMALL_HEAP / SHARDS);
            }
        }
        assertThat((long) SHARDS * shards.shard(0).indexBytes()).isGreaterThan(4 * SMALL_HEAP);
        assertThat(loads).hasValue(SHARDS);
    }

    @Test
    void shardsThatPassTheBoundGoBeforeItIsPassed() throws IOException {
        var files = files(4L * 18 * SAMPLES);
        var layouts = layouts(Runnable::run, 64 * MIB, Optional.of(files));
        for (int number = 0; number < SHARDS; number++) {
            assertThat(layouts.shard(shards, number).join().layout().sampleCount())
                    .isEqualTo(SAMPLES);
            assertThat(files.takenBytes()).isLessThanOrEqualTo(2 * files.maxBytes());
        }
        assertThat(layouts.shard(shards, SHARDS - 1).join().shard()).isEqualTo(shards.shard(SHARDS - 1));
        loads.set(0);
        var _ = layouts.shard(shards, 0).join();
        assertThat(loads).as("the first had to go").hasValue(1);
    }

    private void assertRefused(SplitLayouts layouts, String... words) {
        assertThatThrownBy(() -> layouts.of(shards).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(TarponException.class)
                .satisfies(thrown ->
                        assertThat(((TarponException) thrown).type()).isEqualTo(ProblemType.INSUFFICIENT_STORAGE))
                .hasMessageContainingAll(words);
    }

    private UnnamedFiles files(long maxBytes) throws IOException {
        return UnnamedFiles.open(folder.resolve("layouts"), maxBytes);
    }

    private SplitLayouts layouts(long maxHeapBytes, Optional<UnnamedFiles> files) {
        return layouts(Runnable::run, maxHeapBytes, files);
    }

    private SplitLayouts layouts(Executor executor, long maxHeapBytes, Optional<UnnamedFiles> files) {
        var indexes = new Indexes(store, counted, 1);
        var single = new ShardLayouts(indexes, counted, maxHeapBytes, files);
        return new SplitLayouts(indexes, single, executor, maxHeapBytes, files);
    }

    private SplitShards shards(String dataset) throws IOException {
        var split = new LargeSplit(store, dataset, SHARDS, SAMPLES);
        var builder = new SplitShards.Builder(split.version(), split.split(), SHARDS);
        for (int number = 0; number < SHARDS; number++) {
            builder.add(split.shard(number));
        }
        return builder.build();
    }
}
