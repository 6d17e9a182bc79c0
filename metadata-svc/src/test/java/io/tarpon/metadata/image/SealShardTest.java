package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.VAL;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SealShardTest {
    private final DecidedImage decided = new DecidedImage();
    private final Image image = decided.image;

    @BeforeEach
    void twoShardsArePlanned() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 0));
    }

    @Test
    void secondSealChangesNothing() {
        var seal = new SealShard(ref(V1, TRAIN, 0), seal(0, "a"));
        decided.apply(seal);
        decided.changesNothing(seal);
    }

    @Test
    void secondSealOfAFinishedVersionChangesNothing() {
        var seal = new SealShard(ref(V1, TRAIN, 0), seal(0, "a"));
        decided.apply(seal);
        decided.seal(ref(V1, TRAIN, 1), seal(1, "b"));
        decided.changesNothing(seal);
    }

    @Test
    void theFirstAttemptStaysWhateverALaterOneOfTheSameBytesSays() {
        var first = new SealShard(ref(V1, TRAIN, 0), seal(0, "a").by("000000000000000a"));
        decided.apply(first);
        decided.changesNothing(new SealShard(ref(V1, TRAIN, 0), seal(0, "a").by("000000000000000b")));
        decided.changesNothing(first);
        assertThat(image.reads().shard(ref(V1, TRAIN, 0)).sealed().attempt()).isEqualTo("000000000000000a");
    }

    @Test
    void otherContentIsAConflict() {
        decided.seal(ref(V1, TRAIN, 0), seal(0, "a"));
        decided.refuses(
                new SealShard(ref(V1, TRAIN, 0), seal(0, "b")), ProblemType.CONFLICT, "demo/v1/train/shard-000000");
    }

    @Test
    void aShardBuiltFromAnotherPlanIsRefused() {
        decided.refuses(new SealShard(ref(V1, TRAIN, 0), seal(1, "a")), ProblemType.CONFLICT, "planSha256");
    }

    @Test
    void aShardOfAnotherLengthIsRefused() {
        decided.refuses(new SealShard(ref(V1, TRAIN, 0), longer(seal(0, "a"))), ProblemType.CONFLICT, "bytes is 10241");
    }

    @Test
    void unknownSplitsAndShardsAreNamed() {
        decided.refuses(new SealShard(ref(V1, VAL, 0), seal(0, "a")), ProblemType.UNKNOWN_SPLIT, "val");
        decided.refuses(new SealShard(ref(V1, TRAIN, 2), seal(2, "a")), ProblemType.UNKNOWN_SHARD, "shard-000002");
    }

    @Test
    void aVersionThatIsNotPlannedTakesNoShard() {
        var v2 = decided.begin("b");
        decided.refuses(new SealShard(ref(v2, TRAIN, 0), seal(0, "a")), ProblemType.CONFLICT, "still planning");
    }

    @Test
    void aFailedVersionTakesNoShard() {
        decided.apply(new FailVersion(DEMO, V1, "x.jpg vanished"));
        decided.refuses(new SealShard(ref(V1, TRAIN, 0), seal(0, "a")), ProblemType.CONFLICT, "x.jpg vanished");
    }

    @Test
    void sealsOfDifferentShardsDoNotFight() {
        var first = decided.entry(new SealShard(ref(V1, TRAIN, 0), seal(0, "a")));
        var second = decided.entry(new SealShard(ref(V1, TRAIN, 1), seal(1, "b")));
        assertThat(decided.replay(first).applied()).isTrue();
        assertThat(decided.replay(second).applied()).isTrue();
        assertThat(image.reads().version(DEMO, V1).state()).isEqualTo(VersionState.SEALED);
    }

    @Test
    void aSealDecidedTwiceIsAppliedOnce() {
        var seal = decided.entry(new SealShard(ref(V1, TRAIN, 0), seal(0, "a")));
        decided.replay(seal);
        var again = decided.replay(seal);
        assertThat(again.applied()).isFalse();
        assertThat(again.events()).isEmpty();
        assertThat(image.revision()).isEqualTo(4);
        assertThat(image.rejected()).isEqualTo(1);
    }

    @Test
    void aSealDecidedBeforeItsVersionFailedIsRejected() {
        var seal = decided.entry(new SealShard(ref(V1, TRAIN, 0), seal(0, "a")));
        decided.apply(new FailVersion(DEMO, V1, "x.jpg vanished"));
        assertThat(decided.replay(seal).applied()).isFalse();
    }

    @Test
    void aFailureDecidedBeforeTheLastSealIsRejected() {
        decided.seal(ref(V1, TRAIN, 0), seal(0, "a"));
        var failure = decided.entry(new FailVersion(DEMO, V1, "cancelled"));
        decided.seal(ref(V1, TRAIN, 1), seal(1, "b"));
        assertThat(decided.replay(failure).applied()).isFalse();
        assertThat(image.reads().version(DEMO, V1).state()).isEqualTo(VersionState.SEALED);
    }

    @Test
    void blocksThatGoBackAreRefused() {
        var seal = seal(0, "a");
        var bad = new io.tarpon.wire.metadata.SealShard(
                seal.planSha256(),
                seal.samples(),
                seal.bytes(),
                seal.sha256(),
                seal.crc32c(),
                seal.indexBytes(),
                seal.indexSha256(),
                seal.fields(),
                List.of(0, 5, 4));
        assertThatThrownBy(() -> new SealShard(ref(V1, TRAIN, 0), bad))
                .isInstanceOf(TarponException.class)
                .hasMessageContaining("blocks[2]");
    }

    @Test
    void pagesGoThroughTheShardsInOrder() {
        var first = image.reads().shards(DEMO, V1, TRAIN, 0, 1);
        assertThat(first.shards()).hasSize(1);
        assertThat(String.valueOf(first.next())).isEqualTo("shard-000000");
        var second = image.reads().shards(DEMO, V1, TRAIN, 1, 1);
        assertThat(second.shards().getFirst().name().index()).isEqualTo(1);
        assertThat(second.next()).isNull();
        assertThat(image.reads().shards(DEMO, V1, TRAIN, 7, 1).shards()).isEmpty();
    }

    private static io.tarpon.wire.metadata.SealShard longer(io.tarpon.wire.metadata.SealShard seal) {
        return new io.tarpon.wire.metadata.SealShard(
                seal.planSha256(),
                seal.samples(),
                seal.bytes() + 1,
                seal.sha256(),
                seal.crc32c(),
                seal.indexBytes(),
                seal.indexSha256(),
                seal.fields(),
                seal.blocks());
    }
}
