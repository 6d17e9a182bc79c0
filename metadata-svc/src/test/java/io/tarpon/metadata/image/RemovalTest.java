package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.GROWING;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.keeping;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.Remains.Content;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RemovalTest {
    private static final VersionId V2 = new VersionId(2);

    private final DecidedImage decided = new DecidedImage();
    private final Image image = decided.image;

    @Test
    void aRemovedVersionIsNotTheLatestAndItsNumberStaysUsedUp() {
        sealOne("a", "p");
        sealOne("b", "q");
        var replayed = decided.apply(new RemoveVersion(DEMO, V2));
        assertThat(DecidedImage.types(replayed)).containsExactly("tarpon.version.removed.v1");
        assertThat(version(V2).state()).isEqualTo(VersionState.REMOVED);
        assertThat(version(V2).reason()).isEqualTo("removed on request");
        assertThat(image.reads().latest(DEMO).version()).isEqualTo(V1);
        assertThat(decided.begin("c")).isEqualTo(new VersionId(3));
        decided.apply(new RemoveVersion(DEMO, V1));
        assertThatThrownBy(() -> image.reads().latest(DEMO))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.UNKNOWN_VERSION));
    }

    @Test
    void removingAgainChangesNothing() {
        sealOne("a", "p");
        decided.apply(new RemoveVersion(DEMO, V1));
        decided.changesNothing(new RemoveVersion(DEMO, V1));
    }

    @Test
    void aVersionInWorkIsCancelledFirst() {
        decided.begin("a");
        decided.refuses(new RemoveVersion(DEMO, V1), ProblemType.CONFLICT, "tarpon cancel demo@v1");
        decided.plan(V1, plan("p", 1, 0));
        decided.refuses(new RemoveVersion(DEMO, V1), ProblemType.CONFLICT, "tarpon cancel demo@v1");
        decided.apply(new FailVersion(DEMO, V1, "cancelled"));
        decided.apply(new RemoveVersion(DEMO, V1));
        assertThat(version(V1).state()).isEqualTo(VersionState.REMOVED);
    }

    @Test
    void theRequestOfARemovedVersionStillHasIt() {
        sealOne("a", "p");
        decided.apply(new RemoveVersion(DEMO, V1));
        decided.changesNothing(new BeginVersion(DEMO, "a", SPEC));
    }

    @Test
    void thePlanOfARemovedVersionIsBuiltAgain() {
        sealOne("a", "p");
        decided.apply(new RemoveVersion(DEMO, V1));
        decided.begin("b");
        decided.plan(V2, plan("p", 1, 0));
        assertThat(version(V2).state()).isEqualTo(VersionState.BUILDING);
    }

    @Test
    void aPlanDecidedBeforeItsTwinWasRemovedIsRejected() {
        sealOne("a", "p");
        decided.begin("b");
        var same = decided.entry(new PlanVersion(DEMO, V2, plan("p", 1, 0)));
        decided.apply(new RemoveVersion(DEMO, V1));
        assertThat(decided.replay(same).applied()).isFalse();
    }

    @Test
    void aDatasetGoesWithAllItsVersions() {
        decided.apply(new RegisterDataset(DEMO, SPEC));
        sealOne("a", "p");
        decided.begin("b");
        decided.refuses(new RemoveDataset(DEMO), ProblemType.CONFLICT, "tarpon cancel demo@v2");
        decided.apply(new FailVersion(DEMO, V2, "cancelled"));
        var replayed = decided.apply(new RemoveDataset(DEMO));
        assertThat(replayed.events())
                .extracting(event -> event.event().type() + " " + event.event().subject())
                .containsExactly("tarpon.version.removed.v1 demo/v1", "tarpon.version.removed.v1 demo/v2");
        var record = image.reads().dataset(DEMO);
        assertThat(record.spec()).isNull();
        assertThat(record.latest()).isNull();
        assertThat(record.versions()).extracting(VersionRecord::state).containsOnly(VersionState.REMOVED);
        decided.changesNothing(new RemoveDataset(DEMO));
        assertThat(decided.begin("c")).isEqualTo(new VersionId(3));
    }

    @Test
    void aDatasetsRemovalDecidedBeforeAVersionBeganIsRejected() {
        sealOne("a", "p");
        var late = decided.entry(new RemoveDataset(DEMO));
        decided.begin("b");
        assertThat(decided.replay(late).applied()).isFalse();
    }

    @Test
    void aFailedVersionExpiresAndOnlyThatLongAgo() {
        decided.begin("a");
        var failedAt = decided.now();
        decided.apply(new FailVersion(DEMO, V1, "x.jpg vanished"));
        assertThat(image.reads().failed(failedAt.minusMillis(1), 10)).isEmpty();
        assertThat(image.reads().failed(failedAt, 10)).containsExactly(new VersionName(DEMO, V1));
        decided.changesNothing(new ExpireVersion(DEMO, V1, failedAt.minusMillis(1)));
        var expired = decided.apply(new ExpireVersion(DEMO, V1, failedAt));
        assertThat(DecidedImage.types(expired)).containsExactly("tarpon.version.removed.v1");
        assertThat(version(V1).reason()).isEqualTo("failed and expired");
        decided.changesNothing(new ExpireVersion(DEMO, V1, failedAt));
    }

    @Test
    void aRetriedVersionDoesNotExpire() {
        decided.begin("a");
        var failedAt = decided.now();
        decided.apply(new FailVersion(DEMO, V1, "x.jpg vanished"));
        var late = decided.entry(new ExpireVersion(DEMO, V1, failedAt));
        decided.apply(new RetryVersion(DEMO, V1));
        assertThat(decided.replay(late).applied()).isFalse();
        decided.changesNothing(new ExpireVersion(DEMO, V1, failedAt));
    }

    @Test
    void aCollectedVersionHasNoShardAndKeepsItsSums() {
        var small = new DecidedImage(1, Long.MAX_VALUE);
        small.begin("a");
        small.plan(V1, plan("p", 1, 0));
        small.seal(ref(V1, TRAIN, 0), seal(0, "p"));
        small.refuses(new CollectVersion(DEMO, V1), ProblemType.CONFLICT, "it is sealed");
        small.apply(new RemoveVersion(DEMO, V1));
        assertThat(small.image.reads().shard(ref(V1, TRAIN, 0)).seal())
                .as("open reads still need it")
                .isNotNull();
        var collected = small.apply(new CollectVersion(DEMO, V1));
        assertThat(collected.events()).isEmpty();
        small.changesNothing(new CollectVersion(DEMO, V1));
        assertThatThrownBy(() -> small.image.reads().shard(ref(V1, TRAIN, 0)))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.VERSION_REMOVED));
        assertThatThrownBy(() -> small.image.reads().shards(DEMO, V1, TRAIN, 0, 1))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(ProblemType.VERSION_REMOVED));
        assertThat(small.image.reads().version(DEMO, V1).bytes()).isEqualTo(10_240);
        small.begin("b");
        small.plan(V2, plan("q", 1, 0));
        assertThat(small.image.reads().version(DEMO, V2).state())
                .as("there is room again")
                .isEqualTo(VersionState.BUILDING);
    }

    @Test
    void aVersionWhoseShardsAreKeptIsCollectedAfterItsLastUser() {
        sealOne("a", "p");
        decided.apply(new BeginVersion(DEMO, "b", GROWING));
        decided.plan(V2, keeping(plan("q", 1, 0)));
        decided.apply(new RemoveVersion(DEMO, V1));
        decided.refuses(new CollectVersion(DEMO, V1), ProblemType.CONFLICT, "demo/v2 uses shards of it");
        var doomed = Set.of(new VersionName(DEMO, V1));
        assertThat(image.reads().remains().homesInUse(doomed))
                .isEqualTo(Map.of(ref(V1, TRAIN, 0), new VersionName(DEMO, V2)));
        decided.apply(new RemoveVersion(DEMO, V2));
        assertThat(image.reads().remains().homesInUse(doomed))
                .as("a removed version whose reads are still open counts as well")
                .hasSize(1);
        assertThat(image.reads().remains().homesInUse(Set.of(new VersionName(DEMO, V1), new VersionName(DEMO, V2))))
                .isEmpty();
        decided.apply(new CollectVersion(DEMO, V1));
    }

    @Test
    void remainsNameWhoIsRemovedAndWhoseParentTheyAre() {
        sealOne("a", "p");
        decided.apply(new BeginVersion(DEMO, "b", GROWING));
        var removedAt = decided.now();
        decided.apply(new RemoveVersion(DEMO, V1));
        assertThat(image.reads().remains().removed())
                .containsExactly(
                        new Remains.Removed(new VersionName(DEMO, V1), removedAt, false, new VersionName(DEMO, V2)));
        decided.apply(new FailVersion(DEMO, V2, "cancelled"));
        assertThat(image.reads().remains().removed())
                .containsExactly(new Remains.Removed(new VersionName(DEMO, V1), removedAt, false, null));
    }

    @Test
    void contentsComeInPagesThroughAllSplits() {
        decided.begin("a");
        decided.plan(V1, plan("p", 3, 2));
        decided.seal(ref(V1, TRAIN, 0), seal(0, "t0"));
        decided.seal(ref(V1, TRAIN, 2), seal(2, "t2"));
        decided.seal(ref(V1, io.tarpon.metadata.Fixtures.VAL, 1), seal(1, "v1"));
        var name = new VersionName(DEMO, V1);
        var remains = image.reads().remains();
        var first = remains.contents(name, 0, 2);
        var second = remains.contents(name, 2, 2);
        var third = remains.contents(name, 4, 2);
        assertThat(first.contents()).containsExactly(content("t0"));
        assertThat(second.contents()).containsExactly(content("t2"));
        assertThat(third.contents()).containsExactly(content("v1"));
        assertThat(first.more()).isTrue();
        assertThat(second.more()).isTrue();
        assertThat(third.more()).isFalse();
    }

    private static Content content(String of) {
        return new Content(io.tarpon.metadata.Fixtures.sha(of), 4);
    }

    private void sealOne(String requestId, String digestOf) {
        var version = decided.begin(requestId);
        decided.plan(version, plan(digestOf, 1, 0));
        decided.seal(ref(version, TRAIN, 0), seal(0, digestOf));
    }

    private VersionRecord version(VersionId version) {
        return image.reads().version(DEMO, version);
    }

    @Test
    void datasetOfManyVersionsIsRemovedEntryByEntry() throws Exception {
        for (int i = 1; i <= 2_500; i++) {
            var version = decided.begin("request " + i);
            decided.apply(new FailVersion(DEMO, version, "why"));
        }
        var command = new RemoveDataset(DEMO);
        var more = Integer.MAX_VALUE;
        while (more > 0) {
            var left = ((Decision.Append) image.decide(command)).more();
            assertThat(left).isLessThan(more);
            more = left;
            var entry = decided.entry(command);
            assertThat(EntryFormat.encode(entry).length).isLessThan(MetadataLog.MAX_ENTRY_BYTES);
            assertThat(decided.replay(entry).applied()).isTrue();
        }
        decided.changesNothing(command);
        assertThat(image.reads().count(VersionState.REMOVED)).isEqualTo(2_500);
    }
}
