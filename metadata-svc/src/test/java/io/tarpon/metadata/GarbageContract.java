package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.GROWING;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.keeping;
import static io.tarpon.metadata.Fixtures.named;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.client.BlockNode;
import io.tarpon.store.ObjectStore;
import io.tarpon.storekit.FailingStore;
import io.tarpon.storekit.FailingStore.Step;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.GarbageReport;
import io.tarpon.wire.metadata.GarbageReport.Waiting;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What collecting garbage does, over any store.
abstract class GarbageContract {
    private static final VersionId V2 = new VersionId(2);
    private static final int BLOCKS_OF_A_SHARD = 4;

    @TempDir
    Path temp;

    private GarbageWorld world;

    abstract ObjectStore open(Path folder) throws IOException;

    @BeforeEach
    void start() throws IOException {
        world = new GarbageWorld(temp, open(temp.resolve("store")));
    }

    @AfterEach
    void stop() throws InterruptedException {
        world.close();
    }

    @Test
    void nothingOfARemovedVersionIsLeftAndEverythingElseIs() throws Exception {
        world.seal("a", SPEC, plan("p", 2, 0));
        world.seal("b", SPEC, plan("q", 1, 0));
        var strangers = List.of(
                "checkpoints/v1/step",
                "datasets/demo/v1.tar",
                "datasets/demo/v10/train/shard-000000.tar",
                "datasets/demo/v9/report.jsonl",
                "datasets/Demo/v1/report.jsonl",
                "datasets/other/v1/report.jsonl",
                "other/datasets/demo/v1/report.jsonl");
        for (var key : strangers) {
            world.store.write(key, key.getBytes(UTF_8));
        }
        var kept = world.keysOf(V2);
        var keptBlocks = world.blocks(ref(V2, TRAIN, 0));
        world.remove(V1);
        world.passGrace();

        var report = world.garbage().collect(false, null);

        assertThat(report.objects()).isEqualTo(7);
        assertThat(report.bytes()).isEqualTo(6 + "report".length());
        assertThat(report.blocks()).isEqualTo(2 * BLOCKS_OF_A_SHARD);
        assertThat(report.blockBytes()).isEqualTo(2 * BLOCKS_OF_A_SHARD * BlockNode.BLOCK_BYTES);
        assertThat(report.waiting()).isEmpty();
        assertThat(report.unreachable()).isEmpty();
        assertThat(world.isCollected(V1)).isTrue();
        assertThat(world.allKeys()).containsAll(strangers).containsAll(kept).hasSize(strangers.size() + kept.size());
        assertThat(world.node.blocks()).containsExactlyInAnyOrderElementsOf(keptBlocks);
        assertNothingLeft(world.garbage().collect(false, null));
    }

    @Test
    void aReplicaThatDoesNotPublishCollectsNothing() throws Exception {
        world.seal("a", SPEC, plan("p", 2, 0));
        world.remove(V1);
        world.passGrace();
        var keys = world.allKeys();
        world.isHere.set(false);
        assertThatThrownBy(() -> world.garbage().collect(false, null))
                .isInstanceOfSatisfying(
                        TarponException.class,
                        problem -> assertThat(problem.type()).isEqualTo(ProblemType.NOT_READY));
        assertThat(world.allKeys()).isEqualTo(keys);
        world.isHere.set(true);
        assertThat(world.garbage().collect(false, null).objects()).isPositive();
    }

    @Test
    void aDryRunCountsTheSameAndChangesNothing() throws Exception {
        world.seal("a", SPEC, plan("p", 2, 0));
        world.remove(V1);
        world.passGrace();
        var keys = world.allKeys();
        var blocks = List.copyOf(world.node.blocks());
        var revision = world.queries.revision();

        var dry = world.garbage().collect(true, null);

        assertThat(dry.dryRun()).isTrue();
        assertThat(world.allKeys()).isEqualTo(keys);
        assertThat(world.node.blocks()).containsExactlyInAnyOrderElementsOf(blocks);
        assertThat(world.queries.revision()).isEqualTo(revision);
        var wet = world.garbage().collect(false, null);
        assertThat(wet)
                .isEqualTo(new GarbageReport(
                        false,
                        dry.objects(),
                        dry.bytes(),
                        dry.uploads(),
                        dry.blocks(),
                        dry.blockBytes(),
                        dry.waiting(),
                        dry.unreachable()));
    }

