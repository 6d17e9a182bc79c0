package io.tarpon.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.netty.buffer.PooledByteBufAllocator;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.body.TarCut;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.NodeDouble;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.fixture.WorldResource;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.block.BlockFileHeader;
import io.tarpon.wire.metadata.VersionState;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Where bytes come from and what happens when that fails, over real sockets and files. Netty watches for buffers that
/// are not given back.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@QuarkusTestResource(WorldResource.class)
class ReadPathTest {
    private static final AtomicInteger NUMBER = new AtomicInteger();
    private static final List<String> LEAKS = new CopyOnWriteArrayList<>();
    private static final Logger LEAK_LOG = Logger.getLogger("io.netty.util.ResourceLeakDetector");
    private static final Handler LEAK_HANDLER = new Handler() {
        @Override
        public void publish(LogRecord record) {
            LEAKS.add(String.valueOf(record.getMessage()));
        }

        @Override
        public void flush() {
            // Nothing is kept.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    };

    World world;

    @Inject
    Listener listener;

    private URI gateway;

    @Inject
    MeterRegistry registry;

    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private final List<NodeDouble> nodes = new ArrayList<>();
    private final String dataset = "read" + NUMBER.incrementAndGet();
    private final String url = "/d/" + dataset + "/v1/train/shard-000000.tar";
    private MadeShard made =
            MadeShard.of(dataset, random, 60, _ -> random.nextInt(5) == 0 ? 0 : random.nextInt(90_000));

    @BeforeAll
    static void listenForLeaks() {
        LEAK_LOG.addHandler(LEAK_HANDLER);
    }

    @AfterAll
    static void nothingLeaked() {
        collect();
        assertThat(LEAKS).isEmpty();
        leak();
        // The collector hands on what it found whenever it likes.
        Deadline.until("what was leaked on purpose is told", () -> {
            collect();
            return !LEAKS.isEmpty();
        });
        LEAK_LOG.removeHandler(LEAK_HANDLER);
    }

    private static void leak() {
        for (int i = 0; i < 10; i++) {
            var _ = PooledByteBufAllocator.DEFAULT.directBuffer(16);
        }
    }

    /// The detector reports what was collected when something is allocated.
    private static void collect() {
        for (int i = 0; i < 200; i++) {
            if (i % 50 == 0) {
                System.gc();
            }
            PooledByteBufAllocator.DEFAULT.directBuffer(16).release();
        }
    }

    @BeforeEach
    void findGateway() {
        gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
    }

    @AfterEach
    void stopNodes() throws IOException {
        world.metadata().nodes(List.of());
        for (var node : nodes) {
            node.close();
        }
    }

    @Test
    void blocksOfThisHostComeFromTheirFilesAndOthersFromTheirNodes() throws IOException {
        // So many blocks that some fall to this host and some to others.
        made = MadeShard.of(dataset, random, 200, _ -> 100_000);
        seal();
        for (int i = 1; i <= 4; i++) {
            node(i).serve(made).store(made);
        }
        announce();
        world.lose(dataset + "/v1/train/shard-000000");
        var local = bytes("local");
        var remote = bytes("remote");
        assertServed();
        assertThat(bytes("local") - local).isPositive();
        assertThat(bytes("remote") - remote).isPositive();
        assertThat(bytes("local") - local + bytes("remote") - remote).isEqualTo(made.tar().length);
        var near = nodes.getFirst();
        assertThat(near.requests()).as("requests to the node of this host").isZero();
        Deadline.until(
                "the node hears of the use of its files", () -> !near.used().isEmpty());
    }

    @Test
    void anyRangeIsTheSliceOverFilesAndNodes() throws IOException {
        seal();
        for (int i = 1; i <= 3; i++) {
            node(i).serve(made).store(made);
        }
        announce();
        try (var client = new RawClient(gateway)) {
            for (int i = 0; i < 100; i++) {
                var from = random.nextInt(made.tar().length);
                var to = from + 1 + random.nextInt(made.tar().length - from);
                client.send("GET", url, "Range: bytes=" + from + "-" + (to - 1));
                assertThat(client.receive(false).body())
                        .as("seed %d", seed)
                        .isEqualTo(Arrays.copyOfRange(made.tar(), from, to));
            }
        }
    }

    @Test
    void aDamagedFileIsNotSentAndItsNodeIsTold() throws IOException {
        seal();
        for (var path : node(1).serve(made).store(made)) {
            flip(path, BlockFileHeader.BYTES + random.nextLong(Files.size(path) - BlockFileHeader.BYTES));
        }
        announce();
        assertServed();
        Deadline.until(
                "the node hears of every damaged block",
                () -> nodes.getFirst().damaged().size() == made.index().blockCount());
    }

    @Test
    void aFileWithADamagedHeaderIsNotSent() throws IOException {
        seal();
        for (var path : node(1).serve(made).store(made)) {
            flip(path, random.nextLong(BlockFileHeader.BYTES));
        }
        announce();
        assertServed();
    }

    @Test
    void aFileThatHoldsAnotherBlockIsNotSentAndItsNodeIsTold() throws IOException {
        seal();
        var paths = node(1).serve(made).store(made);
        Files.copy(paths.get(1), paths.get(0), StandardCopyOption.REPLACE_EXISTING);
        announce();
        assertServed();
        Deadline.until(
                "the node hears of the block that is another's",
                () -> !nodes.getFirst().damaged().isEmpty());
    }

    @Test
    void aTruncatedFileIsNotSent() throws IOException {
        seal();
        for (var path : node(1).serve(made).store(made)) {
            try (var file = new RandomAccessFile(path.toFile(), "rw")) {
                file.setLength(random.nextLong(file.length()));
            }
        }
        announce();
        assertServed();
    }

    @Test
    void aFileThatIsCutWhileItIsOpenIsNotSent() throws IOException {
        seal();
        var paths = node(1).serve(made).store(made);
        announce();
        assertServed();
        for (var path : paths) {
            try (var file = new RandomAccessFile(path.toFile(), "rw")) {
                file.setLength(random.nextLong(file.length()));
            }
        }
        assertServed();
        assertServed();
        Deadline.until(
                "the node hears of every damaged block",
                () -> nodes.getFirst().damaged().size() >= made.index().blockCount());
    }

    @Test
    void aFileThatIsNotThereIsAskedOfItsNode() throws IOException {
        seal();
        for (var path : node(1).serve(made).store(made)) {
            Files.delete(path);
        }
        announce();
        var store = bytes("store");
        assertServed();
        assertThat(nodes.getFirst().requests()).isEqualTo(made.index().blockCount());
        assertThat(bytes("store")).isEqualTo(store);
    }

    @ParameterizedTest
    @EnumSource(NodeDouble.Fault.class)
    void whatANodeDoesWrongIsMadeGoodByAnother(NodeDouble.Fault fault) throws IOException {
        seal();
        world.lose(dataset + "/v1/train/shard-000000");
        node(2).serve(made).fault(fault, random.nextInt(200_000));
        node(3).serve(made);
        announce();
        assertServed();
        if (fault == NodeDouble.Fault.FLIP) {
            Deadline.until(
                    "the node hears of the damage",
                    () -> !nodes.getFirst().damaged().isEmpty());
        }
    }

    @Test
    void aNodeThatDiesInTheMiddleIsMadeGoodByTheStore() throws IOException {
        seal();
        node(2).serve(made).fault(NodeDouble.Fault.CUT, 100_000);
        announce();
        var store = bytes("store");
        assertServed();
        assertThat(bytes("store") - store).isPositive();
    }

    @Test
    void connectionsThatANodeClosedMeanwhileAreMadeAnew() throws IOException {
        seal();
        world.lose(dataset + "/v1/train/shard-000000");
        node(2).serve(made).fault(NodeDouble.Fault.CLOSE_AFTER, 0);
        announce();
        for (int i = 0; i < 5; i++) {
            assertServed();
        }
    }

    @Test
    void aResponseThatCannotGoOnIsBrokenInsideAMember() throws IOException {
        seal();
        world.lose(dataset + "/v1/train/shard-000000");
        node(2).serve(made);
        announce();
        for (int i = 0; i < 20; i++) {
            nodes.getFirst().fault(NodeDouble.Fault.CUT, 70_000 + random.nextInt(100_000));
            try (var client = new RawClient(gateway)) {
                client.send("GET", url);
                var answer = client.receive(false);
                if (answer.status() == 503) {
                    continue;
                }
                assertThat(answer.whole()).isFalse();
                assertThat(client.isAtEnd()).as("a FIN, not a reset").isTrue();
                var sent = answer.body().length;
                assertThat(answer.body()).isEqualTo(Arrays.copyOf(made.tar(), sent));
                assertThat(TarCut.isInsideData(made.index(), sent))
                        .as("seed %d, cut at %d", seed, sent)
                        .isTrue();
            }
        }
    }

    @Test
    void aResponseThatCannotBeginIsAnError() throws IOException {
        seal();
        world.lose(dataset + "/v1/train/shard-000000");
        node(2).fault(NodeDouble.Fault.REFUSE, 0);
        announce();
        var answer = RawClient.get(gateway, url);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.text()).contains("urn:tarpon:problem:storage-unavailable");
        assertThat(answer.header("ETag")).isEmpty();
    }

    @Test
    void aClientThatLeavesTakesItsConnectionsToNodesAlong() throws IOException {
        made = MadeShard.of(dataset, random, 400, _ -> 100_000);
        seal();
        node(2).serve(made);
        announce();
        for (int i = 0; i < 30; i++) {
            try (var client = new RawClient(gateway)) {
                client.send("GET", url);
                assertThat(client.read(new byte[1000 + random.nextInt(3_000_000)]))
                        .isPositive();
            }
        }
        var node = nodes.getFirst();
        Deadline.until("connections to the node are idle ones", () -> node.connections() <= 2 * 16);
    }

    @Test
    void aClientThatDoesNotReadStopsTheNode() throws IOException {
        made = MadeShard.of(dataset, random, 500, _ -> 100_000);
        seal();
        node(2).serve(made);
        announce();
        try (var client = new RawClient(gateway, 64 << 10)) {
            client.send("GET", url);
            var node = nodes.getFirst();
            var before = new long[] {-1};
            var still = new int[1];
            Deadline.until("the node sends no more", () -> {
                still[0] = node.sentBytes() == before[0] ? still[0] + 1 : 0;
                before[0] = node.sentBytes();
                return before[0] > 0 && still[0] > 60;
            });
            assertThat(node.sentBytes()).isLessThan(made.tar().length / 2);
            assertThat(client.receive(false).body()).isEqualTo(made.tar());
        }
    }

    @Test
    void aNodeThatCutsUsBecauseTheClientPausedIsAskedAgainAndNotBlamed() throws IOException {
        made = MadeShard.inLargeBlocks(dataset, random, 500, _ -> 100_000);
        seal();
        var node = node(2).serve(made);
        node.fault(NodeDouble.Fault.IMPATIENT, 0);
        announce();
        var store = bytes("store");
        try (var client = new RawClient(gateway, 64 << 10)) {
            client.send("GET", url);
            assertThat(client.readStatus()).isEqualTo(200);
            Deadline.until("the node cuts all that wait", () -> node.cut() >= 3);
            node.fault(NodeDouble.Fault.NONE, 0);
            assertThat(client.receiveRest().body()).isEqualTo(made.tar());
        }
        assertThat(bytes("store")).isEqualTo(store);
    }

    @Test
    void aVersionThatIsRemovedEndsForNewReadsAndGoesOnForOpenOnes() throws IOException {
        made = MadeShard.of(dataset, random, 400, _ -> 100_000);
        seal();
        try (var client = new RawClient(gateway, 64 << 10)) {
            client.send("GET", url);
            assertThat(client.readStatus()).isEqualTo(200);
            Deadline.until("the read is reported", () -> isReported());
            world.unsealed(dataset, 1, VersionState.REMOVED, "removed on request");
            Deadline.until(Duration.ofSeconds(5), "new reads are refused", () -> status(url) == 410);
            assertThat(RawClient.get(gateway, url).text()).contains("urn:tarpon:problem:version-removed");
            assertThat(isReported()).isTrue();
            assertThat(client.receiveRest().body()).isEqualTo(made.tar());
        }
        Deadline.until("the end of the read is reported", () -> !isReported());
    }

    private static void flip(Path path, long at) throws IOException {
        try (var file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(at);
            var old = file.read();
            file.seek(at);
            file.write(old ^ 1);
        }
    }

    private boolean isReported() {
        var reports = world.metadata().reports();
        return !reports.isEmpty() && reports.getLast().contains(dataset + "/v1");
    }

    private int status(String path) {
        try {
            return RawClient.ask(gateway, "HEAD", path).status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void seal() throws IOException {
        world.seal(dataset, 1, Map.of("train", List.of(made)));
    }

    /// A node on a host of its own; number 1 is on the gateway's.
    private NodeDouble node(int number) throws IOException {
        Path folder = world.folder(dataset + "-" + number);
        var node = new NodeDouble(dataset + "-node-" + number, "host-" + number, folder);
        nodes.add(node);
        return node;
    }

    private void announce() {
        var metadata = world.metadata();
        metadata.nodes(nodes.stream().map(NodeDouble::record).toList());
        Deadline.until("the gateway knows the nodes", metadata::nodesAreKnown);
    }

    private void assertServed() throws IOException {
        var answer = RawClient.get(gateway, url);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(Arrays.mismatch(answer.body(), made.tar()))
                .as("seed %d", seed)
                .isEqualTo(-1);
    }

    private double bytes(String from) {
        return registry.counter("tarpon.gateway.bytes", "from", from).count();
    }
}
