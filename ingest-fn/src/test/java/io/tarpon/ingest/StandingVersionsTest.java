package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Versions whose messages got lost.
class StandingVersionsTest extends GrowthFixture {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Instant PLANNED = Instant.parse("2026-01-02T03:04:05Z");
    private static final VersionId V1 = new VersionId(1);

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private StandingVersions standing;

    @BeforeEach
    void planAndLoseTheMessages() throws Exception {
        standing = another();
        plan("r1", GROW);
        topic.messages.clear();
        metadata.standStill(V1, PLANNED);
    }

    @Test
    void aVersionThatStandsStillGetsTheMessagesOfItsUnsealedShardsAgain() throws Exception {
        metadata.seal("v1", "train", shard(1));
        roundAfter(PATIENCE.minusSeconds(1));
        assertThat(topic.messages).isEmpty();
        roundAfter(PATIENCE);
        assertThat(topic.shards())
                .hasSize(shards("v1") - 1)
                .doesNotContain("demo/v1/train/" + shard(1))
                .doesNotHaveDuplicates();
        assertThat(meters.counter("resent").count()).isEqualTo(shards("v1") - 1);
    }

    @Test
    void theMessagesAreThoseOfThePlan() throws Exception {
        roundAfter(PATIENCE);
        var again = topic.ids();
        topic.messages.clear();
        plan("r1", GROW);
        assertThat(again).isEqualTo(topic.ids());
    }

    @Test
    void aVersionThatDoesNotComeOnIsHelpedEverMoreSeldom() throws Exception {
        var sentAt = new ArrayList<Integer>();
        for (int minute = 0; minute <= 80; minute++) {
            roundAfter(Duration.ofMinutes(minute));
            if (!topic.messages.isEmpty()) {
                sentAt.add(minute);
                topic.messages.clear();
            }
        }
        assertThat(sentAt).containsExactly(5, 15, 35, 75);
        // It came on: it is helped as soon as the first time.
        metadata.standStill(V1, PLANNED.plus(Duration.ofMinutes(80)));
        roundAfter(Duration.ofMinutes(84));
        assertThat(topic.messages).isEmpty();
        roundAfter(Duration.ofMinutes(85));
        assertThat(topic.messages).isNotEmpty();
    }

    @Test
    void severalProcessesSendTheSameMessages() throws Exception {
        roundAfter(PATIENCE);
        another().round();
        assertThat(topic.messages).hasSize(2 * shards("v1"));
        assertThat(new HashSet<>(topic.ids())).hasSize(shards("v1"));
    }

    @Test
    void aBrokerThatTakesNoMessageIsAskedAgainInTheNextRound() throws Exception {
        topic.refuse = 1;
        roundAfter(PATIENCE);
        assertThat(topic.messages).isEmpty();
        roundAfter(PATIENCE.plusSeconds(1));
        assertThat(topic.messages).hasSize(shards("v1"));
    }

    @Test
    void aFaultWithOneVersionDoesNotBreakTheRound() throws Exception {
        topic.breakOn = 1;
        roundAfter(PATIENCE);
        assertThat(topic.messages).isEmpty();
        roundAfter(PATIENCE.plusSeconds(1));
        assertThat(topic.messages).hasSize(shards("v1"));
    }

    @Test
    void aRoundThatBreaksRemembersWhatItSent() throws Exception {
        metadata.failSecondPage(true);
        metadata.itIs(PLANNED.plus(PATIENCE));
        assertThatThrownBy(standing::round).isInstanceOf(TarponException.class);
        assertThat(topic.messages).hasSize(shards("v1"));
        assertThatThrownBy(standing::round).isInstanceOf(TarponException.class);
        metadata.failSecondPage(false);
        standing.round();
        assertThat(topic.messages).hasSize(shards("v1"));
    }

    @Test
    void whatComesOnOrHasEndedIsLeftAlone() throws Exception {
        sources.objects = and(OneSource.HUNDRED, "d/new.jpg");
        plan("r2", GROW);
        topic.messages.clear();
        metadata.end("v1", VersionState.FAILED);
        roundAfter(PATIENCE);
        assertThat(topic.messages).isEmpty();
    }

    @Test
    void withoutMetadataARoundFailsAndTheNextOneHelps() throws Exception {
        metadata.itIs(PLANNED.plus(PATIENCE));
        metadata.failNext(1);
        assertThatThrownBy(standing::round).isInstanceOf(TarponException.class);
        standing.round();
        assertThat(topic.messages).hasSize(shards("v1"));
    }

    private StandingVersions another() {
        return new StandingVersions(
                client, new ShardMessages(client, topic, Clock.systemUTC()), PATIENCE, meters.counter("resent"));
    }

    private void roundAfter(Duration still) throws Exception {
        metadata.itIs(PLANNED.plus(still));
        standing.round();
    }
}
