package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.ingest.disk.SpoolException;
import io.tarpon.store.SourceObject;
import io.tarpon.store.SourceVisitor;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.gateway.ReportLine;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PlanFreezingTest {
    private static final DatasetName DEMO = new DatasetName("demo");
    private static final VersionId V1 = new VersionId(1);
    private static final DatasetSpec SPEC = DatasetSpec.of("photos");

    @TempDir
    Path folder;

    private SpoolArea spool;
    private DirectoryStore store;
    private PlanFiles files;

    @BeforeEach
    void open() throws Exception {
        spool = new SpoolArea(folder.resolve("spool"), 64 << 20);
        store = DirectoryStore.open(folder.resolve("store"));
        files = new PlanFiles(store, DEMO, V1);
    }

    @AfterEach
    void close() {
        store.close();
        assertThat(spool.usedBytes()).as("scratch bytes left after a plan").isZero();
    }

    @Test
    void filesOfOneSampleAreTogetherWhereverTheListingPutsThem() throws Exception {
        var plan = freeze(SPEC, file("a.cls", 3), file("a.d/x.txt", 5), file("a.jpg", 700), file("a/z.txt", 1));
        var samples = files.samples(plan, "train");
        assertThat(samples).extracting(PlannedSample::key).containsExactlyInAnyOrder("a", "a.d/x", "a/z");
        var a = sample(samples, "a");
        assertThat(a.members()).extracting(member -> member.sourceKey()).containsExactly("a.cls", "a.jpg");
        assertThat(a.tarBytes()).isEqualTo(512 + 512 + 512 + 1024);
        assertThat(plan.inputs().found()).isEqualTo(4).isEqualTo(plan.inputs().members());
    }

    @Test
    void theFirstOfTwoFilesForOnePlaceStaysAndTheOtherIsReported() throws Exception {
        var plan = freeze(SPEC, file("A.JPG", 1), file("A.jpg", 2), file("a.jpg", 3), file("A.Jpg", 4));
        assertThat(sample(files.samples(plan, "train"), "A").members())
                .singleElement()
                .satisfies(member -> {
                    assertThat(member.sourceKey()).isEqualTo("A.JPG");
                    assertThat(member.extension()).isEqualTo("jpg");
                });
        assertThat(files.report())
                .containsExactly(
                        ReportLine.leftOut("A.Jpg", "duplicate-member"),
                        ReportLine.leftOut("A.jpg", "duplicate-member"));
        assertThat(plan.inputs().leftOut()).containsOnlyKeys("duplicate-member").containsValue(2L);
    }

    @Test
    void everyInputIsAccountedForAndReportedInKeyOrder() throws Exception {
        var longName = "long/" + "x".repeat(120) + ".jpg";
        var plan = freeze(
                SPEC,
                file("_SUCCESS", 0),
                file("README", 9),
                file(".hidden.jpg", 1),
                file(".git/config.txt", 1),
                file("dir/trailing.", 1),
                file("a b.jpg", 1),
                file("a b.cls", 1),
                file("tab\there.jpg", 1),
                file("été/photo.jpg", 1),
                file(longName, 1),
                file("huge.bin", 8L << 30),
                file("just-fits.bin", (8L << 30) - 1),
                file("zero.txt", 0),
                file("fine.jpg", 1),
                SourceObject.notRegular("link.jpg"),
                SourceObject.undecodable("caf?.jpg"));
        var inputs = plan.inputs();
        assertThat(inputs.found()).isEqualTo(16).isEqualTo(inputs.members() + inputs.leftOutCount());
        assertThat(inputs.leftOut())
                .containsOnlyKeys(
                        "marker", "no-extension", "dot-file", "too-large", "not-a-regular-file", "undecodable-name");
        assertThat(inputs.leftOut()).containsEntry("no-extension", 2L).containsEntry("dot-file", 2L);
        assertThat(inputs.renamed()).as("two of one sample, and three more").isEqualTo(5);
        var report = files.report();
        assertThat(report).hasSize((int) (inputs.leftOutCount() + inputs.renamed()));
        assertThat(report)
                .extracting(ReportLine::key)
                .isSortedAccordingTo(io.tarpon.store.KeyOrder::compare)
                .contains(longName, "été/photo.jpg");
        assertThat(report)
                .filteredOn(line -> line.key().equals("a b.jpg"))
                .singleElement()
                .satisfies(line -> assertThat(line.name()).matches("r/a_b-[0-9a-f]{16}\\.jpg"));
        var renamed = files.samples(plan, "train").stream()
                .filter(sample -> sample.key().startsWith("r/a_b-"))
                .toList();
        assertThat(renamed)
                .singleElement()
                .satisfies(sample -> assertThat(sample.members()).hasSize(2));
    }

    @Test
    void foldersThatAreSplitsLeaveTheKeyAndStayInTheSource() throws Exception {
        var plan = freeze(SPEC, file("train/x/a.jpg", 1), file("val/x/a.jpg", 2), file("top.jpg", 3));
        assertThat(plan.splits()).extracting(split -> split.name().value()).containsExactly("train", "val");
        var member = sample(files.samples(plan, "val"), "x/a").members().getFirst();
        assertThat(member.sourceKey()).isEqualTo("val/x/a.jpg");
        assertThat(files.report()).containsExactly(ReportLine.leftOut("top.jpg", "outside-splits"));
    }

    @Test
    void aSplitWithoutASampleDoesNotExist() throws Exception {
        var spec = spec("train=0.999999,val=0.000001", 1 << 20, 1, 0);
        var plan = freeze(spec, file("a.jpg", 1), file("b.jpg", 1));
        assertThat(plan.splits()).extracting(split -> split.name().value()).containsExactly("train");
    }

    @Test
    void theSameListingGivesTheSameFilesWhateverItsOrderAndTheMemory() throws Exception {
        var objects = new ArrayList<>(images(3_000));
        var spec = spec("train=0.7,val=0.3", 512 << 10, 4, 5);
        var first = freezing(48 << 20).freeze(new GeneratedSource(objects), DEMO, V1, spec);
        var firstFile = files.sha256(new ShardRef(
                DEMO,
                V1,
                first.splits().get(1).name(),
                first.splits().get(1).shards().getLast().name()));
        Collections.shuffle(objects, new Random(3));
        var second = freezing(3_000).freeze(new GeneratedSource(objects), DEMO, new VersionId(2), spec);
        assertThat(second.command(false)).isEqualTo(first.command(false));
        assertThat(first.splits()).allMatch(split -> split.shards().size() % 4 == 0);
        assertThat(firstFile).isEqualTo(first.splits().get(1).shards().getLast().planSha256());
    }

    @Test
    void theSeedDecidesTheOrderAndNothingElse() throws Exception {
        var objects = images(200);
        var zero = keys(freezing(1 << 20).freeze(new GeneratedSource(objects), DEMO, V1, spec("none", 1 << 20, 1, 0)));
        var one = keys(freezing(1 << 20).freeze(new GeneratedSource(objects), DEMO, V1, spec("none", 1 << 20, 1, 1)));
        assertThat(one).isNotEqualTo(zero).containsExactlyInAnyOrderElementsOf(zero);
        assertThat(zero).isNotEqualTo(zero.stream().sorted().toList());
    }

    @Test
    void plannedNumbersAreThoseOfTheFiles() throws Exception {
        var plan = freezing(1 << 20).freeze(new GeneratedSource(images(2_000)), DEMO, V1, spec("none", 100_000, 3, 0));
        var split = plan.splits().getFirst();
        assertThat(split.shards()).hasSizeGreaterThan(3);
        long samples = 0;
        for (var shard : split.shards()) {
            var ref = new ShardRef(DEMO, V1, split.name(), shard.name());
            var read = files.samples(ref);
            assertThat(files.sha256(ref)).isEqualTo(shard.planSha256());
            assertThat(read).hasSize((int) shard.samples());
            assertThat(read.stream().mapToLong(PlannedSample::tarBytes).sum() + 1024)
                    .isEqualTo(shard.bytes());
            samples += shard.samples();
        }
        assertThat(samples).isEqualTo(2_000).isEqualTo(plan.samples());
    }

    @Test
    void aSampleLargerThanAShardGetsItsOwn() throws Exception {
        var objects = new ArrayList<>(images(50));
        objects.add(file("giant.bin", 1 << 20));
        var plan = freezing(1 << 20).freeze(new GeneratedSource(objects), DEMO, V1, spec("none", 20_000, 1, 0));
        var last = plan.splits().getFirst().shards().getLast();
        assertThat(last.samples()).isEqualTo(1);
        assertThat(last.bytes()).isEqualTo(512 + (1 << 20) + 1024);
    }

    @Test
    void fewerSamplesThanShardsAskedForIsAReason() {
        assertThatThrownBy(() -> freeze(spec("auto", 1 << 20, 3, 0), file("train/a.jpg", 1), file("train/b.jpg", 1)))
                .isInstanceOf(UnplannableException.class)
                .hasMessage("split train: 2 samples do not fill 3 shards, the smallest multiple asked for");
    }

    @Test
    void moreShardsThanAllowedIsAReason() {
        assertThatThrownBy(() -> new PlanFreezing(store, spool, 1 << 20, 9, ShortPauses.forEver())
                        .freeze(new GeneratedSource(images(100)), DEMO, V1, spec("none", 10_000, 1, 0)))
                .isInstanceOf(UnplannableException.class)
                .hasMessageContaining("tarpon.ingest.max-shards");
    }

    @Test
    void aHundredThousandFilesWithOneKeyIsAReasonThatNamesThem() {
        var frames = IntStream.range(0, 100_000).mapToObj(i -> file("clip/frame.%06d.png".formatted(i), 1));
        assertThatThrownBy(() -> freezing(1 << 20).freeze(GeneratedSource.of(frames), DEMO, V1, SPEC))
                .isInstanceOf(UnplannableException.class)
                .hasMessageContaining("clip/frame")
                .hasMessageContaining("first dot");
    }

    @Test
    void severalThousandFilesWithOneKeyAreOneSample() throws Exception {
        var frames = IntStream.range(0, 5_000).mapToObj(i -> file("clip/frame.%06d.png".formatted(i), 1));
        var plan = freezing(1 << 20).freeze(GeneratedSource.of(frames), DEMO, V1, SPEC);
        assertThat(files.samples(plan, "train").getFirst().members()).hasSize(5_000);
    }

    @Test
    void onlyLeftOutInputsGiveAPlanWithoutSplits() throws Exception {
        var plan = freeze(SPEC, file("README", 1), file("_SUCCESS", 0));
        assertThat(plan.splits()).isEmpty();
        assertThat(plan.inputs().leftOutCount()).isEqualTo(2);
    }

    @Test
    void aFullSpoolIsSaidAndGivenBack() throws Exception {
        var small = new SpoolArea(folder.resolve("small"), 200_000);
        assertThatThrownBy(() -> new PlanFreezing(store, small, 30_000, 1_000, ShortPauses.forEver())
                        .freeze(new GeneratedSource(images(5_000)), DEMO, V1, SPEC))
                .isInstanceOf(SpoolException.class)
                .hasMessageContaining("tarpon.ingest.spool-capacity");
        assertThat(small.usedBytes()).isZero();
    }

    @Test
    void aSourceThatBreaksIsNamedAndNothingIsPlanned() throws Exception {
        var source = new BreakingSource();
        assertThatThrownBy(() -> freezing(1 << 20).freeze(source, DEMO, V1, SPEC))
                .isInstanceOf(SourceUnreadableException.class)
                .hasMessageContaining("source photos cannot be read: photos/b")
                .hasMessageContaining("may not list");
        assertThat(files.keys()).isEmpty();
    }

    private static final class BreakingSource extends ListedOnly {
        @Override
        public void list(SourceVisitor visitor) throws IOException {
            visitor.visit(file("a.jpg", 1));
            throw new AccessDeniedException("photos/b", null, "this process may not list the folder");
        }
    }

    @Test
    void aStoreThatIsAwayWhilePlansAreWrittenDoesNotListTheSourceAgain() throws Exception {
        var listings = new AtomicInteger();
        var objects = images(100);
        var source = new ListedOnly() {
            @Override
            public void list(SourceVisitor visitor) throws IOException {
                listings.incrementAndGet();
                new GeneratedSource(objects).list(visitor);
            }
        };
        var memory = new MemoryStore();
        // In the middle of the second shard's plan, and then in that of the third.
        memory.refuseUploads(2, 4);
        var plan = new PlanFreezing(memory, spool, 1 << 20, 50, ShortPauses.forEver())
                .freeze(source, DEMO, V1, spec("none", 20_000, 1, 0));
        assertThat(listings).hasValue(1);
        assertThat(plan.shards()).isGreaterThan(3);
        assertThat(plan).isEqualTo(freezing(1 << 20).freeze(source, DEMO, V1, spec("none", 20_000, 1, 0)));
        assertThat(spool.usedBytes()).isZero();
    }

    /// As two processes do that plan one version, with a source that changes in between.
    @Test
    void planOfAnotherListingLiesBesideAndEitherIsWhole() throws Exception {
        var spec = spec("none", 20_000, 1, 0);
        var objects = images(300);
        var first = freezing(1 << 20).freeze(new GeneratedSource(objects), DEMO, V1, spec);
        var second = freezing(1 << 20).freeze(new GeneratedSource(objects.subList(0, 300)), DEMO, V1, spec);
        assertThat(second.planDigest()).isNotEqualTo(first.planDigest());
        for (var plan : List.of(first, second)) {
            for (var shard : plan.splits().getFirst().shards()) {
                var key =
                        ObjectKeys.plan(new ShardRef(DEMO, V1, new SplitName("train"), shard.name()), shard.planName());
                assertThat(Digests.sha256Hex(store.read(key, 1 << 20))).isEqualTo(shard.planSha256());
            }
        }
        assertThat(files.samples(first, "train")).hasSize(300);
        assertThat(files.samples(second, "train")).hasSize(150);
    }

    /// More than is held in memory.
    @Test
    void longPlanIsHeldInScratchUntilItsDigestIsKnown() throws Exception {
        var plan = freezing(1 << 20).freeze(new GeneratedSource(images(5_000)), DEMO, V1, spec("none", 1 << 30, 1, 0));
        var shard = plan.splits().getFirst().shards().getFirst();
        var key = ObjectKeys.plan(new ShardRef(DEMO, V1, new SplitName("train"), shard.name()), shard.planName());
        assertThat(store.size(key).orElseThrow()).isGreaterThan(200_000);
        assertThat(Digests.sha256Hex(store.read(key, 1 << 24))).isEqualTo(shard.planSha256());
        assertThat(spool.usedBytes()).isZero();
    }

    private FrozenPlan freeze(DatasetSpec spec, SourceObject... objects) throws Exception {
        return freezing(1 << 20).freeze(GeneratedSource.of(Stream.of(objects)), DEMO, V1, spec);
    }

    private PlanFreezing freezing(long sortMemory) {
        return new PlanFreezing(store, spool, sortMemory, 50_000, ShortPauses.forEver());
    }

    private List<String> keys(FrozenPlan plan) throws IOException {
        return files.samples(plan, "train").stream().map(PlannedSample::key).toList();
    }

    private static PlannedSample sample(List<PlannedSample> samples, String key) {
        return samples.stream()
                .filter(sample -> sample.key().equals(key))
                .findFirst()
                .orElseThrow();
    }

    private static DatasetSpec spec(String splits, long shardBytes, int multipleOf, long seed) {
        return new DatasetSpec("photos", splits, shardBytes, multipleOf, seed, 2, false, "allow");
    }

    private static List<SourceObject> images(int samples) {
        return IntStream.range(0, samples)
                .boxed()
                .flatMap(i -> Stream.of(
                        file("c%d/i%05d.cls".formatted(i % 10, i), 1),
                        file("c%d/i%05d.jpg".formatted(i % 10, i), 300 + i)))
                .toList();
    }

    private static SourceObject file(String key, long size) {
        return SourceObject.file(key, size, "etag-" + key.length());
    }
}
