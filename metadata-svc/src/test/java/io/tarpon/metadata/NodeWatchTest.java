package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.metadata.log.LocalLog;
import io.tarpon.metadata.node.Liveness;
import io.tarpon.metadata.node.Presence;
import io.tarpon.metadata.replica.Versioned;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeChanges;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeState;
import io.tarpon.wire.trace.Traces;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Those who wait for nodes to change, over a replica of its own.
@Timeout(60)
class NodeWatchTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration NODE_TIMEOUT = Duration.ofSeconds(5);
    private static final int MOST = 3;

    @TempDir
    Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final ExecutorService askers = Executors.newVirtualThreadPerTaskExecutor();
    private Running running;
    private Nodes nodes;
    private NodeWatch watch;
    private Queries queries;
    private Liveness liveness;

    @BeforeEach
    void start() throws IOException {
        running = new Running(
                LocalLog.open(folder.resolve("log"), folder, 64, MetadataLog.MAX_ENTRY_BYTES, LONG), 1_000, 4);
        queries = new Queries(running.replica(), LONG);
        liveness = new Liveness(NODE_TIMEOUT, Duration.ZERO, 0);
        nodes = new Nodes(
                new Commands(running.proposer(), new SimpleMeterRegistry(), Traces.off()),
                queries,
                liveness,
                nanos::get,
                Presence.ALONE);
        watch = new NodeWatch(queries, liveness, nanos::get, new NodeWatch.Settings(MOST, LONG, Duration.ofMillis(20)));
        watch.start();
    }

    @AfterEach
    void stop() throws Exception {
        watch.close();
        running.close();
        askers.close();
    }

    @Test
    void aJoinIsToldToEverybodyWhoWaits() throws Exception {
        var tag = watch.changes(0, "none", Duration.ZERO, _ -> {}).value().tag();
        var waiting = new ArrayList<CompletableFuture<Versioned<NodeChanges>>>();
        for (int i = 0; i < MOST; i++) {
            waiting.add(ask(tag, LONG));
        }
        awaitWatchers(MOST);
        var revision = nodes.join("a", node(1), null, null).revision();
        for (var asker : waiting) {
            var answer = asker.get();
            assertThat(answer.revision()).isGreaterThanOrEqualTo(revision);
            assertThat(answer.value().since()).isEqualTo(tag);
            assertThat(answer.value().nodes()).extracting(NodeRecord::id).containsExactly("a");
        }
        awaitWatchers(0);
    }

    @Test
    void aNodeThatFallsSilentAndOneThatIsHeardAgainAreTold() throws Exception {
        nodes.join("a", node(1), null, null);
        var up = watch.changes(1, "none", Duration.ZERO, _ -> {}).value();
        assertThat(up.nodes()).extracting(NodeRecord::state).containsExactly(NodeState.UP);
        var silent = ask(up.tag(), LONG);
        awaitWatchers(1);
        nanos.addAndGet(NODE_TIMEOUT.toNanos() + 1);
        var lost = silent.get().value();
        assertThat(lost.nodes()).extracting(NodeRecord::state).containsExactly(NodeState.LOST);
        var heard = ask(lost.tag(), LONG);
        awaitWatchers(1);
        nodes.heartbeat("a", new Heartbeat(3, 400), null);
        assertThat(heard.get().value().tag()).isEqualTo(up.tag());
    }

    @Test
    void aHeartbeatThatChangesNothingWakesNobody() throws Exception {
        nodes.join("a", node(1), null, null);
        var asker = ask(watch.changes(1, "none", Duration.ZERO, _ -> {}).value().tag(), LONG);
        awaitWatchers(1);
        nodes.heartbeat("a", new Heartbeat(3, 400), null);
        Deadline.always(Duration.ofMillis(300), "it waits", () -> !asker.isDone());
        nodes.join("b", node(2), null, null);
        assertThat(asker.get().value().nodes()).extracting(NodeRecord::id).containsExactly("b");
    }

    @Test
    void aChangeFromBeforeTheQuestionIsToldAtOnce() {
        var tag = watch.changes(0, "none", Duration.ZERO, _ -> {}).value().tag();
        var joined = nodes.join("a", node(1), null, null);
        nodes.leave("a", null, null);
        nodes.join("b", node(1), null, null);
        var changes = watch.changes(joined.revision() + 2, tag, LONG, _ -> {});
        assertThat(changes.value().nodes()).extracting(NodeRecord::id).containsExactly("b");
        assertThat(watch.list(0).value().nodes()).isEqualTo(changes.value().nodes());
    }

    @Test
    void whoAsksBeforeAnybodyLookedIsToldWhoIsThere() throws Exception {
        nodes.join("a", node(1), null, null);
        try (var idle = new NodeWatch(queries, liveness, nanos::get, new NodeWatch.Settings(MOST, LONG, LONG))) {
            assertThat(idle.changes(0, "none", LONG, _ -> {}).value().nodes())
                    .extracting(NodeRecord::id)
                    .containsExactly("a");
        }
    }

    @Test
    void whoIsOneTooManyIsAnsweredAtOnce() throws Exception {
        var tag = watch.changes(0, "none", Duration.ZERO, _ -> {}).value().tag();
        for (int i = 0; i < MOST; i++) {
            var _ = ask(tag, LONG);
        }
        awaitWatchers(MOST);
        assertThat(ask(tag, LONG).get().value().changesNothing()).isTrue();
        assertThat(watch.watchers()).isEqualTo(MOST);
    }

    @Test
    void whoIsGoneLeavesHisPlace() throws Exception {
        var tag = watch.changes(0, "none", Duration.ZERO, _ -> {}).value().tag();
        var hangUp = new AtomicReference<Runnable>(() -> {});
        var asker = CompletableFuture.supplyAsync(() -> watch.changes(0, tag, LONG, hangUp::set), askers);
        awaitWatchers(1);
        Deadline.until("he can hang up", () -> {
            hangUp.get().run();
            return asker.isDone();
        });
        awaitWatchers(0);
        assertThat(asker.get().value().changesNothing()).isTrue();
    }

    @Test
    void aServiceThatStopsKeepsNobody() throws Exception {
        var tag = watch.changes(0, "none", Duration.ZERO, _ -> {}).value().tag();
        var asker = ask(tag, LONG);
        awaitWatchers(1);
        watch.close();
        assertRefused(asker, ProblemType.NOT_READY);
        assertRefused(ask(tag, LONG), ProblemType.NOT_READY);
    }

    @Test
    void aReplicaThatBreaksKeepsNobody() throws Exception {
        var tag = watch.changes(0, "none", Duration.ZERO, _ -> {}).value().tag();
        var asker = ask(tag, LONG);
        awaitWatchers(1);
        running.replica().end();
        assertRefused(asker, ProblemType.INTERNAL);
        assertRefused(ask(tag, LONG), ProblemType.INTERNAL);
        awaitWatchers(0);
    }

    private static void assertRefused(CompletableFuture<?> asker, ProblemType type) {
        assertThatThrownBy(asker::get)
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(type));
    }

    private CompletableFuture<Versioned<NodeChanges>> ask(String since, Duration patience) {
        return CompletableFuture.supplyAsync(() -> watch.changes(0, since, patience, _ -> {}), askers);
    }

    private void awaitWatchers(int count) {
        Deadline.until(count + " wait", () -> watch.watchers() == count);
    }
}
