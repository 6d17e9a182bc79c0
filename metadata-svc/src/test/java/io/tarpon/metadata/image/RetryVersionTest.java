package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.GROWING;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.VAL;
import static io.tarpon.metadata.Fixtures.forced;
import static io.tarpon.metadata.Fixtures.keeping;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import org.junit.jupiter.api.Test;

class RetryVersionTest {
    private final DecidedImage decided = new DecidedImage();
    private final Image image = decided.image;

    @Test
    void aFailedVersionIsPlannedAgain() {
        failAfterOneShard();
        var replayed = decided.apply(new RetryVersion(DEMO, V1));
        assertThat(replayed.events()).isEmpty();
        var record = version(V1);
        assertThat(record.state()).isEqualTo(VersionState.PLANNING);
        assertThat(record.reason()).isNull();
        assertThat(record.planDigest()).isNull();
        assertThat(record.inputs()).isEqualTo(Inputs.NONE);
        assertThat(record.splits()).isEmpty();
        assertThat(record.requestId()).isEqualTo("a");
        assertThat(record.spec()).isEqualTo(SPEC);
    }

    @Test
    void retryingAgainChangesNothing() {
        failAfterOneShard();
        decided.apply(new RetryVersion(DEMO, V1));
        decided.changesNothing(new RetryVersion(DEMO, V1));
        decided.plan(V1, plan("p", 2, 0));
        decided.changesNothing(new RetryVersion(DEMO, V1));
    }

    @Test
    void ofTwoRetriesDecidedAtOnceTheSecondIsRejected() {
        failAfterOneShard();
        var first = decided.entry(new RetryVersion(DEMO, V1));
        var second = decided.entry(new RetryVersion(DEMO, V1));
        assertThat(decided.replay(first).applied()).isTrue();
        assertThat(decided.replay(second).applied()).isFalse();
    }

    @Test
    void whatWasSealedFromTheSamePlanStaysSealed() {
        failAfterOneShard();
        decided.apply(new RetryVersion(DEMO, V1));
        var replayed = decided.plan(V1, plan("p", 2, 1));
        assertThat(DecidedImage.types(replayed)).containsExactly("tarpon.version.planned.v1");
        assertThat(image.reads().shard(ref(V1, TRAIN, 0)).seal()).isEqualTo(seal(0, "a"));
        assertThat(image.reads().shard(ref(V1, TRAIN, 0)).home()).isNull();
        assertThat(image.reads().shard(ref(V1, VAL, 0)).seal())
                .as("a name in another split is another shard")
                .isNull();
        decided.changesNothing(new SealShard(ref(V1, TRAIN, 0), seal(0, "a")));
        decided.seal(ref(V1, TRAIN, 1), seal(1, "b"));
        decided.seal(ref(V1, VAL, 0), seal(0, "c"));
        assertThat(version(V1).state()).isEqualTo(VersionState.SEALED);
    }

    @Test
    void aVersionThatWasForcedAndIsRetriedIsNotTheSameAsTheOneBefore() {
        var second = new VersionId(2);
        decided.begin("a");
        decided.plan(V1, plan("p", 1, 0));
        decided.seal(ref(V1, TRAIN, 0), seal(0, "a"));
        decided.begin("b");
        decided.plan(second, forced(plan("p", 1, 0)));
        decided.apply(new FailVersion(DEMO, second, "the disk was full"));
        decided.apply(new RetryVersion(DEMO, second));
        decided.plan(second, plan("p", 1, 0));
        assertThat(version(second).state()).isEqualTo(VersionState.BUILDING);
        assertThat(version(second).sameAs()).isNull();
    }

    @Test
    void whatComesOutOfTheNewPlanOtherwiseIsBuiltAgain() {
        failAfterOneShard();
        decided.apply(new RetryVersion(DEMO, V1));
        var swapped = plan("q", 2, 0);
        var shards = swapped.splits().getFirst().shards();
        var other = new io.tarpon.wire.metadata.PlannedShard(
                shards.get(0).name(),
                shards.get(0).samples(),
                shards.get(0).bytes(),
                shards.get(1).planSha256());
        decided.plan(
                V1,
                new io.tarpon.wire.metadata.PlanVersion(
                        swapped.planDigest(),
                        false,
                        swapped.inputs(),
                        java.util.List.of(new io.tarpon.wire.metadata.PlannedSplit(TRAIN, java.util.List.of(other)))));
        assertThat(image.reads().shard(ref(V1, TRAIN, 0)).seal()).isNull();
        decided.apply(new FailVersion(DEMO, V1, "again"));
        decided.apply(new RetryVersion(DEMO, V1));
        decided.plan(V1, plan("p", 2, 0));
        assertThat(image.reads().shard(ref(V1, TRAIN, 0)).seal())
                .as("its object may have been written over")
                .isNull();
    }

    @Test
    void aVersionThatFailsBeforeItsNewPlanStillKnowsWhatItHadSealed() {
        failAfterOneShard();
        decided.apply(new RetryVersion(DEMO, V1));
        decided.apply(new FailVersion(DEMO, V1, "the source was away"));
        decided.apply(new RetryVersion(DEMO, V1));
        decided.plan(V1, plan("p", 1, 0));
        assertThat(version(V1).state()).as("every shard was sealed before").isEqualTo(VersionState.SEALED);
    }

