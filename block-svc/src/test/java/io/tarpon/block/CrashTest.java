package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.block.index.BlockEntry;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.storekit.FailingStore;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A node that is killed while it writes a block (F1): what it leaves after each step, and what it leaves when it is
/// really killed.
class CrashTest {
    private static final int KILLS = 5;

    @TempDir
    Path folder;

    /// The steps of a write in their order; each leaves what those before it did.
    enum Step {
        NOTHING,
        TEMPORARY_CREATED,
        HEADER_TORN,
        HEADER_WRITTEN,
        SOME_DATA_WRITTEN,
        ALL_DATA_WRITTEN,
        RENAMED,
        INDEXED
    }

    @ParameterizedTest
    @EnumSource(Step.class)
    void killedAfterAnyStepOfAWriteTheBlockIsWholeOrNotThere(Step step) throws Exception {
        var workshop = new Workshop(folder);
        try {
            var shard = workshop.shard;
            var data = folder.resolve("node-1").resolve("state").resolve("data");
            leave(step, shard, data);

            var node = workshop.node("node-1");

            var there = step.compareTo(Step.RENAMED) >= 0;
            assertThat(node.names("tmp")).isEmpty();
            assertThat(node.wiring.facts().blocks()).isEqualTo(there ? 1 : 0);
            assertThat(Files.exists(node.file(shard.id(0)))).isEqualTo(there);
            assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
            assertThat(workshop.store.opens()).isEqualTo(there ? 0 : 1);
            assertThat(node.names("bad")).isEmpty();
        } finally {
            workshop.close();
        }
    }

    @Test
    void indexEntryWithoutAFileIsForgotten() throws Exception {
        var workshop = new Workshop(folder);
        try {
            var shard = workshop.shard;
            index(shard, Files.createDirectories(folder.resolve("node-1").resolve("state")));

            var node = workshop.node("node-1");

            assertThat(node.wiring.facts().blocks()).isZero();
            assertThat(node.get(shard.url(0)).body()).isEqualTo(shard.block(0));
        } finally {
            workshop.close();
        }
    }

    @Test
    void killedAtRandomWhileItFillsEveryNamedFileIsWhole() throws Exception {
        var seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        var shard = ForkedNode.LargeShard.make();
        try (var store = DirectoryStore.open(folder.resolve("store"))) {
            shard.storedIn(store);
        }
        for (var kill = 0; kill < KILLS; kill++) {
            killedWhileItFills(random);
            try (var store = new FailingStore(DirectoryStore.open(folder.resolve("store")));
                    var metadata = new MetadataServer().with(shard);
                    var node = new TestNode(folder.resolve("node-1"), store, metadata, Map.of())) {
                assertThat(node.names("tmp")).isEmpty();
                for (var block = 0; block < shard.index().blockCount(); block++) {
                    if (Files.exists(node.file(shard.id(block)))) {
                        assertThat(node.get(shard.url(block) + "&fill=none").body())
                                .isEqualTo(shard.block(block));
                    }
                }
                assertThat(node.names("bad")).isEmpty();
            }
        }
    }

    /// It drops and fills all blocks in turn, until it is killed.
    private void killedWhileItFills(Random random) throws Exception {
        var process = ForkedNode.start(folder, "LOOP");
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine()).isEqualTo("filling");
            LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(400)));
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    /// The folders as a process leaves them that was killed after this step of writing block 0.
    private static void leave(Step step, TestShard shard, Path data) throws IOException {
        var header = BlockFileHeader.of(shard.index().layout(), 0);
        var whole = Arrays.copyOf(header.encode(), BlockFileHeader.BYTES + shard.block(0).length);
        System.arraycopy(shard.block(0), 0, whole, BlockFileHeader.BYTES, shard.block(0).length);
        var written = switch (step) {
            case NOTHING, TEMPORARY_CREATED -> 0;
            case HEADER_TORN -> 1000;
            case HEADER_WRITTEN -> BlockFileHeader.BYTES;
            case SOME_DATA_WRITTEN -> BlockFileHeader.BYTES + 100_000;
            case ALL_DATA_WRITTEN, RENAMED, INDEXED -> whole.length;
        };
        if (step == Step.NOTHING) {
            return;
        }
        var file = Files.createDirectories(data.resolve("tmp")).resolve(shard.id(0) + ".0");
        Files.write(file, Arrays.copyOf(whole, written));
        if (step.compareTo(Step.RENAMED) >= 0) {
            var target = data.resolve(BlockPath.relative(shard.id(0)));
            Files.createDirectories(target.getParent());
            Files.move(file, target);
        }
        if (step == Step.INDEXED) {
            index(shard, data.getParent());
        }
    }

    private static void index(TestShard shard, Path state) throws IOException {
        try (var index = BlockIndex.open(Files.createDirectories(TestNode.index(state, state.resolve("data")))
                .toString())) {
            var fileBytes = BlockFileHeader.BYTES + (long) shard.block(0).length;
            index.put(new BlockEntry(shard.id(0), fileBytes, 1, false));
        }
    }
}
