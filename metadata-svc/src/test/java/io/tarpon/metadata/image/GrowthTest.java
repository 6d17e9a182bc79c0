package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.GROWING;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.VAL;
import static io.tarpon.metadata.Fixtures.keeping;
import static io.tarpon.metadata.Fixtures.kept;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.ShardName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GrowthTest {
    private static final VersionId V2 = new VersionId(2);
    private static final VersionId V3 = new VersionId(3);

    private final DecidedImage decided = new DecidedImage();
    private final Image image = decided.image;

    @BeforeEach
    void theFirstVersionIsSealed() {
        decided.apply(new BeginVersion(DEMO, "a", GROWING));
        decided.plan(V1, plan("p", 2, 1));
        decided.seal(ref(V1, TRAIN, 0), seal(0, "a"));
        decided.seal(ref(V1, TRAIN, 1), seal(1, "b"));
        decided.seal(ref(V1, VAL, 0), seal(0, "c"));
    }

    @Test
    void theFirstVersionHasNoParent() {
        assertThat(version(V1).parent()).isNull();
    }

    @Test
    void aVersionThatGrowsHasTheLatestSealedOneAsItsParentFromItsBeginning() {
        grow("b");
        grow("c");
        decided.plan(V2, plan("q", 1, 0));
        decided.seal(ref(V2, TRAIN, 0), seal(0, "q"));
        assertThat(version(V2).parent()).isEqualTo(V1);
        assertThat(version(V3).parent()).as("pinned before v2 was sealed").isEqualTo(V1);
        grow("d");
        assertThat(version(new VersionId(4)).parent()).isEqualTo(V2);
    }

    @Test
    void aVersionThatDoesNotGrowHasNoParent() {
        decided.begin("b");
        assertThat(version(V2).parent()).isNull();
    }

    @Test
    void aBeginningDecidedBeforeAnotherVersionWasSealedIsRejectedOnlyIfItGrows() {
        grow("b");
        decided.plan(V2, plan("q", 1, 0));
        var growing = decided.entry(new BeginVersion(DEMO, "c", GROWING));
        var planned = decided.entry(new BeginVersion(DEMO, "d", SPEC));
        decided.seal(ref(V2, TRAIN, 0), seal(0, "q"));
        assertThat(decided.replay(growing).applied()).isFalse();
        assertThat(decided.replay(planned).applied()).isTrue();
    }

    @Test
    void keptShardsAreSealedWithThePlanAndLieWhereTheParentsLie() {
        grow("b");
        var replayed = decided.plan(V2, keeping(plan("q", 3, 1), 2));
        assertThat(DecidedImage.types(replayed)).as("nothing was built").containsExactly("tarpon.version.planned.v1");
        var record = image.reads().shard(ref(V2, TRAIN, 1));
        assertThat(record.seal()).isEqualTo(seal(1, "b"));
        assertThat(record.home()).isEqualTo(ref(V1, TRAIN, 1));
        assertThat(image.reads().shard(ref(V2, TRAIN, 2)).seal()).isNull();
        assertThat(version(V2).splits().getFirst().sealedShards()).isEqualTo(2);
        var last = decided.seal(ref(V2, TRAIN, 2), seal(2, "new"));
        assertThat(DecidedImage.types(last)).containsExactly("tarpon.shard.sealed.v1", "tarpon.version.sealed.v1");
        assertThat(image.reads().shard(ref(V2, TRAIN, 2)).home()).isNull();
    }

    @Test
    void aHomeIsTheShardThatWasBuiltHoweverManyVersionsKeepIt() {
        grow("b");
        decided.plan(V2, keeping(plan("q", 3, 1), 2));
        decided.seal(ref(V2, TRAIN, 2), seal(2, "new"));
        grow("c");
        decided.plan(V3, keeping(plan("r", 3, 1)));
        assertThat(image.reads().shards(DEMO, V3, TRAIN, 0, 3).shards())
                .extracting(ShardRecord::home)
                .containsExactly(ref(V1, TRAIN, 0), ref(V1, TRAIN, 1), ref(V2, TRAIN, 2));
    }

    @Test
    void aVersionThatOnlyKeepsIsSealedWithItsPlan() {
        grow("b");
        var replayed = decided.plan(V2, keeping(plan("q", 2, 1)));
        assertThat(DecidedImage.types(replayed))
                .containsExactly("tarpon.version.planned.v1", "tarpon.version.sealed.v1");
        assertThat(version(V2).state()).isEqualTo(VersionState.SEALED);
        assertThat(version(V2).digest()).as("same bytes").isEqualTo(version(V1).digest());
        assertThat(image.reads().latest(DEMO).version()).isEqualTo(V2);
        decided.changesNothing(new PlanVersion(DEMO, V2, keeping(plan("q", 2, 1))));
    }

    @Test
    void aShardMayBeKeptUnderAnotherName() {
        grow("b");
        var first = plan("q", 2, 0).splits().getFirst().shards().get(1);
        var planned =
                new PlannedShard(new ShardName(0), first.samples(), first.bytes(), first.planSha256(), first.name());
        decided.apply(new PlanVersion(DEMO, V2, only(planned)));
        assertThat(image.reads().shard(ref(V2, TRAIN, 0)).home()).isEqualTo(ref(V1, TRAIN, 1));
    }

    @Test
    void thePlanOfTheParentGivesTheParentBackWhateverItKeeps() {
        grow("b");
        decided.plan(V2, keeping(plan("p", 2, 1)));
        assertThat(version(V2).state()).isEqualTo(VersionState.REMOVED);
        assertThat(version(V2).sameAs()).isEqualTo(V1);
    }

    @Test
    void aVersionWithoutAParentKeepsNothing() {
        decided.begin("b");
        decided.refuses(
                new PlanVersion(DEMO, V2, keeping(plan("q", 2, 1))), ProblemType.CONFLICT, "demo/v2 has no parent");
    }

    @Test
    void whatTheParentDoesNotHaveIsNotKept() {
        grow("b");
        decided.refuses(new PlanVersion(DEMO, V2, keeping(plan("q", 3, 1))), ProblemType.CONFLICT, "shard-000002");
    }

    @Test
    void whatIsNotTheParentsShardIsNotKept() {
        grow("b");
        var shard = plan("q", 1, 0).splits().getFirst().shards().getFirst();
        decided.refuses(
                new PlanVersion(DEMO, V2, only(kept(shard, new ShardName(1)))), ProblemType.CONFLICT, "planSha256");
        var longer =
                new PlannedShard(shard.name(), shard.samples(), shard.bytes() + 1, shard.planSha256(), shard.name());
        decided.refuses(new PlanVersion(DEMO, V2, only(longer)), ProblemType.CONFLICT, "bytes");
        var more = new PlannedShard(shard.name(), shard.samples() + 1, shard.bytes(), shard.planSha256(), shard.name());
        decided.refuses(
                new PlanVersion(DEMO, V2, only(more)),
                ProblemType.CONFLICT,
                "demo/v2/train/shard-000000 is not the kept");
    }

    @Test
    void aShardIsKeptOnce() {
        grow("b");
        var shards = plan("q", 2, 0).splits().getFirst().shards();
        var planned = List.of(
                kept(shards.get(0), shards.get(0).name()),
                new PlannedShard(
                        new ShardName(1),
                        shards.get(0).samples(),
                        shards.get(0).bytes(),
                        shards.get(0).planSha256(),
                        shards.get(0).name()));
        decided.refuses(
                new PlanVersion(DEMO, V2, only(planned.toArray(PlannedShard[]::new))),
                ProblemType.CONFLICT,
                "another one keeps already");
    }

    @Test
    void aRemovedParentKeepsNothingForItsChildren() {
        grow("b");
        decided.apply(new RemoveVersion(DEMO, V1));
        decided.refuses(
                new PlanVersion(DEMO, V2, keeping(plan("q", 2, 1))), ProblemType.CONFLICT, "demo/v1, which is removed");
    }

    @Test
    void aPlanDecidedBeforeItsParentWasRemovedIsRejected() {
        grow("b");
        var planned = decided.entry(new PlanVersion(DEMO, V2, keeping(plan("q", 2, 1))));
        decided.apply(new RemoveVersion(DEMO, V1));
        assertThat(decided.replay(planned).applied()).isFalse();
    }

    private static io.tarpon.wire.metadata.PlanVersion only(PlannedShard... shards) {
        var plan = plan("q", 1, 0);
        return new io.tarpon.wire.metadata.PlanVersion(
                plan.planDigest(), false, plan.inputs(), List.of(new PlannedSplit(TRAIN, List.of(shards))));
    }

    private void grow(String requestId) {
        decided.apply(new BeginVersion(DEMO, requestId, GROWING));
    }

    private VersionRecord version(VersionId version) {
        return image.reads().version(DEMO, version);
    }
}
