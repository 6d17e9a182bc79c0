package io.tarpon.metadata.replica;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.ref;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.metadata.Running;
import io.tarpon.metadata.entry.LogBusyException;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.PlanVersion;
import io.tarpon.metadata.image.RegisterDataset;
import io.tarpon.metadata.image.RetryVersion;
import io.tarpon.metadata.image.SealShard;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Proposers over the log of one machine, with real threads.
class ProposerTest {
    private static final int ATTEMPTS = 3;

    @TempDir
    Path temp;

    private FaultyLog log;
    private Running running;

    @BeforeEach
    void open() throws IOException {
        log = new FaultyLog(LocalLog.open(
                temp.resolve("log"),
                Files.createDirectories(temp.resolve("lib")),
                1024,
                MetadataLog.MAX_ENTRY_BYTES,
                Duration.ofMinutes(1)));
        running = new Running(log, 64, ATTEMPTS);
    }

    @AfterEach
    void close() throws InterruptedException {
        running.close();
    }

    @Test
    void aCommandRepeatedGivesTheSameAnswerAndNoEntry() throws IOException, InterruptedException {
        var first = running.proposer().execute(new BeginVersion(DEMO, "a", SPEC), null);
        var second = running.proposer().execute(new BeginVersion(DEMO, "a", SPEC), null);
        assertThat(first.changed()).isTrue();
        assertThat(second.changed()).isFalse();
        assertThat(second.answer()).isEqualTo(first.answer());
        assertThat(log.end()).isEqualTo(1);
    }

    @Test
    void aLostAcknowledgementIsAnsweredAfterAll() throws InterruptedException {
        log.failAfterNextAppend(new IOException("acknowledgement lost"));
        assertThat(running.run(new BeginVersion(DEMO, "a", SPEC)).version()).isEqualTo(V1);
        assertThat(running.replica().read(Image::rejected).value()).isLessThanOrEqualTo(1);
        assertThat(running.run(new BeginVersion(DEMO, "b", SPEC)).version().number())
                .isEqualTo(2);
    }

    @Test
    void aLogThatFailsEveryTimeIsToldAsUnavailable() {
        log.failBeforeEveryAppend(new IOException("disk gone"));
        var refused = catchThrowableOfType(TarponException.class, () -> running.run(new BeginVersion(DEMO, "a", SPEC)));
        assertThat(refused.type()).isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
        assertThat(refused.detail()).contains("may or may not").contains("disk gone");
        assertThat(log.appends()).isEqualTo(ATTEMPTS);
    }

    @Test
    void whileTheLogIsAwayReadsGoOnAndNothingElseIsSaid() throws InterruptedException {
        var begun = running.run(new BeginVersion(DEMO, "a", SPEC));
        log.away(true);
        for (var command : List.of(
                new BeginVersion(DEMO, "b", SPEC),
                new BeginVersion(DEMO, "a", SPEC),
                new RetryVersion(DEMO, new VersionId(9)))) {
            var refused = catchThrowableOfType(TarponException.class, () -> running.run(command));
            assertThat(refused.type()).as("%s", command).isEqualTo(ProblemType.NOT_READY);
            assertThat(refused.detail()).contains("away");
        }
        assertThat(running.replica()
                        .read(image -> image.reads().version(DEMO, V1))
                        .value())
                .isEqualTo(begun);
        log.away(false);
        assertThat(running.run(new BeginVersion(DEMO, "b", SPEC)).version().number())
                .isEqualTo(2);
    }

    @Test
    void whatMayHaveHappenedIsNotDeniedWhenTheLogIsAwayAfterwards() throws InterruptedException {
        log.goAwayInNextAppend(new IOException("acknowledgement lost"));
        var refused = catchThrowableOfType(TarponException.class, () -> running.run(new BeginVersion(DEMO, "a", SPEC)));
        assertThat(refused.type()).isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
        assertThat(refused.detail()).contains("may or may not").contains("acknowledgement lost");
        log.away(false);
        assertThat(running.proposer()
                        .execute(new BeginVersion(DEMO, "a", SPEC), null)
                        .changed())
                .isFalse();
    }

    @Test
    void aCommandInDoubtIsTriedAgainForABoundedTime() throws InterruptedException {
        log.failBeforeEveryAppend(new IOException("no answer"));
        var impatient = new Proposer(
                log, running.replica(), InstantSource.system(), ATTEMPTS, Duration.ZERO, Duration.ofSeconds(30));
        var refused = catchThrowableOfType(
                TarponException.class, () -> impatient.execute(new BeginVersion(DEMO, "a", SPEC), null));
        assertThat(refused.type()).isEqualTo(ProblemType.STORAGE_UNAVAILABLE);
        assertThat(log.appends()).isEqualTo(1);
    }

