package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.entry.Entry;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.VersionProgress;
import io.tarpon.wire.metadata.VersionState;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final VersionId V2 = new VersionId(2);

    private final DecidedImage decided = new DecidedImage();
    private final Image image = decided.image;

    @Test
    void theLastSealIsWhenABuildingVersionCameOn() {
        decided.begin("a");
        var planned = decided.now();
        decided.plan(V1, plan("p", 3, 0));
        assertThat(building()).containsExactly(new VersionProgress(DEMO, V1, VersionState.BUILDING, planned, 3, 0));
        var sealed = decided.now();
        decided.seal(ref(V1, TRAIN, 1), seal(1, "one"));
        assertThat(sealed).isAfter(planned);
        assertThat(building()).containsExactly(new VersionProgress(DEMO, V1, VersionState.BUILDING, sealed, 3, 1));
        assertThat(image.reads().longestStill(VersionState.BUILDING)).contains(sealed);
    }

    @Test
    void aVersionInPlanningCameOnWhenItBeganOrWasRetried() {
        decided.begin("a");
        decided.apply(new FailVersion(DEMO, V1, "gone"));
        assertThat(image.reads().inWork(VersionState.PLANNING, null, 10)).isEmpty();
        var retried = decided.now();
        decided.apply(new RetryVersion(DEMO, V1));
        assertThat(image.reads().inWork(VersionState.PLANNING, null, 10))
                .containsExactly(new VersionProgress(DEMO, V1, VersionState.PLANNING, retried, 0, 0));
    }

    @Test
    void aVersionThatEndedIsNotInWork() {
        decided.begin("a");
        decided.plan(V1, plan("p", 1, 0));
        decided.seal(ref(V1, TRAIN, 0), seal(0, "zero"));
        assertThat(building()).isEmpty();
        assertThat(image.reads().longestStill(VersionState.BUILDING)).isEmpty();
    }

    @Test
    void aSealStampedByASlowClockTakesNoProgressBack() {
        decided.begin("a");
        decided.plan(V1, plan("p", 2, 0));
        var before = building();
        var entry = decided.entry(new SealShard(ref(V1, TRAIN, 0), seal(0, "zero")));
        var early = entry.at().minus(Duration.ofHours(1));
        decided.replay(new Entry(entry.idempotenceKey(), early, entry.traceparent(), entry.guards(), entry.records()));
        assertThat(building()).hasSize(1);
        assertThat(building().getFirst().sealedShards()).isEqualTo(1);
        assertThat(building().getFirst().progressAt())
                .isEqualTo(before.getFirst().progressAt());
    }

    @Test
    void aPageBeginsAfterTheVersionNamed() {
        decided.begin("a");
        decided.begin("b");
        var planning = image.reads().inWork(VersionState.PLANNING, null, 1);
        assertThat(planning).extracting(VersionProgress::version).containsExactly(V1);
        assertThat(image.reads().inWork(VersionState.PLANNING, new VersionName(DEMO, V1), 10))
                .extracting(VersionProgress::version)
                .containsExactly(V2);
        assertThat(image.reads().inWork(VersionState.PLANNING, new VersionName(DEMO, V2), 10))
                .isEmpty();
    }

    private List<VersionProgress> building() {
        return image.reads().inWork(VersionState.BUILDING, null, 10);
    }
}
