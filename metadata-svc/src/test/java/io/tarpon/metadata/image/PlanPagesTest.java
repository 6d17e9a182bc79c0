package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.GROWING;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.VAL;
import static io.tarpon.metadata.Fixtures.forced;
import static io.tarpon.metadata.Fixtures.keeping;
import static io.tarpon.metadata.Fixtures.named;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.PlannedSplit;
import io.tarpon.wire.metadata.ShardRecord;
import io.tarpon.wire.metadata.VersionState;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Plans that go into the log page by page.
class PlanPagesTest {
    private static final VersionId V2 = new VersionId(2);
    /// Of two shards of these plans.
    private static final int PAGE_BYTES = 400;

    private final DecidedImage decided = DecidedImage.ofToday(Long.MAX_VALUE);
    private final Image image = decided.image;

    @Test
    void planOfManyShardsIsOneOnlyWithItsLastEntry() {
        decided.begin("a");
        var plan = named(plan("p", 20_000, 3));
        var command = new PlanVersion(DEMO, V1, plan);
        var before = image.reads().version(DEMO, V1);
        var entries = 0;
        for (var more = Integer.MAX_VALUE; more > 0; entries++) {
            assertThat(image.reads().version(DEMO, V1)).isEqualTo(before);
            var entry = decided.entry(command);
            assertThat(EntryFormat.encode(entry).length).isLessThanOrEqualTo(MetadataLog.MAX_ENTRY_BYTES);
            var left = append(command).more();
            assertThat(left).isLessThan(more);
            more = left;
            var replayed = decided.replay(entry);
            assertThat(replayed.applied()).isTrue();
            assertThat(DecidedImage.types(replayed))
                    .isEqualTo(more > 0 ? List.of() : List.of("tarpon.version.planned.v1"));
        }
        assertThat(entries).isGreaterThan(5);
        assertThat(image.reads().version(DEMO, V1).state()).isEqualTo(VersionState.BUILDING);
        assertThat(image.reads().shards(DEMO, V1, VAL, 0, 5).shards())
                .extracting(ShardRecord::planName)
                .isEqualTo(plan.splits().get(1).shards().stream()
                        .map(shard -> shard.planName())
                        .toList());
        assertThat(image.version(DEMO, V1).split(TRAIN).shardCount()).isEqualTo(20_000);
        assertThat(image.shards).isEqualTo(20_003);
        assertThat(image.pages).isEmpty();
        decided.changesNothing(command);
    }

    @Test
    void planInPagesGivesTheImageOfTheSamePlanInOneEntry() {
        var other = DecidedImage.ofToday(Long.MAX_VALUE);
        other.begin("a");
        other.plan(V1, plan("p", 7, 2));
        decided.begin("a");
        run(paged(V1, plan("p", 7, 2)));
        assertThat(image.reads().shards(DEMO, V1, TRAIN, 0, 9).shards())
                .isEqualTo(other.image.reads().shards(DEMO, V1, TRAIN, 0, 9).shards());
        assertThat(image.reads().version(DEMO, V1).splits())
                .isEqualTo(other.image.reads().version(DEMO, V1).splits());
    }

    @Test
    void pagesAreSeenByTheDigestAndByNothingElse() {
        decided.begin("a");
        var before = image.digest();
        var there = image.reads().datasets(null, Integer.MAX_VALUE);
        var inWork = image.reads().inWork(VersionState.PLANNING, null, 9);
        decided.replay(decided.entry(paged(V1, plan("p", 5, 0))));
        assertThat(image.digest()).isNotEqualTo(before);
        assertThat(image.reads().datasets(null, Integer.MAX_VALUE)).isEqualTo(there);
        assertThat(image.reads().inWork(VersionState.PLANNING, null, 9)).isEqualTo(inWork);
        decided.refuses(new SealShard(ref(V1, TRAIN, 0), seal(0, "a")), ProblemType.CONFLICT, "still planning");
    }

    @Test
    void pageThatComesTwiceIsThereOnce() {
        decided.begin("a");
        var command = paged(V1, plan("p", 5, 0));
        var first = decided.entry(command);
        assertThat(decided.replay(first).applied()).isTrue();
        assertThat(decided.replay(first).applied()).isTrue();
        assertThat(image.shards).isEqualTo(2);
        run(command);
        assertThat(image.shards).isEqualTo(5);
    }

    /// Each was decided before any of the others was replayed.
    @Test
    void twoWhoPutInTheSamePlanHelpEachOther() {
        decided.begin("a");
        var command = paged(V1, plan("p", 6, 0));
        for (int page = 0; page < 3; page++) {
            var one = decided.entry(command);
            var other = decided.entry(command);
            assertThat(decided.replay(one).applied()).isTrue();
            assertThat(decided.replay(other).applied()).isTrue();
        }
        var last = decided.entry(command);
        var late = decided.entry(command);
        assertThat(decided.replay(last).applied()).isTrue();
        assertThat(decided.replay(late).applied()).as("it is planned already").isFalse();
        assertThat(image.shards).isEqualTo(6);
        decided.changesNothing(command);
    }

