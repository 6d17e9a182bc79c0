package io.tarpon.metadata.replica;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.metadata.Running;
import io.tarpon.metadata.entry.EntryFormat;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.RaiseLevel;
import io.tarpon.metadata.image.RetryVersion;
import io.tarpon.metadata.log.Entries;
import io.tarpon.metadata.log.SimulatedLog;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Plans of several entries, carried through by proposers of two replicas over one log.
class PagedPlanTest {
    private static final int ATTEMPTS = 3;
    /// Of two shards of these plans.
    private static final int PAGE_BYTES = 400;

    private final SimulatedLog shared = new SimulatedLog(1).calm();
    private final FaultyLog log = new FaultyLog(shared.appender());
    private Running here;
    private Running there;

    @BeforeEach
    void open() throws InterruptedException {
        here = new Running(log, 64, ATTEMPTS);
        there = new Running(shared.appender(), 64, ATTEMPTS);
        here.run(new RaiseLevel("0123456789abcdef0123456789abcdef", EntryFormat.FORMAT));
        here.run(new BeginVersion(DEMO, "a", SPEC));
    }

    @AfterEach
    void close() throws InterruptedException {
        here.close();
        there.close();
    }

    @Test
    void planOfManyShardsIsAnsweredOnceAndToldOnce() throws Exception {
        var planned = here.proposer().execute(new PlanVersion(DEMO, V1, plan("p", 20_000, 0)), null);
        assertThat(planned.changed()).isTrue();
        assertThat(planned.answer().value().state()).isEqualTo(VersionState.BUILDING);
        assertThat(planned.answer().value().revision())
                .isEqualTo(planned.answer().revision())
                .isEqualTo(log.end());
        assertThat(log.end()).isGreaterThan(5);
        assertThat(Entries.after(log, 0, 100))
                .allSatisfy(entry -> assertThat(entry.length).isLessThanOrEqualTo(MetadataLog.MAX_ENTRY_BYTES));
        assertThat(events(here)).containsExactly("tarpon.version.planned.v1");
        assertThat(here.replica().read(Image::rejected).value()).isZero();
    }

    @Test
    void morePagesThanAttemptsAreNoReasonToGiveUp() throws Exception {
        assertThat(here.run(paged("p", 40)).state()).isEqualTo(VersionState.BUILDING);
        assertThat(log.end()).isEqualTo(2 + 20 + 1);
    }

    @Test
    void samePlanAtOnceFromTwoReplicasIsOneForBoth() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = new ArrayList<Future<VersionRecord>>();
            for (int i = 0; i < 6; i++) {
                var running = i % 2 == 0 ? here : there;
                answers.add(threads.submit(() -> running.run(paged("p", 60))));
            }
            for (var answer : answers) {
                assertThat(answer.get().state()).isEqualTo(VersionState.BUILDING);
            }
        }
        agree();
        assertThat(events(here)).containsExactly("tarpon.version.planned.v1");
    }

    @Test
    void differentPlansAtOnceAreOneAndARefusal() throws Exception {
        var planned = new ArrayList<String>();
        var refused = 0;
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var answers = List.of(
                    threads.submit(() -> here.run(paged("p", 60))), threads.submit(() -> there.run(paged("q", 50))));
            for (var answer : answers) {
                try {
                    planned.add(answer.get().planDigest());
                } catch (ExecutionException e) {
                    assertThat(e.getCause())
                            .isInstanceOfSatisfying(
                                    TarponException.class,
                                    problem -> assertThat(problem.type()).isEqualTo(ProblemType.CONFLICT));
                    refused++;
                }
            }
        }
        assertThat(planned).hasSize(1);
        assertThat(refused).isEqualTo(1);
        agree();
        var version =
                here.replica().read(image -> image.reads().version(DEMO, V1)).value();
        assertThat(version.planDigest()).isEqualTo(planned.getFirst());
        assertThat(version.splits().getFirst().shards())
                .isEqualTo(version.planDigest().equals(plan("p", 1, 0).planDigest()) ? 60 : 50);
    }

    /// Its pages stay, and whoever sends the plan again goes on with them.
    @Test
    void whoDiesBetweenTwoPagesIsFollowedByWhoSendsThePlanAgain() throws Exception {
        var pages = new int[1];
        log.beforeEveryAppend(() -> {
            if (++pages[0] == 3) {
                log.failBeforeEveryAppend(new IOException("the process is gone"));
            }
        });
        var refused = catchThrowableOfType(TarponException.class, () -> here.run(paged("p", 10)));
        assertThat(refused.type()).isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
        var before = log.end();
        // Who is behind puts in a page once more, which is harmless and not what is counted here.
        assertThat(there.replica().awaitRevision(before, Duration.ofSeconds(30)))
                .isTrue();
        assertThat(there.run(paged("p", 10)).state()).isEqualTo(VersionState.BUILDING);
        assertThat(shared.entries()).hasSize((int) before + 3 + 1);
        agree();
    }

    @Test
    void pageWhoseAcknowledgementIsLostIsNotSentAgain() throws Exception {
        log.failAfterNextAppend(new IOException("acknowledgement lost"));
        assertThat(here.run(paged("p", 10)).state()).isEqualTo(VersionState.BUILDING);
        agree();
        assertThat(log.end()).isBetween(2L + 5 + 1, 2L + 5 + 2);
    }

    @Test
    void versionThatFailsBetweenTwoPagesIsNotPlanned() throws Exception {
        var pages = new int[1];
        log.beforeEveryAppend(() -> {
            if (++pages[0] == 3) {
                there.run(new FailVersion(DEMO, V1, "cancelled"));
            }
        });
        var refused = catchThrowableOfType(TarponException.class, () -> here.run(paged("p", 10)));
        assertThat(refused.type()).isEqualTo(ProblemType.CONFLICT);
        assertThat(refused.detail()).contains("cancelled");
        there.run(new RetryVersion(DEMO, V1));
        assertThat(there.run(paged("p", 10)).state()).isEqualTo(VersionState.BUILDING);
        agree();
    }

    private static PlanVersion paged(String digestOf, int shards) {
        return new PlanVersion(DEMO, V1, plan(digestOf, shards, 0), PAGE_BYTES);
    }

    private void agree() throws InterruptedException {
        here.replica().awaitLatest(Duration.ofSeconds(30));
        there.replica().awaitLatest(Duration.ofSeconds(30));
        assertThat(here.replica().read(Image::digest)).isEqualTo(there.replica().read(Image::digest));
    }

    private static List<String> events(Running running) {
        return running.tail().after(0, 100).orElseThrow().events().stream()
                .map(CommittedEvent::event)
                .map(event -> event.type())
                .toList();
    }
}
