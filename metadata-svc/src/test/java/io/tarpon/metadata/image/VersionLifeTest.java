package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.VAL;
import static io.tarpon.metadata.Fixtures.forced;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static io.tarpon.metadata.Fixtures.sha;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.VersionState;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VersionLifeTest {
    private final DecidedImage decided = new DecidedImage();
    private final Image image = decided.image;

    @Test
    void versionsCountFromOne() {
        assertThat(decided.begin("a")).isEqualTo(V1);
        assertThat(decided.begin("b")).isEqualTo(new VersionId(2));
    }

    @Test
    void sameRequestHasTheSameVersion() {
        decided.begin("a");
        var other = new DatasetSpec("file:///else", "none", 1 << 20, 2, 7, 1, false, "allow");
        decided.changesNothing(new BeginVersion(DEMO, "a", other));
        assertThat(new BeginVersion(DEMO, "a", other).answer(image).spec()).isEqualTo(SPEC);
    }

    @Test
    void aRequestBelongsToOneDataset() {
        decided.begin("a");
        decided.refuses(new BeginVersion(new DatasetName("other"), "a", SPEC), ProblemType.CONFLICT, "demo/v1");
    }

    @Test
    void aPlannedVersionBuilds() {
        decided.begin("a");
        var replayed = decided.plan(V1, plan("p", 2, 1));
        assertThat(DecidedImage.types(replayed)).containsExactly("tarpon.version.planned.v1");
        var record = image.reads().version(DEMO, V1);
        assertThat(record.state()).isEqualTo(VersionState.BUILDING);
        assertThat(record.planDigest()).isEqualTo(sha("p"));
        assertThat(record.samples()).isEqualTo(30);
        assertThat(record.inputs()).isEqualTo(Inputs.of(30, 0, Map.of("dot-file", 2L)));
    }

    @Test
    void theSamePlanAgainChangesNothing() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 1));
        decided.changesNothing(new PlanVersion(DEMO, V1, plan("p", 2, 1)));
    }

    @Test
    void anotherPlanIsAConflict() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 1));
        decided.refuses(new PlanVersion(DEMO, V1, plan("q", 2, 1)), ProblemType.CONFLICT, "demo/v1 is building");
    }

    @Test
    void aPlanWithoutSamplesFails() {
        decided.begin("a");
        var replayed = decided.plan(V1, plan("p", 0, 0));
        assertThat(DecidedImage.types(replayed)).containsExactly("tarpon.version.failed.v1");
        var record = image.reads().version(DEMO, V1);
        assertThat(record.state()).isEqualTo(VersionState.FAILED);
        assertThat(record.reason()).isEqualTo("no-samples");
        assertThat(record.inputs().found()).isEqualTo(2);
    }

    @Test
    void leftOutInputsFailAVersionThatAllowsNone() {
        var strict = new DatasetSpec("file:///data/in", "auto", 1 << 20, 1, 0, 1, false, "fail");
        decided.apply(new BeginVersion(DEMO, "a", strict));
        decided.plan(V1, plan("p", 1, 0));
        var record = image.reads().version(DEMO, V1);
        assertThat(record.state()).isEqualTo(VersionState.FAILED);
        assertThat(record.reason()).startsWith("left-out: 2 of 12 inputs").contains("dot-file");
    }

    @Test
    void lastShardSealsItsVersion() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 1));
        var first = decided.seal(ref(V1, TRAIN, 1), seal(1, "b"));
        assertThat(DecidedImage.types(first)).containsExactly("tarpon.shard.sealed.v1");
        decided.seal(ref(V1, VAL, 0), seal(0, "c"));
        assertThat(image.reads().version(DEMO, V1).state()).isEqualTo(VersionState.BUILDING);
        var sealedAt = decided.now();
        var last = decided.seal(ref(V1, TRAIN, 0), seal(0, "a"));
        assertThat(DecidedImage.types(last)).containsExactly("tarpon.shard.sealed.v1", "tarpon.version.sealed.v1");
        assertThat(last.events().stream().map(CommittedEvent::id)).containsExactly("5-0", "5-1");
        var record = image.reads().version(DEMO, V1);
        assertThat(record.state()).isEqualTo(VersionState.SEALED);
        assertThat(record.order()).isEqualTo("p1");
        assertThat(record.sealedAt()).isEqualTo(sealedAt);
        assertThat(image.reads().latest(DEMO)).isEqualTo(record);
    }

    @Test
    void digestsAreOfShardsInOrder() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 1));
        decided.seal(ref(V1, TRAIN, 1), seal(1, "b"));
        decided.seal(ref(V1, VAL, 0), seal(0, "c"));
        decided.seal(ref(V1, TRAIN, 0), seal(0, "a"));
        var train = hashOf(sha("a") + sha("b"));
        var val = hashOf(sha("c"));
        var record = image.reads().version(DEMO, V1);
        assertThat(record.splits().stream().map(split -> String.valueOf(split.digest())))
                .containsExactly(train, val);
        var names = HexFormat.of();
        assertThat(record.digest())
                .isEqualTo(hashOf(names.formatHex("train\0".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        + train
                        + names.formatHex("val\0".getBytes(java.nio.charset.StandardCharsets.UTF_8))
                        + val));
    }

    @Test
    void samePlanAsTheLatestSealedVersionRemovesTheNewOne() {
        sealVersion("a", "p");
        var v2 = decided.begin("b");
        var replayed = decided.plan(v2, plan("p", 1, 0));
        assertThat(DecidedImage.types(replayed)).containsExactly("tarpon.version.removed.v1");
        var record = image.reads().version(DEMO, v2);
        assertThat(record.state()).isEqualTo(VersionState.REMOVED);
        assertThat(record.sameAs()).isEqualTo(V1);
        assertThat(record.reason()).isEqualTo("same plan as v1");
        assertThat(decided.begin("c")).isEqualTo(new VersionId(3));
    }

    @Test
    void thePlanOfAVersionBeingBuiltGivesThatVersionBack() {
        decided.begin("a");
        decided.begin("b");
        decided.begin("c");
        decided.plan(V1, plan("p", 2, 0));
        for (var number : List.of(2, 3)) {
            var version = new VersionId(number);
            decided.plan(version, plan("p", 2, 0));
            var record = image.reads().version(DEMO, version);
            assertThat(record.state()).isEqualTo(VersionState.REMOVED);
            assertThat(record.sameAs()).isEqualTo(V1);
        }
    }

    @Test
    void anotherPlanForceOrAnotherSpecificationIsBuiltBesideIt() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 0));
        decided.begin("b");
        decided.plan(new VersionId(2), plan("q", 2, 0));
        decided.begin("c");
        decided.plan(new VersionId(3), forced(plan("p", 2, 0)));
        decided.apply(new BeginVersion(
                DEMO, "d", new DatasetSpec(SPEC.source(), "auto", SPEC.shardBytes(), 1, 0, 3, false, "allow")));
        decided.plan(new VersionId(4), plan("p", 2, 0));
        assertThat(image.reads().dataset(DEMO).versions())
                .allSatisfy(version -> assertThat(version.state()).isEqualTo(VersionState.BUILDING));
    }

    @Test
    void ofTwoEqualPlansDecidedAtOnceTheSecondIsDecidedAgain() {
        decided.begin("a");
        decided.begin("b");
        var first = decided.entry(new PlanVersion(DEMO, V1, plan("p", 2, 0)));
        var second = decided.entry(new PlanVersion(DEMO, new VersionId(2), plan("p", 2, 0)));
        assertThat(decided.replay(first).applied()).isTrue();
        assertThat(decided.replay(second).applied()).isFalse();
        decided.plan(new VersionId(2), plan("p", 2, 0));
        assertThat(image.reads().version(DEMO, new VersionId(2)).sameAs()).isEqualTo(V1);
    }

    @Test
    void aVersionThatFailedIsNotGivenBack() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 0));
        decided.begin("b");
        var late = decided.entry(new PlanVersion(DEMO, new VersionId(2), plan("p", 2, 0)));
        decided.apply(new FailVersion(DEMO, V1, "gone"));
        assertThat(decided.replay(late).applied()).isFalse();
        decided.plan(new VersionId(2), plan("p", 2, 0));
        assertThat(image.reads().version(DEMO, new VersionId(2)).state()).isEqualTo(VersionState.BUILDING);
    }

    @Test
    void forceMakesANewVersionOfTheSamePlan() {
        sealVersion("a", "p");
        var v2 = decided.begin("b");
        decided.plan(v2, forced(plan("p", 1, 0)));
        assertThat(image.reads().version(DEMO, v2).state()).isEqualTo(VersionState.BUILDING);
    }

    @Test
    void latestIsTheHighestSealedVersion() {
        var v1 = decided.begin("a");
        var v2 = decided.begin("b");
        decided.plan(v1, plan("p", 1, 0));
        decided.plan(v2, plan("q", 1, 0));
        decided.seal(ref(v2, TRAIN, 0), seal(0, "q"));
        decided.seal(ref(v1, TRAIN, 0), seal(0, "p"));
        decided.begin("c");
        assertThat(image.reads().latest(DEMO).version()).isEqualTo(v2);
    }

    @Test
    void buildOfOnePlanFailsNoVersionWithAnother() {
        decided.begin("a");
        var old = plan("p", 2, 0).planDigest();
        decided.refuses(new FailVersion(DEMO, V1, "late", old), ProblemType.CONFLICT, "not there yet");
        decided.plan(V1, plan("q", 1, 0));
        decided.refuses(
                new FailVersion(DEMO, V1, "late", old),
                ProblemType.CONFLICT,
                plan("q", 1, 0).planDigest());
        assertThat(image.reads().version(DEMO, V1).state()).isEqualTo(VersionState.BUILDING);
        decided.apply(new FailVersion(DEMO, V1, "x.jpg changed", plan("q", 1, 0).planDigest()));
        assertThat(image.reads().version(DEMO, V1).state()).isEqualTo(VersionState.FAILED);
        decided.changesNothing(new FailVersion(DEMO, V1, "late", old));
    }

    @Test
    void failureThatWasDecidedBeforeTheVersionWasPlannedAnewIsRejectedInReplay() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 0));
        var late =
                decided.entry(new FailVersion(DEMO, V1, "late", plan("p", 2, 0).planDigest()));
        decided.apply(new FailVersion(DEMO, V1, "x.jpg vanished"));
        decided.apply(new RetryVersion(DEMO, V1));
        decided.plan(V1, plan("p", 2, 0));
        assertThat(image.replay(late).applied()).isFalse();
        assertThat(image.reads().version(DEMO, V1).state()).isEqualTo(VersionState.BUILDING);
    }

    @Test
    void aFailedVersionKeepsItsFirstReason() {
        decided.begin("a");
        var failed = decided.apply(new FailVersion(DEMO, V1, "x.jpg changed"));
        assertThat(DecidedImage.types(failed)).containsExactly("tarpon.version.failed.v1");
        decided.changesNothing(new FailVersion(DEMO, V1, "y.jpg vanished"));
        assertThat(image.reads().version(DEMO, V1).reason()).isEqualTo("x.jpg changed");
    }

    @Test
    void aSealedVersionCannotFail() {
        sealVersion("a", "p");
        decided.refuses(new FailVersion(DEMO, V1, "late"), ProblemType.CONFLICT, "demo/v1 is sealed");
    }

    @Test
    void aRemovedVersionSaysThatItIsGone() {
        sealVersion("a", "p");
        var v2 = decided.begin("b");
        decided.plan(v2, plan("p", 1, 0));
        decided.refuses(new FailVersion(DEMO, v2, "late"), ProblemType.VERSION_REMOVED, "same plan as v1");
    }

    @Test
    void unknownNamesAreNamed() {
        decided.refuses(new FailVersion(DEMO, V1, "r"), ProblemType.UNKNOWN_DATASET, "demo");
        decided.begin("a");
        decided.refuses(new FailVersion(DEMO, new VersionId(9), "r"), ProblemType.UNKNOWN_VERSION, "v9");
    }

    @Test
    void moreShardsThanAnImageMayHoldAreRefusedAndAsManyAreNot() {
        var small = new DecidedImage(4, Long.MAX_VALUE);
        small.begin("a");
        small.plan(V1, plan("p", 2, 0));
        var v2 = small.begin("b");
        small.refuses(
                new PlanVersion(DEMO, v2, plan("q", 3, 0)),
                ProblemType.INSUFFICIENT_STORAGE,
                "tarpon.metadata.max-shards");
        small.plan(v2, plan("q", 2, 0));
        assertThat(small.image.reads().version(DEMO, v2).state()).isEqualTo(VersionState.BUILDING);
    }

    @Test
    void whoFindsNoSealedVersionIsToldWhatBecameOfTheNewest() {
        decided.begin("a");
        assertThatThrownBy(() -> image.reads().latest(DEMO))
                .hasMessageContaining("has no sealed version; its newest one, v1, is planning");
        decided.plan(V1, plan("p", 1, 0));
        decided.seal(ref(V1, TRAIN, 0), seal(0, "p"));
        decided.apply(new RemoveVersion(DEMO, V1));
        assertThatThrownBy(() -> image.reads().latest(DEMO))
                .hasMessageContaining("has no sealed version; its newest one, v1, is removed");
    }

    private void sealVersion(String requestId, String digestOf) {
        var version = decided.begin(requestId);
        decided.plan(version, plan(digestOf, 1, 0));
        decided.seal(ref(version, TRAIN, 0), seal(0, digestOf));
    }

    private static String hashOf(String hex) {
        return Digests.sha256Hex(HexFormat.of().parseHex(hex));
    }

    @Test
    void datasetsListTheirVersionsOldestFirst() {
        decided.apply(new RegisterDataset(DEMO, SPEC));
        sealVersion("a", "p");
        decided.begin("b");
        var record = image.reads().dataset(DEMO);
        assertThat(record.latest()).isEqualTo(V1);
        assertThat(record.spec()).isEqualTo(SPEC);
        assertThat(record.versions())
                .extracting(version -> version.version().number())
                .isEqualTo(List.of(1, 2));
    }
}
