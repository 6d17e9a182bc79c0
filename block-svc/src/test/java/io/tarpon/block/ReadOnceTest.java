package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.storekit.FailingStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Twelve readers of a cold dataset on three nodes.
class ReadOnceTest {
    private static final int READERS = 12;
    private static final double MOST = 1.01;

    @TempDir
    Path folder;

    private Workshop workshop;
    private final List<FailingStore> views = new ArrayList<>();
    private final List<TestNode> nodes = new ArrayList<>();
    private final List<TestShard> shards = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        workshop = new Workshop(folder);
        for (var number = 0; number < 2; number++) {
            var ref = "cold/v%d/train/shard-000000".formatted(number + 1);
            var shard = TestShard.random(ref, 70 + number, 1500, 9_000, 1 << 20).storedIn(workshop.store);
            workshop.metadata.with(shard);
            shards.add(shard);
        }
        for (var number = 1; number <= 3; number++) {
            views.add(workshop.view());
            nodes.add(workshop.node(
                    "node-" + number, views.getLast(), Map.of("node.zone", "zone-" + number, "block.weight", "1")));
        }
        for (var node : nodes) {
            PeersTest.seesNodes(workshop, node, 3);
        }
    }

    @AfterEach
    void stop() throws Exception {
        workshop.close();
        views.forEach(FailingStore::close);
    }

    /// Each reader asks a node of its own choice for each block, in an order of its own: as wrong as readers can be
    /// about who owns what.
    @Test
    void objectStoreIsReadOncePerByteWithTwelveReaders() throws Exception {
        var seed = System.nanoTime();
        System.out.println("seed " + seed);
        try (var readers = Executors.newVirtualThreadPerTaskExecutor()) {
            var all = IntStream.range(0, READERS)
                    .mapToObj(reader -> readers.submit(reader(new Random(seed + reader))))
                    .toList();
            for (var one : all) {
                one.get();
            }
        }

        var dataset = shards.stream().mapToLong(shard -> shard.tar().length).sum();
        var read = views.stream().mapToLong(view -> view.bytes()).sum();
        var indexes = views.stream().collect(Collectors.summingInt(view -> view.reads()));
        System.out.printf(
                "read=%d dataset=%d ratio=%.4f indexReads=%d%n", read, dataset, read / (double) dataset, indexes);
        assertThat(read).isGreaterThan(dataset);
        assertThat(read / (double) dataset).isLessThanOrEqualTo(MOST);
    }

    private Callable<Void> reader(Random random) {
        return () -> {
            for (var shard : shards) {
                var blocks = new ArrayList<>(
                        IntStream.range(0, shard.index().blockCount()).boxed().toList());
                Collections.shuffle(blocks, random);
                for (var block : blocks) {
                    var node = nodes.get(random.nextInt(nodes.size()));
                    assertThat(node.get(shard.url(block)).body()).isEqualTo(shard.block(block));
                }
            }
            return null;
        };
    }
}
