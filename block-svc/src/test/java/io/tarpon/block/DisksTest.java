package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.block.NodeFacts.DiskFacts;
import io.tarpon.block.disk.FolderInUseException;
import io.tarpon.blocks.disk.BlockFolder;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.block.BlockFileHeader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A node of three disks, of which one hangs, fails, is full, comes or goes.
class DisksTest {
    private static final int READERS = 50;
    private static final long RUN_NANOS = TimeUnit.SECONDS.toNanos(3);
    private static final int BLOCK_BYTES = 64 << 10;

    @TempDir
    Path folder;

    private Workshop workshop;
    private TestShard shard;

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        shard = TestShard.random("disks/v1/train/shard-000000", 3, 120, 30_000, BLOCK_BYTES)
                .storedIn(workshop.store);
        workshop.metadata.with(shard);
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
    }

    @Test
    void folderOnADeviceThatHangsTakesNothingFromFiftyReaders() throws Exception {
        // Each read looks at its file's name, as readers of more files than are held open do.
        var node = node("a", "b", "c");
        fillAll(node);
        var onHung = blocksIn("a");
        var onOthers =
                allBlocks().stream().filter(block -> !onHung.contains(block)).toList();
        assertThat(onHung).as("blocks on the disk that will hang").isNotEmpty();
        var before = run(node, onOthers);
        var storeReads = workshop.store.opens();

        Run during;
        Run back;
        int beats;
        try (var hung = new HungFolder(folder.resolve("a"))) {
            var beatsBefore = workshop.metadata.heartbeats.get();
            during = run(node, allBlocks());
            beats = workshop.metadata.heartbeats.get() - beatsBefore;
            assertThat(disk(node, "a").state()).isEqualTo("silent");
            assertThat(disks(node, "silent")).isEqualTo(1);
            assertThat(disks(node, "well")).isEqualTo(2);
            back = run(node, allBlocks());
        }
        Deadline.until("the disk answers", () -> disk(node, "a").state().equals("well"));

        System.out.printf(
                "hung disk: readers=%d blocks=%d onHung=%d%n  before   %s%n  as it hangs %s beats=%d%n  it still hangs"
                        + " %s%n  filled elsewhere=%d%n",
                READERS,
                allBlocks().size(),
                onHung.size(),
                before,
                during,
                beats,
                back,
                workshop.store.opens() - storeReads);
        assertThat(during.slowestNodeMillis()).as("GET /v1/node").isLessThan(1_000);
        assertThat(beats).as("heartbeats in 3 s, one each 100 ms").isGreaterThan(15);
        assertThat(workshop.store.opens() - storeReads)
                .as("each block of the hung disk came from the store once")
                .isEqualTo(onHung.size());
        assertThat(back.reads()).as("reads while it hangs").isGreaterThan(before.reads() / 2);
        assertThat(during.slowestMillis(onOthers))
                .as("a block that is elsewhere")
                .isLessThan(2_000);
        assertThat(during.slowestMillis(onHung))
                .as("a block that has to come from elsewhere")
                .isLessThan(10_000);
        for (var block : onHung) {
            assertThat(node.get(shard.url(block) + "&fill=none").body()).isEqualTo(shard.block(block));
        }
    }

    @Test
    void folderThatHangsAtTheStartIsOpenedWhenItAnswers() throws Exception {
        var node = node("a", "b", "c");
        fillAll(node);
        workshop.stop(node);
        var name = folder.resolve("a").resolve(BlockFolder.FILE);
        var aside = Files.move(name, folder.resolve("name"));
        assertThat(new ProcessBuilder("mkfifo", name.toString()).start().waitFor())
                .isZero();
        var pipe = Files.createLink(folder.resolve("pipe"), name);

        var again = node(List.of("a", "b", "c"), "block.disk-open-wait", "PT0.3S");

        Deadline.until("the others are open", () -> again.wiring.facts().disks().size() == 2);
        for (var block : allBlocks()) {
            assertThat(again.get(shard.url(block)).body()).isEqualTo(shard.block(block));
        }
        Files.delete(name);
        Files.move(aside, name);
        // Who hangs in the pipe reads from it what was asked for.
        try (var end = FileChannel.open(pipe, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            end.write(ByteBuffer.wrap(Files.readAllBytes(name)));
        }
        Deadline.until("opened", () -> again.wiring.facts().disks().size() == 3);
        assertThat(allHits(again)).isTrue();
    }

    @Test
    void folderThatCannotBeOpenedIsLeftOutAndComesLater() throws Exception {
        var bad = Files.writeString(folder.resolve("b"), "no folder");

        var node = node("a", "b", "c");

        assertThat(node.wiring.facts().disks()).extracting(DiskFacts::dir).hasSize(2);
        fillAll(node);
        Files.delete(bad);
        Deadline.until("opened", () -> node.wiring.facts().disks().size() == 3);
        assertThat(allHits(node)).isTrue();
    }

    @Test
    void nodeWithoutAnyFolderDoesNotStart() throws Exception {
        Files.writeString(folder.resolve("a"), "no folder");

        assertThatThrownBy(() -> node("a"))
                .hasMessageContaining(folder.resolve("a").toString());
    }

    @Test
    void twoFoldersOfOneNameStopTheStart() throws Exception {
        var first = Files.createDirectories(folder.resolve("a"));
        var copy = Files.createDirectories(folder.resolve("b"));
        var _ = BlockFolder.named(first);
        Files.copy(first.resolve(BlockFolder.FILE), copy.resolve(BlockFolder.FILE));

        assertThatThrownBy(() -> node("a", "b"))
                .isInstanceOf(FolderInUseException.class)
                .hasMessageContaining("same name");
    }

    @Test
    void blocksAreSpreadOverTheFoldersAsTheirNamesRankThem() throws Exception {
        var node = node("a", "b", "c");
        fillAll(node);

        var named = new ArrayList<BlockFolder>();
        for (var name : List.of("a", "b", "c")) {
            named.add(BlockFolder.read(folder.resolve(name)));
        }
        for (var block : allBlocks()) {
            var first = BlockFolder.ranked(shard.id(block), named).getFirst();
            assertThat(first.file(shard.id(block))).hasSize(BlockFileHeader.BYTES + (long) shard.block(block).length);
        }
        assertThat(node.wiring.facts().dataDirs()).containsExactly(path("a"), path("b"), path("c"));
        assertThat(node.wiring.facts().disks())
                .allMatch(disk -> disk.blocks() > 0 && disk.state().equals("well"));
    }

    @Test
    void orderOfTheFoldersMayChange() throws Exception {
        var node = node("a", "b", "c");
        fillAll(node);
        workshop.stop(node);
        var opens = workshop.store.opens();

        var again = node("c", "a", "b");

        assertThat(allHits(again)).isTrue();
        assertThat(workshop.store.opens()).isEqualTo(opens);
    }

    @Test
    void folderThatIsMountedElsewhereIsTheSame() throws Exception {
        var node = node("a", "b", "c");
        fillAll(node);
        workshop.stop(node);
        Files.move(folder.resolve("b"), folder.resolve("z"));

        assertThat(allHits(node("a", "z", "c"))).isTrue();
    }

    @Test
    void folderThatGoesTakesItsOwnBlocksOnly() throws Exception {
        var node = node("a", "b", "c");
        fillAll(node);
        workshop.stop(node);
        var gone = blocksIn("b");
        var opens = workshop.store.opens();

        var again = node("a", "c");
        fillAll(again);

        assertThat(workshop.store.opens()).isEqualTo(opens + gone.size());
        workshop.stop(again);
        assertThat(blocksIn("b")).as("nobody touched it").isEqualTo(gone);
    }

    @Test
    void folderThatComesMovesNothingThatIsStored() throws Exception {
        var node = node("a", "b");
        fillAll(node);
        workshop.stop(node);
        var opens = workshop.store.opens();

        var again = node("a", "b", "c");

        assertThat(allHits(again)).as("also those that belong into the new one").isTrue();
        assertThat(workshop.store.opens()).isEqualTo(opens);
        assertThat(again.wiring.facts().blocks()).isEqualTo(allBlocks().size());
    }

    @Test
    void diskThatTakesNoWritesLeavesFillsToTheOthersAndServesWhatItHas() throws Exception {
        var node = node("a", "b", "c");
        var early = allBlocks().subList(0, 20);
        for (var block : early) {
            assertThat(node.get(shard.url(block)).body()).isEqualTo(shard.block(block));
        }
        settled(node);
        Files.deleteIfExists(folder.resolve("a").resolve("tmp"));
        Files.writeString(folder.resolve("a").resolve("tmp"), "nothing can be written below this");

        fillAll(node);

        assertThat(allHits(node)).isTrue();
        assertThat(disk(node, "a").failures()).isPositive();
        assertThat(disk(node, "a").state()).isEqualTo("resting");
        assertThat(disk(node, "b").failures() + disk(node, "c").failures()).isZero();
    }

    @Test
    void fileThatTheDiskCannotReadIsNotTakenForDamagedAndComesFromElsewhere() throws Exception {
        var node = node("a", "b", "c");
        fillAll(node);
        var block = blocksIn("a").getFirst();
        var file = BlockFolder.read(folder.resolve("a")).file(shard.id(block));
        Files.delete(file);
        // Opening a folder works, and reading it fails as a bad sector does, with an error of the system.
        Files.createDirectory(file);

        assertThat(node.get(shard.url(block)).body()).isEqualTo(shard.block(block));

        settled(node);
        assertThat(file).isDirectory();
        assertThat(folder.resolve("a").resolve("bad")).doesNotExist();
        assertThat(disk(node, "a").failures()).isPositive();
        assertThat(node.get(shard.url(block)).headers().firstValue("Tarpon-Block"))
                .hasValue("hit");
    }

    @Test
    void diskThatIsFullEvictsItsOwnBlocksAndNoOthers() throws Exception {
        var fileBytes = BlockFileHeader.BYTES + 2L * BLOCK_BYTES;
        var share = 6 * fileBytes;
        var node = node(List.of("a", "b", "c"), "block.capacity", Long.toString(3 * share));

        for (var block : allBlocks()) {
            assertThat(node.get(shard.url(block)).body()).isEqualTo(shard.block(block));
            settled(node);
            assertThat(node.wiring.facts().disks()).allMatch(disk -> disk.bytes() <= share);
        }
        var dropped = node.wiring.facts().disks();
        assertThat(dropped).allMatch(disk -> disk.blocks() > 0);
    }

    private Run run(TestNode node, List<Integer> blocks) throws Exception {
        var until = System.nanoTime() + RUN_NANOS;
        var reads = new ConcurrentLinkedQueue<Read>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var readers = IntStream.range(0, READERS)
                    .mapToObj(reader -> threads.submit(reader(node, blocks, new Random(reader), until, reads)))
                    .toList();
            var slowest = 0L;
            while (System.nanoTime() < until) {
                var asked = System.nanoTime();
                assertThat(node.get("/v1/node").statusCode()).isEqualTo(200);
                slowest = Math.max(slowest, System.nanoTime() - asked);
            }
            for (var reader : readers) {
                reader.get();
            }
            return new Run(List.copyOf(reads), slowest);
        }
    }

    private Callable<Void> reader(
            TestNode node, List<Integer> blocks, Random random, long until, ConcurrentLinkedQueue<Read> reads) {
        return () -> {
            while (System.nanoTime() < until) {
                var block = blocks.get(random.nextInt(blocks.size()));
                var asked = System.nanoTime();
                assertThat(node.get(shard.url(block)).body()).isEqualTo(shard.block(block));
                reads.add(new Read(block, System.nanoTime() - asked));
            }
            return null;
        };
    }

    private TestNode node(String... names) throws Exception {
        return node(List.of(names));
    }

    private TestNode node(List<String> names, String... settings) throws Exception {
        var all = new ArrayList<>(List.of(
                "block.data-dirs", names.stream().map(this::path).collect(Collectors.joining(",")),
                "block.file-look", "PT0S",
                "block.disk-deadline", "PT0.5S",
                "block.disk-reserve", "0"));
        all.addAll(List.of(settings));
        return workshop.node("node-1", all.toArray(String[]::new));
    }

    private void fillAll(TestNode node) throws Exception {
        for (var block : allBlocks()) {
            assertThat(node.get(shard.url(block)).body()).isEqualTo(shard.block(block));
        }
        settled(node);
    }

    private static void settled(TestNode node) throws Exception {
        Deadline.until("stored", () -> node.wiring.facts().fills() == 0);
    }

    private boolean allHits(TestNode node) throws Exception {
        for (var block : allBlocks()) {
            var answer = node.get(shard.url(block) + "&fill=none");
            if (answer.statusCode() != 200) {
                return false;
            }
            assertThat(answer.body()).isEqualTo(shard.block(block));
        }
        return true;
    }

    private List<Integer> allBlocks() {
        return IntStream.range(0, shard.index().blockCount()).boxed().toList();
    }

    private List<Integer> blocksIn(String name) throws Exception {
        var named = BlockFolder.read(folder.resolve(name));
        return allBlocks().stream()
                .filter(block -> Files.exists(named.file(shard.id(block))))
                .toList();
    }

    private DiskFacts disk(TestNode node, String name) {
        return node.wiring.facts().disks().stream()
                .filter(disk -> disk.dir().equals(path(name)))
                .findFirst()
                .orElseThrow();
    }

    private static double disks(TestNode node, String state) {
        return node.registry
                .get("tarpon.block.disks")
                .tag("state", state)
                .gauge()
                .value();
    }

    private String path(String name) {
        return folder.resolve(name).toString();
    }

    private record Read(int block, long nanos) {}

    private record Run(List<Read> all, long slowestNodeNanos) {
        int reads() {
            return all.size();
        }

        long slowestNodeMillis() {
            return TimeUnit.NANOSECONDS.toMillis(slowestNodeNanos);
        }

        long slowestMillis(List<Integer> blocks) {
            return TimeUnit.NANOSECONDS.toMillis(all.stream()
                    .filter(read -> blocks.contains(read.block))
                    .mapToLong(Read::nanos)
                    .max()
                    .orElse(0));
        }

        @Override
        public String toString() {
            var sorted = all.stream().mapToLong(Read::nanos).sorted().toArray();
            return "reads=%d p50=%d us p99=%d us max=%d ms nodeMax=%d ms"
                    .formatted(
                            reads(),
                            sorted[sorted.length / 2] / 1000,
                            sorted[sorted.length * 99 / 100] / 1000,
                            sorted[sorted.length - 1] / 1_000_000,
                            slowestNodeMillis());
        }
    }
}