    @Test
    void whatAVersionThatStaysLiesOnStaysUntilThatGoesToo() throws Exception {
        world.seal("a", SPEC, plan("p", 2, 0));
        world.seal("b", GROWING, keeping(plan("q", 3, 0), 1));
        world.remove(V1);
        world.passGrace();

        var report = world.garbage().collect(false, null);

        assertThat(report.waiting()).containsExactly(new Waiting("demo/v1", "in-use-by demo/v2"));
        assertThat(world.keysOf(V1)).containsExactlyInAnyOrderElementsOf(GarbageWorld.keys(ref(V1, TRAIN, 0)));
        assertThat(world.keysOf(V2)).hasSize(7);
        assertThat(report.objects()).isEqualTo(4);
        assertThat(report.blocks()).isEqualTo(BLOCKS_OF_A_SHARD);
        assertThat(world.node.blocks())
                .containsAll(world.blocks(ref(V2, TRAIN, 0)))
                .containsAll(world.blocks(ref(V2, TRAIN, 1)))
                .containsAll(world.blocks(ref(V2, TRAIN, 2)));
        assertThat(world.isCollected(V1)).isFalse();

        world.remove(V2);
        world.passGrace();
        world.garbage().collect(false, null);
        assertThat(world.allKeys()).isEmpty();
        assertThat(world.node.blocks()).isEmpty();
        assertThat(world.isCollected(V1)).isTrue();
        assertThat(world.isCollected(V2)).isTrue();
    }

