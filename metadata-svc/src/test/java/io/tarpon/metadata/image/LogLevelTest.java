package io.tarpon.metadata.image;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.metadata.entry.Change;
import io.tarpon.metadata.entry.Entity;
import io.tarpon.metadata.entry.Entry;
import io.tarpon.metadata.entry.EntryFormat;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// The id of a log, its level and its time.
class LogLevelTest {
    private static final String ONE = "00112233445566778899aabbccddeeff";
    private static final String OTHER = "ffeeddccbbaa99887766554433221100";

    private final DecidedImage decided = new DecidedImage();
    private final Image image = decided.image;

    @Test
    void newLogHasNoIdAndTheFirstLevel() {
        assertThat(image.logId()).isEmpty();
        assertThat(image.level()).isEqualTo(EntryFormat.FIRST_LEVEL);
    }

    @Test
    void ofTwoWhoNameTheLogAtOnceTheFirstHas() {
        var one = decided.entry(new RaiseLevel(ONE, 5));
        var other = decided.entry(new RaiseLevel(OTHER, 5));
        assertThat(decided.replay(one).applied()).isTrue();
        assertThat(decided.replay(other).applied()).isFalse();
        assertThat(image.logId()).contains(ONE);
        assertThat(image.level()).isEqualTo(5);
        decided.changesNothing(new RaiseLevel(OTHER, 5));
    }

    @Test
    void logOfAnEarlierVersionIsNamedWhereItIs() {
        decided.begin("a");
        decided.apply(new RaiseLevel(ONE, 5));
        var replayed = decided.plan(V1, plan("p", 1, 0));
        assertThat(replayed.applied()).isTrue();
        assertThat(image.logId()).contains(ONE);
    }

    @Test
    void whatWasDecidedBeforeTheLogHadItsIdIsRejected() {
        var early = decided.entry(new BeginVersion(DEMO, "a", SPEC));
        decided.apply(new RaiseLevel(ONE, 5));
        assertThat(decided.replay(early).applied()).isFalse();
        assertThat(image.rejected()).isEqualTo(1);
    }

    @Test
    void entryOfAnotherLogIsNoneOfThisOne() {
        decided.apply(new RaiseLevel(ONE, 5));
        assertThatThrownBy(() -> image.replay(entry(OTHER, decided.now())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("entry 2")
                .hasMessageContaining(ONE)
                .hasMessageContaining(OTHER);
    }

    @Test
    void entryOfANamedLogIsNoneOfOneThatHasNoName() {
        assertThatThrownBy(() -> image.replay(entry(OTHER, decided.now())))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(OTHER)
                .hasMessageContaining("a log without an id");
    }

    @Test
    void levelIsRaisedOnceMoreWithoutAnotherId() {
        decided.apply(new RaiseLevel(ONE, 4 + 1));
        var append = (Decision.Append) image.decide(new RaiseLevel(OTHER, 6));
        assertThat(append.records()).containsExactly(new Change.LevelRaised(6));
        assertThat(append.guards()).isEqualTo(Map.of("log", 1L));
    }

    @Test
    void levelThatThisBuildDoesNotReadEndsReplay() {
        decided.apply(new RaiseLevel(ONE, 5));
        var newer = decided.entry(new RaiseLevel(OTHER, 6));
        assertThatThrownBy(() -> image.replay(newer))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("format 6")
                .hasMessageContaining("reads up to 5");
    }

    @Test
    void digestTellsTwoLogsApart() {
        var other = new DecidedImage();
        decided.apply(new RaiseLevel(ONE, 5));
        other.apply(new RaiseLevel(OTHER, 5));
        assertThat(image.digest()).isNotEqualTo(other.image.digest());
    }

    @Test
    void timeNeverGoesBackWhateverTheClocksSay() {
        decided.begin("a");
        var late = decided.now().plusSeconds(1_000);
        var plan = decided.entry(new PlanVersion(DEMO, V1, plan("p", 1, 0)));
        var planned = image.replay(at(plan, late));
        assertThat(planned.events()).extracting(CommittedEvent::at).containsExactly(late);
        var sealed =
                image.replay(at(decided.entry(new SealShard(ref(V1, TRAIN, 0), seal(0, "a"))), late.minusSeconds(500)));
        assertThat(sealed.events()).extracting(CommittedEvent::at).containsExactly(late, late);
        assertThat(image.reads().version(DEMO, V1).sealedAt()).isEqualTo(late);
        image.replay(at(decided.entry(new BeginVersion(DEMO, "b", SPEC)), late.plusSeconds(1)));
        assertThat(image.reads().versionOfRequest("b").begunAt()).isEqualTo(late.plusSeconds(1));
    }

    @Test
    void timeOfWhatIsRejectedCountsNothing() {
        var late = decided.entry(new BeginVersion(DEMO, "a", SPEC));
        decided.begin("b");
        var before = decided.now().minusSeconds(1);
        assertThat(image.replay(at(late, before.plusSeconds(1_000))).applied()).isFalse();
        decided.begin("c");
        assertThat(image.reads().versionOfRequest("c").begunAt()).isBefore(before.plusSeconds(1_000));
    }

    private static Entry entry(String log, Instant at) {
        return new Entry(
                "golden",
                at,
                null,
                new TreeMap<>(Map.of(new Entity.Specification(DEMO).toString(), 0L)),
                List.of(new Change.DatasetRegistered(DEMO, SPEC)),
                log);
    }

    private static Entry at(Entry entry, Instant at) {
        return new Entry(entry.idempotenceKey(), at, entry.traceparent(), entry.guards(), entry.records(), entry.log());
    }
}
