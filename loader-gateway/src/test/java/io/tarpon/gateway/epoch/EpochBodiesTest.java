package io.tarpon.gateway.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.catalog.Indexes;
import io.tarpon.gateway.catalog.Projection;
import io.tarpon.gateway.catalog.SealedSplit;
import io.tarpon.gateway.catalog.ShardLayouts;
import io.tarpon.gateway.catalog.ShardLists;
import io.tarpon.gateway.catalog.SplitLayouts;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.order.Shuffle;
import io.tarpon.gateway.order.Tail;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which bodies share an entity tag: those of the same bytes, and no others.
@NullUnmarked // The test framework fills the fields.
class EpochBodiesTest {
    private static final long MIB = 1 << 20;

    /// Equal tars: version 1 in blocks as they are cut today, version 2 in others.
    private static final MadeShard USUAL = MadeShard.inLargeBlocks("cut", new Random(9), 40, _ -> 60_000);

    private static final MadeShard OTHER = MadeShard.of("cut", new Random(9), 40, _ -> 60_000);

    @TempDir
    Path folder;

    private World world;
    private DirectoryStore store;
    private MetadataClient metadata;
    private EpochBodies bodies;

    @BeforeEach
    void seal() throws IOException {
        assertThat(OTHER.tar()).isEqualTo(USUAL.tar());
        world = new World(folder);
        world.seal("cut", 1, Map.of("train", List.of(USUAL)));
        world.seal("cut", 2, Map.of("train", List.of(OTHER)));
        store = DirectoryStore.open(folder.resolve("store").toAbsolutePath());
        metadata = MetadataClient.readOnly(world.metadata().url());
        var indexes = new Indexes(store, Runnable::run, MIB);
        var single = new ShardLayouts(indexes, Runnable::run, MIB, Optional.empty());
        var layouts = new SplitLayouts(indexes, single, Runnable::run, 16 * MIB, Optional.empty());
        bodies = new EpochBodies(layouts, new EpochPlans(Runnable::run, MIB, Optional.empty()), Runnable::run);
    }

    @AfterEach
    void close() {
        metadata.close();
        store.close();
        world.close();
    }

    @Test
    void blocksCutInAnotherWayAreAnotherBodyWhereSamplesComeByTheirBlocks() throws IOException {
        assertThat(body(1, Shuffle.BLOCK).etag())
                .isNotEqualTo(body(2, Shuffle.BLOCK).etag());
    }

    @Test
    void theyAreTheSameBodyInEveryOtherOrder() throws IOException {
        for (var shuffle : List.of(Shuffle.GLOBAL, Shuffle.SHARD, Shuffle.NONE)) {
            assertThat(body(1, shuffle).etag())
                    .as("%s", shuffle)
                    .isEqualTo(body(2, shuffle).etag());
        }
    }

    /// Clients and `gateway.dir` hold such tags of versions that were sealed long ago.
    @Test
    void whatIsCutAsTodayHasTheTagItAlwaysHad() throws IOException {
        var text = "p1 " + World.digest(List.of(USUAL))
                + " 7 3 block start=0 count=9223372036854775807 tail=keep batch=1 0of1 0of1 ";
        var digest = Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8));
        assertThat(body(1, Shuffle.BLOCK).etag()).isEqualTo('"' + digest.substring(0, 32) + '"');
    }

    private Body body(int version, Shuffle shuffle) throws IOException {
        var record = metadata.version(new DatasetName("cut"), new VersionId(version));
        var shards = new ShardLists(metadata, Runnable::run, MIB).of(record, new SplitName("train"));
        var share = new Share(0, Share.ALL, Tail.KEEP, 1, 1, 0, 1, 0);
        var ask = new EpochBodies.Ask(7, 3, share, shuffle, new Projection(Set.of()));
        return bodies.open(SealedSplit.of(record, shards.join()), ask, true).join();
    }
}