    @Test
    void aVersionThatWasRemovedAMomentAgoWaits() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.pass(GarbageWorld.LAPSE.plusSeconds(1));
        world.remove(V1);
        var keys = world.allKeys();
        assertThat(world.garbage().collect(false, null).waiting())
                .containsExactly(new Waiting("demo/v1", "removed-just-now"));
        assertThat(world.allKeys()).isEqualTo(keys);
        world.passGrace();
        assertThat(world.garbage().collect(false, null).waiting()).isEmpty();
        assertThat(world.allKeys()).isEmpty();
    }

    @Test
    void openReadsPostponeACollectionUntilTheyEndOrLapse() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.remove(V1);
        world.passGrace();
        world.reading("demo/v1");
        assertThat(world.garbage().collect(false, null).waiting())
                .containsExactly(new Waiting("demo/v1", "open-reads"));
        assertThat(world.keysOf(V1)).hasSize(4);
        world.reading();
        world.garbage().collect(true, null);
        assertThat(world.garbage().collect(true, null).waiting()).isEmpty();
        world.reading("demo/v1");
        world.pass(GarbageWorld.LAPSE.plusMillis(1));
        assertThat(world.garbage().collect(false, null).waiting()).isEmpty();
        assertThat(world.keysOf(V1)).isEmpty();
    }

    @Test
    void openReadsOfARemovedVersionHoldTheShardsThatItKept() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.seal("b", GROWING, keeping(plan("q", 1, 0)));
        world.remove(V1);
        world.remove(V2);
        world.passGrace();
        world.reading("demo/v2");
        var report = world.garbage().collect(false, null);
        assertThat(report.waiting())
                .containsExactlyInAnyOrder(
                        new Waiting("demo/v2", "open-reads"), new Waiting("demo/v1", "in-use-by demo/v2"));
        assertThat(world.keysOf(V1)).containsExactlyInAnyOrderElementsOf(GarbageWorld.keys(ref(V1, TRAIN, 0)));
        assertThat(world.node.blocks()).hasSize(BLOCKS_OF_A_SHARD);
    }

    @Test
    void nothingIsCollectedBeforeGatewaysHadTimeToSayWhatTheyRead() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.remove(V1);
        world.pass(GarbageWorld.GRACE.plusSeconds(1));
        assertThat(world.garbage().collect(false, null).waiting())
                .containsExactly(new Waiting("demo/v1", "readers-unknown"));
        assertThat(world.keysOf(V1)).hasSize(4);
    }

    @Test
    void theParentOfAVersionInWorkWaits() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.begin("b", GROWING);
        world.remove(V1);
        world.passGrace();
        assertThat(world.garbage().collect(false, null).waiting())
                .containsExactly(new Waiting("demo/v1", "in-use-by demo/v2"));
        assertThat(world.keysOf(V1)).hasSize(4);
    }

    @Test
    void aNodeThatCannotBeAskedIsNamedAndHoldsNothingUp() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.remove(V1);
        world.passGrace();
        world.node.answer(500);
        var report = world.garbage().collect(false, null);
        assertThat(report.unreachable()).containsExactly("node-1");
        assertThat(report.waiting()).isEmpty();
        assertThat(world.keysOf(V1)).isEmpty();
        assertThat(world.isCollected(V1)).isTrue();
        assertThat(world.node.blocks()).as("go when the node needs the room").hasSize(BLOCKS_OF_A_SHARD);
    }

    @Test
    void aLostNodeIsNamedAndHoldsNothingUp() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.remove(V1);
        world.passGrace();
        world.nanos.addAndGet(GarbageWorld.NODE_TIMEOUT.toNanos() + 1);
        var report = world.garbage().collect(false, null);
        assertThat(report.unreachable()).as("lost, by its heartbeat").containsExactly("node-1");
        assertThat(report.waiting()).isEmpty();
        assertThat(world.isCollected(V1)).isTrue();
    }

    @Test
    void aClockThatJumpsAheadShortensNoGrace() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.pass(GarbageWorld.LAPSE.plusSeconds(1));
        world.remove(V1);
        world.skewNanos.addAndGet(Duration.ofDays(1).toNanos());
        world.pass(GarbageWorld.GRACE.minusNanos(1));
        assertThat(world.garbage().collect(false, null).waiting())
                .containsExactly(new Waiting("demo/v1", "removed-just-now"));
        world.pass(Duration.ofNanos(1));
        assertThat(world.garbage().collect(false, null).waiting()).isEmpty();
        assertThat(world.isCollected(V1)).isTrue();
    }

    @Test
    void whatComesLateOfACollectedVersionGoesNextTime() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.remove(V1);
        world.passGrace();
        world.garbage().collect(false, null);
        world.store.write(ObjectKeys.tar(ref(V1, TRAIN, 0)), "late".getBytes(UTF_8));
        assertThat(world.garbage().collect(false, null).objects()).isEqualTo(1);
        assertThat(world.keysOf(V1)).isEmpty();
    }

    @Test
    void aCollectionThatDiesAnywhereIsFinishedByTheNext() throws Exception {
        world.seal("a", SPEC, plan("p", 3, 0));
        world.seal("b", GROWING, keeping(plan("q", 3, 0), 2));
        var ofV2 = world.keysOf(V2);
        world.remove(V1);
        world.passGrace();
        var failures = 0;
        for (int deletions = 0; ; deletions++) {
            try {
                world.garbage(failing(new DyingDeletions(deletions))).collect(false, null);
                break;
            } catch (TarponException e) {
                assertThat(e.type()).isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
                failures++;
            }
            assertThat(world.isCollected(V1)).isFalse();
            assertThat(world.keysOf(V2)).isEqualTo(ofV2);
            assertThat(world.keysOf(V1))
                    .containsAll(GarbageWorld.keys(ref(V1, TRAIN, 0)))
                    .containsAll(GarbageWorld.keys(ref(V1, TRAIN, 1)));
        }
        assertThat(failures).isPositive();
        world.remove(V2);
        world.passGrace();
        assertThatThrownBy(() -> world.garbage(failing(new DyingDeletions(0))).collect(false, null))
                .isInstanceOf(TarponException.class);
        world.garbage().collect(false, null);
        assertThat(world.allKeys()).isEmpty();
        assertThat(world.isCollected(V1)).isTrue();
        assertThat(world.isCollected(V2)).isTrue();
    }

    @Test
    void whatNoRecordOfASealedVersionNamesGoesAndNothingElse() throws Exception {
        world.sealNamed("a", SPEC, named(plan("p", 2, 0)));
        world.sealNamed("b", GROWING, keeping(named(plan("q", 3, 0)), 2));
        var named = world.allKeys();
        assertThat(named).hasSize(2 + 3 * 3);
        var losers = losers(V1);
        losers.addAll(losers(V2));
        for (var key : losers) {
            world.store.write(key, "lost".getBytes(UTF_8));
        }
        assertThat(world.garbage().collect(true, null).objects()).isEqualTo(losers.size());
        assertThat(world.allKeys()).hasSize(named.size() + losers.size());

        for (int deletions = 0; ; deletions++) {
            try {
                world.garbage(failing(new DyingDeletions(deletions))).collect(false, null);
                break;
            } catch (TarponException e) {
                assertThat(world.allKeys()).containsAll(named);
            }
        }

        assertThat(world.allKeys()).isEqualTo(named);
        assertNothingLeft(world.garbage().collect(false, null));
    }

    /// What attempts and planners that came second, or died, leave below a version.
    private static List<String> losers(VersionId version) {
        var lost = new ArrayList<String>();
        for (int shard = 0; shard < 4; shard++) {
            var ref = ref(version, TRAIN, shard);
            lost.add(ObjectKeys.tar(ref, "00000000000000ff"));
            lost.add(ObjectKeys.index(ref, "00000000000000ff"));
            lost.add(ObjectKeys.plan(ref, "00000000000000ff"));
            lost.add(ObjectKeys.tar(ref));
        }
        lost.add(ObjectKeys.version(DEMO, version) + "val/shard-000000.00000000000000ff.tar");
        return lost;
    }

    @Test
    void shardsThatAreKeptStayUnderTheNamesThatTheParentGaveThem() throws Exception {
        world.sealNamed("a", SPEC, named(plan("p", 2, 0)));
        var first = GarbageWorld.keys(ref(V1, TRAIN, 0), world.record(ref(V1, TRAIN, 0)));
        world.sealNamed("b", GROWING, keeping(named(plan("q", 3, 0)), 1));
        world.store.write(ObjectKeys.tar(ref(V1, TRAIN, 0), "00000000000000ff"), "lost".getBytes(UTF_8));
        world.remove(V1);
        world.passGrace();

        world.garbage().collect(false, null);

        assertThat(GarbageWorld.keys(ref(V2, TRAIN, 0), world.record(ref(V2, TRAIN, 0))))
                .isEqualTo(first);
        assertThat(world.keysOf(V1)).containsExactlyInAnyOrderElementsOf(first);
        assertThat(world.isCollected(V1)).isFalse();
    }

    /// A crash between the two entries of one collection, and then somebody reads the second version again.
    @Test
    void versionThatWaitsBesideACollectedParentHoldsNothingUp() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.seal("b", GROWING, keeping(plan("q", 1, 0)));
        world.remove(V1);
        world.remove(V2);
        world.passGrace();
        world.collected(V1);
        world.reading("demo/v2");
        assertThat(world.garbage().collect(false, null).waiting()).contains(new Waiting("demo/v2", "open-reads"));
        world.reading();
        world.garbage().collect(false, null);
        assertThat(world.allKeys()).isEmpty();
        assertThat(world.isCollected(V2)).isTrue();
    }

    @Test
    void whatLiesBelowAVersionThatMayYetNameItStays() throws Exception {
        world.begin("a", SPEC);
        world.fail(world.begin("b", SPEC));
        for (var version : List.of(V1, V2)) {
            for (var key : losers(version)) {
                world.store.write(key, "not named yet".getBytes(UTF_8));
            }
        }
        world.passGrace();
        assertNothingLeft(world.garbage().collect(false, null));
        world.remove(V2);
        world.passGrace();
        assertThat(world.garbage().collect(false, null).objects())
                .isEqualTo(losers(V2).size());
        assertThat(world.keysOf(V1)).hasSize(losers(V1).size());
    }

    @Test
    void oneCollectionRunsAtATime() throws Exception {
        world.seal("a", SPEC, plan("p", 1, 0));
        world.remove(V1);
        world.passGrace();
        var listing = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var garbage = world.garbage(failing(step -> {
            if (step == Step.BEFORE_LIST) {
                listing.countDown();
                awaitIn(goOn);
            }
        }));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var first = threads.submit(() -> garbage.collect(false, null));
            listing.await();
            assertThatThrownBy(() -> garbage.collect(false, null))
                    .isInstanceOfSatisfying(
                            TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.CONFLICT));
            goOn.countDown();
            assertThat(first.get().objects()).isEqualTo(4);
        }
        assertNothingLeft(garbage.collect(false, null));
    }

    private FailingStore failing(FailingStore.Fault fault) {
        var store = new FailingStore(world.store);
        store.inject(fault);
        return store;
    }

    private static void awaitIn(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    private static void assertNothingLeft(GarbageReport report) {
        assertThat(report).isEqualTo(new GarbageReport(false, 0, 0, 0, 0, 0, List.of(), List.of()));
    }
}
