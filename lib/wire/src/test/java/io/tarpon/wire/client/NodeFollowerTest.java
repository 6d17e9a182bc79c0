package io.tarpon.wire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.metadata.NodeChanges;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeRegistration;
import io.tarpon.wire.metadata.NodeState;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Who follows the nodes of replicas that answer, wait, change and fail, over real sockets.
@Timeout(60)
class NodeFollowerTest {
    private static final Duration OFTEN = Duration.ofMillis(10);
    private static final Duration LONG = Duration.ofMinutes(1);

    private final ReplicaStandIn first = new ReplicaStandIn(7);
    private final ReplicaStandIn second = new ReplicaStandIn(7);
    private final Told told = new Told();

    NodeFollowerTest() throws IOException {}

    @AfterEach
    void close() {
        Stream.of(first, second).forEach(ReplicaStandIn::close);
    }

    @Test
    void aChangeIsToldToWhoWaitsForIt() {
        first.says(nodes("t1", "a", "b"));
        try (var client = client(LONG);
                var follower = new NodeFollower(client, OFTEN, LONG, told)) {
            follower.start();
            Deadline.until("both are known", () -> told.ids().equals(List.of("a", "b")));
            Deadline.until("it waits", () -> first.asked.size() == 2);
            first.says(nodes("t2", "b", "c"));
            Deadline.until("one came and one left", () -> told.ids().equals(List.of("b", "c")));
            Deadline.until("it waits again", () -> first.asked.size() == 3);
            Deadline.always(OFTEN.multipliedBy(20), "it asks nothing meanwhile", () -> first.asked.size() == 3);
        }
        assertThat(first.asked.get(0)).startsWith("GET /v1/node-changes?since=none&wait-millis=");
        assertThat(first.asked.get(1)).startsWith("GET /v1/node-changes?since=t1&wait-millis=");
        assertThat(first.asked.get(2)).startsWith("GET /v1/node-changes?since=t2&wait-millis=");
        assertThat(told.misses).hasValue(0);
    }

    @Test
    void whoWaitsAtAReplicaThatDiesWaitsAtTheNext() {
        Stream.of(first, second).forEach(replica -> replica.says(nodes("t1", "a")));
        try (var client = client(LONG);
                var follower = new NodeFollower(client, OFTEN, LONG, told)) {
            follower.start();
            Deadline.until("it waits", () -> first.asked.size() == 2);
            first.breaksOff();
            Deadline.until("it waits at the next", () -> second.asked.size() == 1);
            second.says(nodes("t2", "a", "b"));
            Deadline.until("what that one tells is known", () -> told.ids().equals(List.of("a", "b")));
        }
        assertThat(second.asked.getFirst()).startsWith("GET /v1/node-changes?since=t1&");
        assertThat(told.misses).hasValue(0);
    }

    @Test
    void aReplicaThatStandsStillKeepsNobodyForLongerThanItMayWait() {
        first.says(nodes("t1", "a"));
        second.says(nodes("t2", "b"));
        try (var client = client(Duration.ofMillis(400));
                var follower = new NodeFollower(client, OFTEN, Duration.ofMillis(200), told)) {
            follower.start();
            Deadline.until("it is known", () -> told.ids().equals(List.of("a")));
            first.fallsSilent();
            Deadline.until("the next one's are known", () -> told.ids().equals(List.of("b")));
        }
    }

    @Test
    void whereNoReplicaAnswersWhatWasToldStands() throws IOException {
        first.says(nodes("t1", "a"));
        second.close();
        try (var client = client(LONG);
                var follower = new NodeFollower(client, OFTEN, LONG, told)) {
            follower.start();
            Deadline.until("it waits", () -> first.asked.size() == 2);
            first.troubled(ProblemType.NOT_READY);
            first.says(nodes("t2", "b"));
            Deadline.until("it missed", () -> told.misses.get() > 2);
            assertThat(told.ids()).containsExactly("a");
        }
        assertThat(first.asked.getLast()).as("goes on from there").contains("since=t1");
    }