    @Test
    void oneOfTwoWhoPutInDifferentPlansFinishesAndTheOtherIsRefused() {
        decided.begin("a");
        var one = paged(V1, plan("p", 5, 0));
        var other = paged(V1, plan("q", 3, 2));
        while (append(one).more() > 0) {
            decided.replay(decided.entry(one));
            if (append(other).more() > 0) {
                decided.replay(decided.entry(other));
            }
        }
        var late = decided.entry(one);
        run(other);
        assertThat(decided.replay(late).applied()).isFalse();
        decided.refuses(one, ProblemType.CONFLICT, "with another plan");
        assertThat(image.reads().version(DEMO, V1).planDigest())
                .isEqualTo(plan("q", 1, 0).planDigest());
        assertThat(image.version(DEMO, V1).split(TRAIN).shardCount()).isEqualTo(3);
        assertThat(image.shards).isEqualTo(5);
        assertThat(image.pages).isEmpty();
    }

    @Test
    void thirdPlanDropsThePagesOfTheOneThatStoodStillLongest() {
        decided.begin("a");
        var first = paged(V1, plan("p", 4, 0));
        var second = paged(V1, plan("q", 6, 0));
        decided.replay(decided.entry(first));
        decided.replay(decided.entry(second));
        decided.replay(decided.entry(first));
        var last = decided.entry(first);
        decided.replay(decided.entry(paged(V1, plan("r", 8, 0))));
        assertThat(image.shards).as("two pages of the first, one of the third").isEqualTo(6);
        assertThat(decided.replay(last).applied())
                .as("something was dropped since it was decided")
                .isFalse();
        assertThat(append(second).more()).as("it begins anew").isEqualTo(3);
        run(first);
        assertThat(image.shards).isEqualTo(4);
    }

