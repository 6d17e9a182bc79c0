package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.service.retry.AbandonedException;
import io.tarpon.wire.client.MetadataClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MarkerRoundsTest {
    private static final Instant WRITTEN = Instant.parse("2026-05-01T10:00:00Z");

    private final MarkedSources sources = new MarkedSources();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<String> sent = Collections.synchronizedList(new ArrayList<>());
    private final Shutdown shutdown = new Shutdown();
    private SmallMetadata metadata;
    private MetadataClient client;

    @BeforeEach
    void start() throws Exception {
        metadata = new SmallMetadata();
        client = new MetadataClient(metadata.url(), SmallMetadata.TOKEN);
    }

    @AfterEach
    void stop() {
        client.close();
        metadata.close();
    }

    @Test
    void aMarkerWhoseEventGotLostIsRequestedOnce() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        sources.put("raw", "birds/a.jpg", WRITTEN);
        sources.put("raw", "unfinished/a.jpg", WRITTEN);
        sources.put("raw", "Not A Name/_SUCCESS", WRITTEN);
        sources.put("in", "fish/_SUCCESS", WRITTEN);
        var rounds = rounds(100);
        assertThat(rounds.round()).isEqualTo(2);
        assertThat(sent).containsExactly("fish", "birds");
        assertThat(rounds.round()).isZero();
        sources.put("raw", "birds/_SUCCESS", WRITTEN.plusSeconds(60));
        assertThat(rounds.round()).isEqualTo(1);
        assertThat(count("requested")).isEqualTo(3);
        assertThat(count("known")).isEqualTo(3);
    }

    @Test
    void aSourceThatDoesNotAnswerDoesNotHideTheOthers() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        sources.put("in", "fish/_SUCCESS", WRITTEN);
        sources.breakDown("in");
        var rounds = rounds(100);
        assertThat(rounds.round()).isEqualTo(1);
        assertThat(sent).containsExactly("birds");
        assertThat(count("source-unreadable")).isEqualTo(1);
        sources.breakDown(null);
        assertThat(rounds.round()).isEqualTo(1);
    }

    @Test
    void aSourceThatBreaksUsDoesNotHideTheOthers() throws Exception {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        sources.put("in", "fish/_SUCCESS", WRITTEN);
        sources.breakUs("in");
        var rounds = rounds(100);
        assertThat(rounds.round()).isEqualTo(1);
        assertThat(sent).containsExactly("birds");
        assertThat(count("source-unreadable")).isEqualTo(1);
    }

    @Test
    void aRoundLooksIntoABoundedNumberOfFolders() throws Exception {
        for (int i = 0; i < 20; i++) {
            sources.put("raw", "set-%02d/_SUCCESS".formatted(i), WRITTEN);
        }
        var rounds = rounds(7);
        assertThat(rounds.round()).isEqualTo(7);
        assertThat(sources.looks).hasSize(7);
    }

    @Test
    void theNextRoundGoesOnBehindTheFoldersOfTheOneBefore() throws Exception {
        for (int i = 0; i < 20; i++) {
            sources.put("raw", "set-%02d/_SUCCESS".formatted(i), WRITTEN);
        }
        var rounds = rounds(7);
        assertThat(rounds.round()).isEqualTo(7);
        sources.breakDown("raw");
        assertThat(rounds.round()).isZero();
        sources.breakDown(null);
        assertThat(rounds.round()).isEqualTo(7);
        assertThat(rounds.round()).isEqualTo(6);
        assertThat(new HashSet<>(sent)).hasSize(20);
        // Through: from the beginning again.
        sources.put("raw", "a-new-one/_SUCCESS", WRITTEN);
        assertThat(rounds.round()).isEqualTo(1);
        assertThat(sent).contains("a-new-one");
    }

    @Test
    void roundsGoOnByThemselvesWhateverBreaks() throws Exception {
        sources.breakDown("raw");
        sources.put("in", "fish/_SUCCESS", WRITTEN);
        try (var rounds = new Rounds("test", shutdown, rounds(100)::round)) {
            rounds.every(Duration.ofMillis(5));
            await(() -> sent.contains("fish"));
            sources.put("raw", "birds/_SUCCESS", WRITTEN);
            sources.breakDown(null);
            await(() -> sent.contains("birds"));
        }
    }

    @Test
    void aRoundEndsWhenTheProcessDoes() {
        sources.put("raw", "birds/_SUCCESS", WRITTEN);
        shutdown.begin();
        var rounds = rounds(100);
        assertThatThrownBy(rounds::round).isInstanceOf(AbandonedException.class);
        assertThat(sent).isEmpty();
    }

    private interface Condition {
        boolean holds();
    }

    private static void await(Condition condition) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.holds()) {
            assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    private double count(String outcome) {
        return meters.counter("tarpon.ingest.notices", "dialect", "round", "outcome", outcome)
                .count();
    }

    private MarkerRounds rounds(int folders) {
        var patience = ShortPauses.until(shutdown::isBegun);
        var requests = new MarkerRequests(sources, client, (key, value) -> sent.add(key), patience);
        return new MarkerRounds(
                sources, new MarkerName("_SUCCESS"), requests, new NoticeCounts(meters), folders, shutdown);
    }
}