    @Test
    void aReplicaThatDoesNotTellChangesIsAskedForTheListEverySoOften() {
        try (var client = client(LONG);
                var follower = new NodeFollower(client, OFTEN, LONG, told)) {
            follower.start();
            Deadline.until("it is asked again and again", () -> told.lists.size() > 4);
        }
        assertThat(first.asked.get(0)).startsWith("GET /v1/node-changes?since=none");
        assertThat(first.asked.get(1)).startsWith("GET /v1/nodes");
        assertThat(first.asked.get(2)).startsWith("GET /v1/node-changes?since=none");
        assertThat(told.misses).hasValue(0);
    }

    @Test
    void changesToAnotherListAreNotTaken() {
        first.says(nodes("t1", "a"));
        try (var client = client(LONG);
                var follower = new NodeFollower(client, OFTEN, LONG, told)) {
            follower.start();
            Deadline.until("it waits", () -> first.asked.size() == 2);
            first.says(new NodeChanges("t3", "t2", 7, List.of(), List.of("a")));
            Deadline.until("it missed", () -> told.misses.get() > 2);
        }
        assertThat(told.ids()).containsExactly("a");
    }

    @Test
    void aReplicaThatLetsNobodyWaitIsNotAskedMoreOftenForIt() {
        first.says(nodes("t1", "a"));
        first.isImpatient();
        var every = Duration.ofMillis(100);
        var begun = System.nanoTime();
        try (var client = client(LONG);
                var follower = new NodeFollower(client, every, LONG, told)) {
            follower.start();
            Deadline.until("five questions", () -> first.asked.size() >= 5);
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(every.multipliedBy(4));
    }

    @Test
    void whatIsNotBelievedIsAskedForAgainThoughNothingChanges() {
        first.says(nodes("t1", "a"));
        told.believes = false;
        try (var client = client(LONG);
                var follower = new NodeFollower(client, OFTEN, LONG, told)) {
            follower.start();
            Deadline.until("it is told again and again", () -> told.lists.size() > 4);
        }
        assertThat(told.ids()).containsExactly("a");
    }

    @Test
    void whatDidNotChangeIsToldOnceAndAgainAfterItWasMissed() {
        first.says(nodes("t1", "a"));
        first.isImpatient();
        second.close();
        try (var client = client(LONG);
                var follower = new NodeFollower(client, OFTEN, LONG, told)) {
            follower.start();
            Deadline.until("it is asked again and again", () -> first.asked.size() > 4);
            assertThat(told.lists).hasSize(1);
            first.troubled(ProblemType.NOT_READY);
            Deadline.until("it missed", () -> told.misses.get() > 0);
            first.untroubled();
            Deadline.until("it is told again", () -> told.lists.size() == 2);
        }
    }

    /// Keeps what it is told.
    private static final class Told implements NodeFollower.Follower {
        private final List<NodeList> lists = new CopyOnWriteArrayList<>();
        private final AtomicInteger misses = new AtomicInteger();
        private volatile boolean believes = true;

        @Override
        public boolean told(NodeList nodes) {
            lists.add(nodes);
            return believes;
        }

        @Override
        public void missed(Throwable reason) {
            misses.incrementAndGet();
        }

        List<String> ids() {
            return lists.isEmpty()
                    ? List.of()
                    : lists.getLast().nodes().stream().map(NodeRecord::id).toList();
        }
    }

    private MetadataClient client(Duration timeout) {
        return new MetadataClient(List.of(first.url(), second.url()), null, timeout, 1 << 20);
    }

    private static NodeChanges nodes(String tag, String... ids) {
        var nodes = Stream.of(ids)
                .map(id -> new NodeRecord(
                        id,
                        new NodeRegistration("http://" + id, "host-" + id, "zone", 1, 1 << 20, List.of("/data")),
                        NodeState.UP,
                        0,
                        0))
                .toList();
        return new NodeChanges(tag, null, 7, nodes, List.of());
    }
}
