package io.tarpon.wire.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.DatasetName;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.ReaderReport;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The client before replicas of which some are dead, behind or broken, over real sockets.
@Timeout(60)
class SeveralReplicasTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final DatasetName DEMO = new DatasetName("demo");

    private final ReplicaStandIn first = new ReplicaStandIn(7);
    private final ReplicaStandIn second = new ReplicaStandIn(7);
    private final ReplicaStandIn third = new ReplicaStandIn(7);

    SeveralReplicasTest() throws IOException {}

    @AfterEach
    void close() {
        Stream.of(first, second, third).forEach(ReplicaStandIn::close);
    }

    @Test
    void theFirstIsAskedWhileItAnswers() throws IOException {
        try (var client = client(LONG)) {
            var _ = client.nodes();
            var _ = client.nodes();
        }
        assertThat(first.asked).hasSize(2);
        assertThat(second.asked).isEmpty();
    }

    @Test
    void aRefusedConnectionIsFollowedByTheNextReplica() throws IOException {
        first.close();
        try (var client = client(LONG)) {
            assertThat(client.nodes().revision()).isEqualTo(7);
        }
        assertThat(second.asked).hasSize(1);
        assertThat(third.asked).isEmpty();
    }

    @Test
    void aDeadFirstReplicaCostsOnlyTheFirstCall() throws IOException {
        first.breaksOff();
        try (var client = client(LONG)) {
            var _ = client.nodes();
            // The HTTP client asks once more by itself where a connection ends without an answer.
            var asked = first.asked.size();
            var _ = client.nodes();
            var _ = client.nodes();
            assertThat(first.asked).hasSize(asked);
        }
        assertThat(second.asked).hasSize(3);
    }

    @Test
    void whatOneClientLearntTheSameOneForATraceKnows() throws IOException {
        first.troubled(ProblemType.NOT_READY);
        try (var client = client(LONG)) {
            var _ = client.with("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
                    .nodes();
            var _ = client.upToDate().nodes();
        }
        assertThat(first.asked).hasSize(1);
        assertThat(second.asked).hasSize(2);
    }

    @Test
    void aReplicaThatIsNotReadyIsPassedOver() throws IOException {
        first.troubled(ProblemType.NOT_READY);
        second.troubled(ProblemType.INTERNAL);
        try (var client = client(LONG)) {
            assertThat(client.nodes().revision()).isEqualTo(7);
        }
        assertThat(List.of(first.asked, second.asked, third.asked)).allMatch(asked -> asked.size() == 1);
    }

    @Test
    void aRefusalIsAnAnswer() throws IOException {
        first.troubled(ProblemType.UNKNOWN_DATASET);
        try (var client = client(LONG)) {
            assertRefused(client, ProblemType.UNKNOWN_DATASET);
        }
        assertThat(second.asked).isEmpty();
    }

    @Test
    void thatThereIsNoRoomIsAnAnswer() throws IOException {
        first.troubled(ProblemType.INSUFFICIENT_STORAGE);
        try (var client = client(LONG)) {
            assertRefused(client, ProblemType.INSUFFICIENT_STORAGE);
        }
        assertThat(second.asked).isEmpty();
    }

    @Test
    void theHighestRevisionIsAskedForEverywhere() throws IOException {
        first.revision.set(5);
        try (var client = client(LONG)) {
            var _ = client.nodes();
            first.close();
            var _ = client.nodes();
            var _ = client.nodes();
        }
        assertThat(second.asked).containsExactly("GET /v1/nodes?revision=5", "GET /v1/nodes?revision=7");
    }

    @Test
    void whatARefusalShowedIsNotReadBehind() throws IOException {
        first.troubled(ProblemType.UNKNOWN_DATASET);
        try (var client = client(LONG)) {
            assertRefused(client, ProblemType.UNKNOWN_DATASET);
            first.close();
            var _ = client.nodes();
        }
        assertThat(second.asked).containsExactly("GET /v1/nodes?revision=7");
    }

    @Test
    void nobodyReadsBackwards() throws IOException {
        second.revision.set(6);
        try (var client = client(LONG)) {
            assertThat(client.nodes().revision()).isEqualTo(7);
            first.close();
            assertThat(client.nodes().revision()).as("not that of the second").isEqualTo(7);
        }
        assertThat(third.asked).containsExactly("GET /v1/nodes?revision=7");
    }

    @Test
    void whatIsAskedKeepsItsOwnQuery() throws IOException {
        try (var client = client(LONG)) {
            var _ = client.nodes();
            // The answer is not of this kind.
            assertThatThrownBy(() -> client.upToDate().versionsInWork(VersionState.BUILDING, Optional.of("a/v1"), 3))
                    .isInstanceOf(IOException.class);
        }
        assertThat(first.asked.getLast())
                .isEqualTo("GET /v1/versions?state=building&limit=3&after=a%2Fv1&revision=7&read=latest");
    }

    @Test
    void aSingleReplicaIsToldNoRevision() throws IOException {
        try (var client = new MetadataClient(List.of(first.url()), null, LONG, 1 << 20)) {
            var _ = client.nodes();
            var _ = client.nodes();
            var _ = client.upToDate().nodes();
        }
        assertThat(first.asked).containsExactly("GET /v1/nodes", "GET /v1/nodes", "GET /v1/nodes?read=latest");
    }

    @Test
    void aCommandGoesWholeToTheNextReplica() throws IOException {
        first.breaksOff();
        try (var client = new MetadataClient(urls(), new WriteToken("a-token-of-the-tests"))) {
            client.reading("g", new ReaderReport(List.of("demo/v1")));
        }
        assertThat(second.asked).containsExactly("PUT /v1/readers/g");
        assertThat(second.bodies).isEqualTo(first.bodies.subList(0, 1));
        assertThat(second.bodies.getFirst()).contains("demo/v1");
    }

    @Test
    void whereNoneAnswersEachIsAskedOnceAndTheCallSaysWhichIsSilent() throws IOException {
        third.close();
        first.troubled(ProblemType.INTERNAL);
        second.troubled(ProblemType.INTERNAL);
        try (var client = client(LONG)) {
            assertThatThrownBy(client::nodes)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("metadata-svc at " + third.url() + " does not answer: ")
                    .satisfies(e -> assertThat(e.getSuppressed()).hasSize(2));
        }
        assertThat(first.asked).hasSize(1);
        assertThat(second.asked).hasSize(1);
    }

    @Test
    void whatAReplicaSaysIsToldRatherThanThatAnotherIsSilent() {
        first.close();
        second.troubled(ProblemType.NOT_READY);
        third.close();
        try (var client = client(LONG)) {
            assertThatThrownBy(client::nodes)
                    .isInstanceOfSatisfying(
                            TarponException.class, e -> assertThat(e.detail()).isEqualTo("says " + second.url()));
        }
    }

    @Test
    void aQuestionAndAHeartbeatShareTheirTimeAmongTheReplicas() {
        Stream.of(first, second, third).forEach(ReplicaStandIn::fallsSilent);
        try (var client = client(Duration.ofMillis(600))) {
            assertThatThrownBy(client::nodes).hasMessageContaining("no whole answer within 200 ms");
            assertThatThrownBy(() -> client.heartbeat("n", new Heartbeat(0, 0)))
                    .hasMessageContaining("no whole answer within 200 ms");
        }
    }

    @Test
    void aCommandHasItsWholeTimeAtEachReplica() {
        Stream.of(first, second, third).forEach(ReplicaStandIn::fallsSilent);
        try (var client = client(Duration.ofMillis(200))) {
            assertThatThrownBy(() -> client.remove(DEMO)).hasMessageContaining("no whole answer within 200 ms");
        }
        assertThat(List.of(first.asked, second.asked, third.asked)).allMatch(asked -> asked.size() == 1);
    }

    private static void assertRefused(MetadataClient client, ProblemType type) {
        assertThatThrownBy(() -> client.dataset(DEMO))
                .isInstanceOfSatisfying(
                        TarponException.class, e -> assertThat(e.type()).isEqualTo(type));
    }

    private MetadataClient client(Duration timeout) {
        return new MetadataClient(urls(), null, timeout, 1 << 20);
    }

    private List<URI> urls() {
        return Stream.of(first, second, third).map(ReplicaStandIn::url).toList();
    }
}