    @Test
    void aSealDecidedBeforeTheVersionFailedIsRejectedAfterItsNewPlan() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 0));
        var late = decided.entry(new SealShard(ref(V1, TRAIN, 0), seal(0, "late")));
        decided.apply(new FailVersion(DEMO, V1, "x.jpg vanished"));
        decided.apply(new RetryVersion(DEMO, V1));
        assertThat(decided.replay(late).applied()).isFalse();
        decided.plan(V1, plan("p", 2, 0));
        assertThat(decided.replay(late).applied()).isFalse();
    }

    @Test
    void aFailureDecidedBeforeTheRetryIsRejected() {
        decided.begin("a");
        var late = decided.entry(new FailVersion(DEMO, V1, "late"));
        decided.apply(new FailVersion(DEMO, V1, "x.jpg vanished"));
        decided.apply(new RetryVersion(DEMO, V1));
        assertThat(decided.replay(late).applied()).isFalse();
    }

    @Test
    void aSealedVersionAndARemovedOneAreNotRetried() {
        failAfterOneShard();
        decided.apply(new RetryVersion(DEMO, V1));
        decided.plan(V1, plan("p", 1, 0));
        decided.refuses(new RetryVersion(DEMO, V1), ProblemType.CONFLICT, "demo/v1 is sealed");
        decided.apply(new RemoveVersion(DEMO, V1));
        decided.refuses(new RetryVersion(DEMO, V1), ProblemType.VERSION_REMOVED, "removed on request");
    }

    @Test
    void theParentStaysUnlessItWasRemoved() {
        sealOne("a", "p");
        sealOne("b", "q");
        decided.apply(new BeginVersion(DEMO, "c", GROWING));
        var v3 = new VersionId(3);
        sealOne("d", "r");
        decided.apply(new FailVersion(DEMO, v3, "x"));
        decided.apply(new RetryVersion(DEMO, v3));
        assertThat(version(v3).parent()).isEqualTo(new VersionId(2));
        decided.apply(new FailVersion(DEMO, v3, "x"));
        decided.apply(new RemoveVersion(DEMO, new VersionId(2)));
        decided.apply(new RetryVersion(DEMO, v3));
        assertThat(version(v3).parent()).as("the latest before it").isEqualTo(V1);
        decided.apply(new FailVersion(DEMO, v3, "x"));
        decided.apply(new RemoveVersion(DEMO, V1));
        decided.apply(new RetryVersion(DEMO, v3));
        assertThat(version(v3).parent()).isNull();
    }

    @Test
    void keptShardsOfAFailedVersionStayWhereTheyLie() {
        sealOne("a", "p");
        decided.apply(new BeginVersion(DEMO, "b", GROWING));
        var v2 = new VersionId(2);
        decided.plan(v2, keeping(plan("q", 2, 0), 1));
        decided.apply(new FailVersion(DEMO, v2, "x.jpg vanished"));
        decided.apply(new RemoveVersion(DEMO, V1));
        decided.apply(new RetryVersion(DEMO, v2));
        decided.refuses(new CollectVersion(DEMO, V1), ProblemType.CONFLICT, "demo/v2 uses shards of it");
        decided.plan(v2, plan("q", 2, 0));
        assertThat(image.reads().shard(ref(v2, TRAIN, 0)).home()).isEqualTo(ref(V1, TRAIN, 0));
        decided.refuses(new CollectVersion(DEMO, V1), ProblemType.CONFLICT, "demo/v2 uses shards of it");
    }

    @Test
    void rememberedShardsCountAsShards() {
        var small = new DecidedImage(3, Long.MAX_VALUE);
        small.begin("a");
        small.plan(V1, plan("p", 3, 0));
        small.seal(ref(V1, TRAIN, 0), seal(0, "a"));
        small.apply(new FailVersion(DEMO, V1, "x"));
        small.apply(new RetryVersion(DEMO, V1));
        var v2 = small.begin("b");
        small.refuses(
                new PlanVersion(DEMO, v2, plan("q", 3, 0)),
                ProblemType.INSUFFICIENT_STORAGE,
                "tarpon.metadata.max-shards");
        small.plan(V1, plan("p", 3, 0));
        assertThat(version(small, V1).splits().getFirst().sealedShards()).isEqualTo(1);
        assertThat(small.image.shards).isEqualTo(3);
    }

    private void failAfterOneShard() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 0));
        decided.seal(ref(V1, TRAIN, 0), seal(0, "a"));
        decided.apply(new FailVersion(DEMO, V1, "x.jpg vanished"));
    }

    private void sealOne(String requestId, String digestOf) {
        var version = decided.begin(requestId);
        decided.plan(version, plan(digestOf, 1, 0));
        decided.seal(ref(version, TRAIN, 0), seal(0, digestOf));
    }

    private VersionRecord version(VersionId version) {
        return version(decided, version);
    }

    private static VersionRecord version(DecidedImage of, VersionId version) {
        return of.image.reads().version(DEMO, version);
    }
}
