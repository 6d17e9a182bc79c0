package io.tarpon.block.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockIndexTest {
    @TempDir
    Path folder;

    @Test
    void entriesAndTotalsSurviveAReopen() throws Exception {
        try (var index = open()) {
            index.put(entry(1, 100, 5));
            index.put(entry(2, 200, 6));
            index.put(entry(2, 250, 7));
            index.remove(id(3));
            index.pin(id(1), true);
        }
        try (var index = open()) {
            assertThat(index.blocks()).isEqualTo(2);
            assertThat(index.bytes()).isEqualTo(350);
            assertThat(index.get(id(1))).hasValue(entry(1, 100, 5).pinned(true));
            assertThat(index.get(id(2))).hasValue(entry(2, 250, 7));
            assertThat(index.get(id(3))).isEmpty();
        }
    }

    @Test
    void useOfABlockWithoutEntryIsPassedOver() throws Exception {
        try (var index = open()) {
            index.used(Map.of(id(1), 5L));

            assertThat(index.blocks()).isZero();
        }
    }

    /// Against a model in memory, with a seed that a failure prints.
    @Test
    void orderOfUseIsThatOfAModel() throws Exception {
        for (var seed = 0L; seed < 20; seed++) {
            var random = new Random(seed);
            var model = new HashMap<BlockId, BlockEntry>();
            try (var index = BlockIndex.open(folder.resolve("seed" + seed).toString())) {
                for (var step = 0; step < 200; step++) {
                    change(random, index, model);
                }
                assertThat(order(index)).as("seed %d", seed).isEqualTo(order(model));
                assertThat(index.bytes())
                        .as("seed %d", seed)
                        .isEqualTo(model.values().stream()
                                .mapToLong(BlockEntry::fileBytes)
                                .sum());
            }
        }
    }

    private static void change(Random random, BlockIndex index, Map<BlockId, BlockEntry> model) throws IOException {
        var id = id(random.nextInt(20));
        switch (random.nextInt(3)) {
            case 0 -> {
                var entry = new BlockEntry(id, 1 + random.nextInt(100), random.nextInt(1000), false);
                index.put(entry);
                model.put(id, entry);
            }
            case 1 -> {
                index.remove(id);
                model.remove(id);
            }
            default -> {
                var time = (long) random.nextInt(1000);
                index.used(Map.of(id, time));
                model.computeIfPresent(id, (same, entry) -> entry.usedAt(time));
            }
        }
    }

    private static List<BlockEntry> order(BlockIndex index) throws IOException {
        var entries = new ArrayList<BlockEntry>();
        index.leastRecentlyUsed(entries::add);
        return entries;
    }

    private static List<BlockEntry> order(Map<BlockId, BlockEntry> model) {
        return model.values().stream()
                .sorted(Comparator.comparingLong(BlockEntry::lastUseMillis).thenComparing(BlockEntry::id))
                .toList();
    }

    private BlockIndex open() throws IOException {
        return BlockIndex.open(folder.resolve("index").toString());
    }

    private static BlockEntry entry(int number, long bytes, long lastUse) {
        return new BlockEntry(id(number), bytes, lastUse, false);
    }

    private static BlockId id(int number) {
        return BlockId.of("0".repeat(64), number);
    }
}