    @Test
    void aBusyLogIsToldAtOnce() {
        log.failBeforeEveryAppend(new LogBusyException("full"));
        var refused = catchThrowableOfType(TarponException.class, () -> running.run(new BeginVersion(DEMO, "a", SPEC)));
        assertThat(refused.type()).isEqualTo(ProblemType.OVERLOADED);
        assertThat(log.appends()).isEqualTo(1);
    }

    @Test
    void anInterruptedProposerQueuesItsEntryOnce() {
        log.failAfterNextAppend(new InterruptedIOException("interrupted on its way"));
        assertThatThrownBy(() -> running.run(new BeginVersion(DEMO, "a", SPEC)))
                .isInstanceOf(InterruptedException.class);
        assertThat(log.appends()).isEqualTo(1);
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void whatIsLongerThanAnEntryIsTooLargeAndNeverSent() {
        var tooLong = new RegisterDataset(DEMO, DatasetSpec.of("a".repeat(MetadataLog.MAX_ENTRY_BYTES)));
        var refused = catchThrowableOfType(TarponException.class, () -> running.run(tooLong));
        assertThat(refused.type()).isEqualTo(ProblemType.PAYLOAD_TOO_LARGE);
        assertThat(refused.type().retryable()).isFalse();
        assertThat(refused.detail()).contains("send less at once");
        assertThat(log.appends()).isZero();
    }

    @Test
    void aProposerThatIsAlwaysTooLateGivesUp() {
        var others = new int[1];
        log.beforeEveryAppend(() -> running.run(new RegisterDataset(DEMO, DatasetSpec.of("other " + others[0]++))));
        var refused = catchThrowableOfType(TarponException.class, () -> running.run(new RegisterDataset(DEMO, SPEC)));
        assertThat(refused.type()).isEqualTo(ProblemType.OVERLOADED);
        assertThat(running.replica().read(Image::rejected).value()).isEqualTo(ATTEMPTS);
    }

    @Test
    void sealsAtOnceAllSucceedAndTheVersionIsSealedOnce() throws Exception {
        var shards = 300;
        running.run(new BeginVersion(DEMO, "a", SPEC));
        running.run(new PlanVersion(DEMO, V1, plan("p", shards, 0)));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var seals = new ArrayList<Future<?>>();
            for (int i : IntStream.range(0, shards).toArray()) {
                seals.add(threads.submit(() -> running.run(new SealShard(ref(V1, TRAIN, i), seal(i, "c" + i)))));
            }
            for (var seal : seals) {
                seal.get();
            }
        }
        var image = running.replica();
        assertThat(image.read(Image::rejected).value()).isZero();
        assertThat(image.read(read -> read.reads().version(DEMO, V1)).value().state())
                .isEqualTo(VersionState.SEALED);
    }

    @Test
    void beginsAtOnceHaveNumbersOfTheirOwn() throws Exception {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var begins = new ArrayList<Future<Integer>>();
            for (int i : IntStream.range(0, 50).toArray()) {
                begins.add(threads.submit(() -> running.run(new BeginVersion(DEMO, "request " + i, SPEC))
                        .version()
                        .number()));
            }
            var numbers = new ArrayList<Integer>();
            for (var begin : begins) {
                numbers.add(begin.get());
            }
            assertThat(numbers)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.rangeClosed(1, 50).boxed().toList());
        }
    }

    /// As where a topic was deleted and made again, and the replica does not know it yet.
    @Test
    void aPositionThatWasReplayedAlreadyIsNotThatOfANewEntry() throws InterruptedException {
        running.run(new BeginVersion(DEMO, "a", SPEC));
        log.answerNextAppend(1);
        var refused = catchThrowableOfType(TarponException.class, () -> running.run(new BeginVersion(DEMO, "b", SPEC)));
        assertThat(refused.type()).isEqualTo(ProblemType.INTERNAL);
        assertThat(refused.detail()).contains("is another log");
        assertThat(running.replica().broken()).isNotNull();
    }

    @Test
    void anEntryOfAnotherKindBreaksTheReplica() throws Exception {
        running.run(new BeginVersion(DEMO, "a", SPEC));
        log.append(new byte[] {1, 2, 3});
        var refused = catchThrowableOfType(TarponException.class, () -> running.run(new BeginVersion(DEMO, "b", SPEC)));
        assertThat(refused.type()).isEqualTo(ProblemType.INTERNAL);
        assertThat(refused.detail())
                .contains("entry 2")
                .contains(temp.resolve("log").toString());
        assertThat(running.replica().broken()).isNotNull();
    }
}
