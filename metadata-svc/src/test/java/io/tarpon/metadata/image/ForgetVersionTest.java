package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.GROWING;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.VersionRecord;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ForgetVersionTest {
    private static final VersionId V2 = new VersionId(2);

    private DecidedImage decided = new DecidedImage();
    private Image image = decided.image;

    @Test
    void aCollectedVersionIsForgottenAndItsNumberStaysUsedUp() {
        var collected = collect("a");
        decided.changesNothing(new ForgetVersion(DEMO, V1, collected.minusMillis(1)));
        assertThat(image.reads().forgettable(collected.minusMillis(1), 10)).isEmpty();
        assertThat(image.reads().forgettable(collected, 10)).containsExactly(new VersionName(DEMO, V1));
        decided.apply(new ForgetVersion(DEMO, V1, collected));
        decided.changesNothing(new ForgetVersion(DEMO, V1, collected));
        decided.refuses(new RemoveVersion(DEMO, V1), ProblemType.UNKNOWN_VERSION, "v1");
        assertThat(image.reads().dataset(DEMO).versions()).isEmpty();
        assertThat(decided.begin("b")).isEqualTo(V2);
        assertThat(image.reads().dataset(DEMO).versions())
                .extracting(VersionRecord::version)
                .containsExactly(V2);
    }

    @Test
    void aVersionThatIsNotCollectedIsNotForgotten() {
        decided.begin("a");
        decided.changesNothing(new ForgetVersion(DEMO, V1, decided.now()));
        decided.apply(new FailVersion(DEMO, V1, "gone"));
        decided.apply(new RemoveVersion(DEMO, V1));
        decided.changesNothing(new ForgetVersion(DEMO, V1, decided.now()));
    }

    @Test
    void aForgottenRequestBeginsAnotherVersion() {
        var collected = collect("a");
        decided.changesNothing(new BeginVersion(DEMO, "a", SPEC));
        decided.apply(new ForgetVersion(DEMO, V1, collected));
        assertThat(decided.begin("a")).isEqualTo(V2);
    }

    /// Decided before the request had a version, and again it has none when it is replayed: but it had one.
    @Test
    void aBeginDecidedBeforeItsRequestCameAndWasForgottenIsRejected() {
        var late = decided.entry(new BeginVersion(DEMO, "a", SPEC));
        var collected = collect("a");
        decided.apply(new ForgetVersion(DEMO, V1, collected));
        assertThat(decided.replay(late).applied()).isFalse();
        assertThat(image.reads().dataset(DEMO).versions()).isEmpty();
    }

    @Test
    void aFailedVersionWhoseParentIsForgottenIsRetriedFromTheLatestBeforeIt() {
        decided.begin("a");
        decided.plan(V1, plan("p", 1, 0));
        decided.seal(ref(V1, TRAIN, 0), seal(0, "zero"));
        decided.apply(new BeginVersion(DEMO, "b", GROWING));
        assertThat(image.reads().version(DEMO, V2).parent()).isEqualTo(V1);
        decided.apply(new FailVersion(DEMO, V2, "gone"));
        decided.apply(new RemoveVersion(DEMO, V1));
        decided.apply(new CollectVersion(DEMO, V1));
        decided.apply(new ForgetVersion(DEMO, V1, decided.now()));
        decided.apply(new RetryVersion(DEMO, V2));
        assertThat(image.reads().version(DEMO, V2).parent()).isNull();
    }

    @Test
    void asManyVersionsAsMayBeAreKnownAndOneMoreOnceOneIsForgotten() {
        decided = new DecidedImage(Long.MAX_VALUE, 2);
        image = decided.image;
        var collected = collect("a");
        decided.begin("b");
        decided.refuses(new BeginVersion(DEMO, "c", SPEC), ProblemType.INSUFFICIENT_STORAGE, "tarpon gc");
        decided.apply(new ForgetVersion(DEMO, V1, collected));
        assertThat(decided.begin("c").number()).isEqualTo(3);
    }

    /// Version 1, begun for the request. Returns when it was collected.
    private Instant collect(String requestId) {
        decided.begin(requestId);
        decided.apply(new FailVersion(DEMO, V1, "gone"));
        decided.apply(new RemoveVersion(DEMO, V1));
        var collected = decided.now();
        decided.apply(new CollectVersion(DEMO, V1));
        return collected;
    }
}
