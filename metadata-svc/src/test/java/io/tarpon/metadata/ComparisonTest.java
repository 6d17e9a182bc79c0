package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.V1;
import static io.tarpon.metadata.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.image.BeginVersion;
import io.tarpon.metadata.image.CommittedEvent;
import io.tarpon.metadata.image.FailVersion;
import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.JoinNode;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.replica.EventTail;
import io.tarpon.metadata.replica.Replica;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Digests of replicas of one log.
class ComparisonTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    Path temp;

    @Test
    void replicasOfOneRevisionHaveOneDigestAndAnotherRevisionHasAnother() throws Exception {
        try (var log = open();
                var first = new Running(log, 16, 3)) {
            first.run(new BeginVersion(DEMO, "a", SPEC));
            first.run(new JoinNode("node-1", node(1), "one"));
            var second = new Replica(log, new EventTail(16), new Image(new HeapStore()));
            second.catchUp();
            var mine = new Comparison(new Queries(first.replica(), PATIENCE)).digest(2);
            var theirs = new Comparison(new Queries(second, PATIENCE)).digest(2);
            assertThat(mine).isEqualTo(theirs);
            assertThat(mine.value().revision()).isEqualTo(mine.revision()).isEqualTo(2);

            first.run(new BeginVersion(DEMO, "b", SPEC));
            var later = new Comparison(new Queries(first.replica(), PATIENCE)).digest(3);
            assertThat(later.value().digest()).isNotEqualTo(mine.value().digest());
            var behind = new Comparison(new Queries(second, Duration.ofMillis(20)));
            assertThat(catchThrowableOfType(TarponException.class, () -> behind.digest(3))
                            .type())
                    .isEqualTo(ProblemType.NOT_READY);
        }
    }

    @Test
    void oneIsMadeAtATime() throws Exception {
        var isHeld = new CountDownLatch(1);
        var goesOn = new CountDownLatch(1);
        // Its first event holds replay up under the lock, and a digest waits for that.
        Consumer<CommittedEvent> hold = _ -> {
            isHeld.countDown();
            awaitUninterruptibly(goesOn);
        };
        try (var log = open();
                var running = new Running(log, 16, 3, InstantSource.system(), hold);
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            running.run(new BeginVersion(DEMO, "a", SPEC));
            var comparison = new Comparison(new Queries(running.replica(), PATIENCE));
            var failing = threads.submit(() -> running.run(new FailVersion(DEMO, V1, "for the test", null)));
            isHeld.await();
            var asked = List.of(threads.submit(() -> comparison.digest(1)), threads.submit(() -> comparison.digest(1)));
            Deadline.until("one is refused", () -> asked.stream().anyMatch(Future::isDone));
            goesOn.countDown();
            assertThat(asked)
                    .filteredOn(each -> refusal(each) == ProblemType.OVERLOADED)
                    .hasSize(1);
            assertThat(asked).filteredOn(each -> refusal(each) == null).hasSize(1);
            assertThat(failing.get(30, TimeUnit.SECONDS).state()).isEqualTo(VersionState.FAILED);
            assertThat(comparison.digest(2).revision()).isEqualTo(2);
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Null where there is an answer.
    private static @Nullable ProblemType refusal(Future<?> asked) {
        try {
            var _ = asked.get(30, TimeUnit.SECONDS);
            return null;
        } catch (ExecutionException e) {
            return e.getCause() instanceof TarponException refused ? refused.type() : ProblemType.INTERNAL;
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    private LocalLog open() throws IOException {
        return LocalLog.open(
                temp.resolve("log"),
                Files.createDirectories(temp.resolve("lib")),
                16,
                MetadataLog.MAX_ENTRY_BYTES,
                PATIENCE);
    }
}
