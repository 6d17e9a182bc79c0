package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.block.index.BlockEntry;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.blocks.disk.BlockFileWriter;
import io.tarpon.blocks.disk.DirectorySync;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.storekit.FailingStore;
import io.tarpon.testkit.Jvm;
import io.tarpon.testkit.SteppedProcess;
import io.tarpon.testkit.SteppedProcess.Step;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.block.BlockId;
import io.tarpon.wire.block.BlockPath;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node that is killed while it writes a block (F1): at each step, and at random.
class CrashTest {
    private static final int KILLS = 5;
    private static final Pattern TOUCHES_THE_DISK = Pattern.compile("[.](create|open|writeFully|commit|sync|add):");

    @TempDir
    Path folder;

    /// Every line of the methods that change the disk or say what is on it, the first time and the last that the
    /// process comes by it.
    @Test
    void killedBeforeAnyStepOfAWriteTheBlockIsWholeOrNotThere() throws Exception {
        var states = new ArrayList<Path>();
        var process = new SteppedProcess(
                option -> {
                    var state = folder.resolve("node-" + states.size()).resolve("state");
                    states.add(state);
                    return Jvm.command(
                            WritingProcess.class,
                            List.of(option, "-Xmx64m", "-Xshare:auto", "--enable-native-access=ALL-UNNAMED"),
                            state.toString());
                },
                folder.resolve("output"),
                List.of(BlockFileWriter.class, DirectorySync.class, Shelf.class));
        var steps = firstAndLast(process.steps());
        var left = EnumSet.noneOf(Left.class);
        try (var workshop = new Workshop(folder)) {
            for (var step : steps) {
                process.killBefore(step);
                left.add(Left.of(states.getLast(), workshop.shard.id(0)));
                opensWell(step, workshop, "node-" + (states.size() - 1));
            }
        }
        // It was killed in all of the places that a crash tells apart, not beside them.
        assertThat(left).containsExactlyInAnyOrder(Left.values());
    }

    /// What a kill leaves of a block.
    private enum Left {
        NOTHING,
        UNFINISHED,
        FILE,
        FILE_AND_ENTRY;

        static Left of(Path state, BlockId id) throws IOException {
            var data = state.resolve("data");
            if (Files.exists(data.resolve(BlockPath.relative(id)))) {
                try (var index = BlockIndex.open(TestNode.index(state, data).toString())) {
                    return index.get(id).isPresent() ? FILE_AND_ENTRY : FILE;
                }
            }
            var temporary = data.resolve("tmp");
            if (!Files.exists(temporary)) {
                return NOTHING;
            }
            try (var files = Files.list(temporary)) {
                return files.findAny().isPresent() ? UNFINISHED : NOTHING;
            }
        }
    }

    private static List<Step> firstAndLast(List<Step> all) {
        var last = new HashMap<String, Step>();
        all.forEach(step -> last.put(step.place(), step));
        return all.stream()
                .filter(step -> TOUCHES_THE_DISK.matcher(step.place()).find())
                .filter(step -> step.time() == 1 || step.equals(last.get(step.place())))
                .toList();
    }

    private static void opensWell(Step step, Workshop workshop, String name) throws Exception {
        var shard = workshop.shard;
        var opens = workshop.store.opens();
        var node = workshop.node(name);
        var isThere = Files.exists(node.file(shard.id(0)));
        assertThat(node.names("tmp")).as("killed before %s", step).isEmpty();
        assertThat(node.wiring.facts().blocks()).as("killed before %s", step).isEqualTo(isThere ? 1 : 0);
        assertThat(node.get(shard.url(0)).body()).as("killed before %s", step).isEqualTo(shard.block(0));
        assertThat(workshop.store.opens() - opens).as("killed before %s", step).isEqualTo(isThere ? 0 : 1);
        assertThat(node.names("bad")).as("killed before %s", step).isEmpty();
        workshop.stop(node);
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

    private static void index(TestShard shard, Path state) throws IOException {
        try (var index = BlockIndex.open(Files.createDirectories(TestNode.index(state, state.resolve("data")))
                .toString())) {
            var fileBytes = BlockFileHeader.BYTES + (long) shard.block(0).length;
            index.put(new BlockEntry(shard.id(0), fileBytes, 1, false));
        }
    }
}