    /// Otherwise nobody would need the guard.
    @Test
    void lastEntryOfADroppedPlanThatRestsOnNoPagesIsNonsense() {
        decided.begin("a");
        var first = paged(V1, plan("p", 4, 0));
        decided.replay(decided.entry(first));
        decided.replay(decided.entry(first));
        var last = decided.entry(first);
        var unguarded = new TreeMap<>(last.guards());
        assertThat(unguarded.remove("pages/demo/v1")).isNotNull();
        decided.replay(decided.entry(paged(V1, plan("q", 6, 0))));
        decided.replay(decided.entry(paged(V1, plan("r", 8, 0))));
        var wrong =
                new Entry(last.idempotenceKey(), last.at(), last.traceparent(), unguarded, last.records(), last.log());
        assertThatThrownBy(() -> decided.replay(wrong)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whatRemainsOfACrashIsGoneOnWith() {
        decided.begin("a");
        decided.replay(decided.entry(paged(V1, plan("p", 6, 0))));
        decided.replay(decided.entry(paged(V1, plan("p", 6, 0))));
        var again = paged(V1, plan("p", 6, 0));
        assertThat(append(again).more()).isEqualTo(1);
        run(again);
        assertThat(image.reads().version(DEMO, V1).state()).isEqualTo(VersionState.BUILDING);
    }

    @Test
    void endOfTheVersionDropsItsPagesAndNoLateOneComesBack() {
        decided.begin("a");
        var command = paged(V1, plan("p", 6, 0));
        decided.replay(decided.entry(command));
        var late = decided.entry(command);
        decided.apply(new FailVersion(DEMO, V1, "cancelled"));
        assertThat(image.shards).isZero();
        assertThat(image.pages).isEmpty();
        assertThat(decided.replay(late).applied()).isFalse();
        decided.apply(new RetryVersion(DEMO, V1));
        assertThat(decided.replay(late).applied()).isFalse();
        assertThat(append(command).more()).as("from the first page on").isEqualTo(3);
    }

    @Test
    void keptShardsMayBeOnAnyPage() {
        sealTheFirst();
        decided.apply(new BeginVersion(DEMO, "b", GROWING));
        run(paged(V2, keeping(plan("q", 5, 1), 2)));
        assertThat(image.reads().shards(DEMO, V2, TRAIN, 0, 9).shards())
                .extracting(ShardRecord::home)
                .containsExactly(ref(V1, TRAIN, 0), ref(V1, TRAIN, 1), null, null, null);
        assertThat(image.reads().shard(ref(V2, VAL, 0)).seal()).isEqualTo(seal(0, "c"));
    }

    @Test
    void parentThatIsRemovedBetweenTwoPagesKeepsNothing() {
        sealTheFirst();
        decided.apply(new BeginVersion(DEMO, "b", GROWING));
        var command = paged(V2, keeping(plan("q", 4, 0), 2));
        decided.replay(decided.entry(command));
        decided.replay(decided.entry(command));
        var last = decided.entry(command);
        decided.apply(new RemoveVersion(DEMO, V1));
        assertThat(decided.replay(last).applied()).isFalse();
        decided.refuses(command, ProblemType.CONFLICT, "demo/v1, which is removed");
    }

    @Test
    void whatThePlanCannotKeepIsRefusedBeforeTheFirstPage() {
        decided.begin("a");
        decided.refuses(paged(V1, keeping(plan("q", 4, 0), 2)), ProblemType.CONFLICT, "has no parent");
        assertThat(image.pages).isEmpty();
    }

    @Test
    void whatWasSealedBeforeTheVersionFailedStaysSealedInPages() {
        decided.begin("a");
        decided.plan(V1, plan("p", 3, 0));
        decided.seal(ref(V1, TRAIN, 1), seal(1, "b"));
        decided.apply(new FailVersion(DEMO, V1, "gone"));
        decided.apply(new RetryVersion(DEMO, V1));
        run(paged(V1, plan("q", 5, 0)));
        assertThat(image.reads().shard(ref(V1, TRAIN, 1)).seal()).isEqualTo(seal(1, "b"));
        assertThat(image.version(DEMO, V1).split(TRAIN).sealedShards()).isEqualTo(1);
        assertThat(image.shards).isEqualTo(5);
    }

    @Test
    void versionThatIsPlannedAlikeBetweenTwoPagesIsGivenBack() {
        decided.begin("a");
        decided.begin("b");
        var command = paged(V2, plan("p", 6, 0));
        decided.replay(decided.entry(command));
        decided.plan(V1, plan("p", 6, 0));
        run(command);
        assertThat(image.reads().version(DEMO, V2).sameAs()).isEqualTo(V1);
        assertThat(image.shards).isEqualTo(6);
    }

    @Test
    void shardsOnPagesTakeTheRoomOfShards() {
        var small = DecidedImage.ofToday(7);
        small.begin("a");
        small.begin("b");
        small.refuses(paged(V1, plan("p", 8, 0)), ProblemType.INSUFFICIENT_STORAGE, "tarpon.metadata.max-shards");
        var first = paged(V1, plan("p", 6, 0));
        small.replay(small.entry(first));
        small.refuses(
                paged(V2, forced(plan("q", 6, 0))), ProblemType.INSUFFICIENT_STORAGE, "tarpon.metadata.max-shards");
        for (int i = 0; i < 3; i++) {
            small.replay(small.entry(first));
        }
        assertThat(small.image.reads().version(DEMO, V1).state()).isEqualTo(VersionState.BUILDING);
    }

    @Test
    void plansThatDifferInOneShardOrOneCutHavePagesOfTheirOwn() {
        var plan = plan("p", 6, 0).splits();
        var shards = new ArrayList<>(plan.getFirst().shards());
        shards.set(5, named(plan("p", 6, 0)).splits().getFirst().shards().get(5));
        var id = PagedPlan.of(plan, PAGE_BYTES).name();
        assertThat(PagedPlan.of(plan, PAGE_BYTES).name()).isEqualTo(id);
        assertThat(PagedPlan.of(plan, PAGE_BYTES * 2).name().id()).isNotEqualTo(id.id());
        assertThat(PagedPlan.of(List.of(new PlannedSplit(TRAIN, shards)), PAGE_BYTES)
                        .name()
                        .id())
                .isNotEqualTo(id.id());
    }

    @Test
    void lastEntryWithoutAllItsPagesIsNonsense() {
        decided.begin("a");
        var command = paged(V1, plan("p", 4, 0));
        decided.replay(decided.entry(command));
        var early = new Entry(
                "early",
                decided.now(),
                null,
                append(command).guards(),
                List.of(new Change.VersionPlanned(
                        DEMO, V1, List.of(), command.paged().name())),
                image.logId().orElseThrow());
        assertThatThrownBy(() -> decided.replay(early)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void whileAnOlderReplicaMayRunOnlyShortPlansAreTaken() {
        var old = new DecidedImage();
        old.begin("a");
        old.refuses(paged(V1, plan("p", 5, 0)), ProblemType.NOT_READY, "not every replica that runs can read");
        old.apply(paged(V1, plan("p", 2, 0)));
        assertThat(old.image.reads().version(DEMO, V1).state()).isEqualTo(VersionState.BUILDING);
    }

    private void sealTheFirst() {
        decided.apply(new BeginVersion(DEMO, "a", GROWING));
        decided.plan(V1, plan("p", 2, 1));
        decided.seal(ref(V1, TRAIN, 0), seal(0, "a"));
        decided.seal(ref(V1, TRAIN, 1), seal(1, "b"));
        decided.seal(ref(V1, VAL, 0), seal(0, "c"));
    }

    private static PlanVersion paged(VersionId version, io.tarpon.wire.metadata.PlanVersion plan) {
        return new PlanVersion(DEMO, version, plan, PAGE_BYTES);
    }

    private Decision.Append append(PlanVersion command) {
        return (Decision.Append) image.decide(command);
    }

    /// All entries that are still missing.
    private void run(PlanVersion command) {
        while (image.decide(command) instanceof Decision.Append) {
            assertThat(decided.apply(command).applied()).isTrue();
        }
    }
}
