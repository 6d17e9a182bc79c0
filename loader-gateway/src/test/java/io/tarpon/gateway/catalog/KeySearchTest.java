package io.tarpon.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.gateway.body.SealedShard;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.store.ObjectStore;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeySearchTest {
    private static final int SHARDS = 40;

    private final AtomicInteger loads = new AtomicInteger();
    private final Executor counted = task -> {
        loads.incrementAndGet();
        task.run();
    };
    private final List<MadeShard> made = new ArrayList<>();

    @Test
    void everyKeyIsFoundInItsShardAndOthersNowhere(@TempDir Path root) throws Exception {
        try (var store = DirectoryStore.open(root)) {
            var shards = shards(store);
            var search = new KeySearch(new Indexes(store, counted, 1 << 20), 1 << 20);
            for (int i = 0; i < SHARDS; i++) {
                var found = find(search, shards, "shard" + i + "-3").orElseThrow();
                assertThat(found).isEqualTo(10L * i + 3);
            }
            assertThat(find(search, shards, "shard0-10")).isEmpty();
            assertThat(find(search, shards, "")).isEmpty();
        }
    }

    @Test
    void onlyTheFirstSearchPassesThroughTheIndexes(@TempDir Path root) throws Exception {
        try (var store = DirectoryStore.open(root)) {
            var shards = shards(store);
            // Room for no index, so that every look at one is a load.
            var search = new KeySearch(new Indexes(store, counted, 1), 1 << 20);
            assertThat(find(search, shards, "nowhere")).isEmpty();
            assertThat(loads).hasValue(SHARDS);
            for (int i = 0; i < 100; i++) {
                assertThat(find(search, shards, "nowhere-" + i)).isEmpty();
            }
            assertThat(loads.get() - SHARDS).as("loads of 100 searches").isLessThan(100 * SHARDS / 20);
        }
    }

    @Test
    void manyKeysPassThroughEachIndexOnce(@TempDir Path root) throws Exception {
        try (var store = DirectoryStore.open(root)) {
            var shards = shards(store);
            var search = new KeySearch(new Indexes(store, counted, 1), 1 << 20);
            var keys = new HashMap<String, Long>();
            for (int i = 0; i < SHARDS; i++) {
                for (int sample = 0; sample < 10; sample += 3) {
                    keys.put("shard" + i + "-" + sample, 10L * i + sample);
                }
            }
            var sought = new HashSet<>(keys.keySet());
            sought.add("nowhere");
            assertThat(search.findAll(shards, sought)).isEqualTo(keys);
            assertThat(loads).hasValue(SHARDS);
            assertThat(search.findAll(shards, Set.of("shard7-1", "shard9-2"))).hasSize(2);
            assertThat(loads.get() - SHARDS).as("loads for two keys").isBetween(2, 8);
            assertThat(search.findAll(shards, Set.of())).isEmpty();
        }
    }

    private static Optional<Long> find(KeySearch search, SplitShards shards, String key)
            throws InterruptedException, ExecutionException {
        return search.find(shards, key).get();
    }

    private SplitShards shards(ObjectStore store) throws IOException {
        var random = new Random(7);
        var builder = new SplitShards.Builder(version(), new SplitName("train"), SHARDS);
        for (int i = 0; i < SHARDS; i++) {
            var ref = new ShardRef(new DatasetName("demo"), new VersionId(1), new SplitName("train"), new ShardName(i));
            var shard = MadeShard.of("shard" + i, random, 10, _ -> 100);
            made.add(shard);
            store.write(ObjectKeys.index(ref, MadeShard.ATTEMPT), shard.indexBytes());
            builder.add(shard.record(ref));
        }
        var shards = builder.build();
        assertThat(shards.samples()).isEqualTo(10L * SHARDS);
        for (long ordinal = 0; ordinal < shards.samples(); ordinal++) {
            assertThat(shards.shardOf(ordinal)).hasValue((int) (ordinal / 10));
        }
        assertThat(shards.shardOf(shards.samples())).isEmpty();
        assertThat(shards.shard(3)).isEqualTo(sealed(3));
        return shards;
    }

    private SealedShard sealed(int index) {
        var ref = new ShardRef(new DatasetName("demo"), new VersionId(1), new SplitName("train"), new ShardName(index));
        return made.get(index).sealed(ref, 2);
    }

    private static VersionRecord version() {
        return new VersionRecord(
                new DatasetName("demo"),
                new VersionId(1),
                VersionState.SEALED,
                1,
                "r",
                null,
                null,
                null,
                null,
                null,
                "p1",
                DatasetSpec.of("folder"),
                Inputs.NONE,
                List.of(),
                Instant.EPOCH,
                Instant.EPOCH);
    }
}
