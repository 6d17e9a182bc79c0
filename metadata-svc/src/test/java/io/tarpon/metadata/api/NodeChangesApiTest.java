package io.tarpon.metadata.api;

import static io.tarpon.metadata.Fixtures.node;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.metadata.NodeWatch;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.client.NodeFollower;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.Heartbeat;
import io.tarpon.wire.metadata.NodeChanges;
import io.tarpon.wire.metadata.NodeList;
import io.tarpon.wire.metadata.NodeRecord;
import io.tarpon.wire.metadata.NodeState;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Changes of the nodes, as those see them who wait for them over HTTP.
@QuarkusTest
@QuarkusTestResource(ServiceFolder.class)
class NodeChangesApiTest {
    private static final Duration LONG = Duration.ofSeconds(25);

    @TestHTTPResource
    URI base;

    @Inject
    NodeWatch watch;

    private final String id = "node-" + UUID.randomUUID();
    private MetadataClient client;

    @BeforeEach
    void connect() {
        client = new MetadataClient(base, new WriteToken(ServiceFolder.TOKEN));
    }

    @AfterEach
    void disconnect() throws IOException {
        client.leave(id);
        client.close();
    }

    @Test
    void whoFollowsSeesANodeComeFallSilentLiveAgainAndGo() throws Exception {
        var told = new CopyOnWriteArrayList<String>();
        var misses = new AtomicInteger();
        var follower = new NodeFollower.Follower() {
            @Override
            public boolean told(NodeList nodes) {
                told.add(stateOf(nodes.nodes()));
                return true;
            }

            @Override
            public void missed(Throwable reason) {
                misses.incrementAndGet();
            }
        };
        try (var following = new NodeFollower(client, Duration.ofMillis(10), LONG, follower)) {
            following.start();
            Deadline.until("he is told", () -> told.equals(List.of("away")));
            client.join(id, node(1));
            Deadline.until("it is up", () -> told.getLast().equals("up"));
            Deadline.until("it is lost", () -> told.getLast().equals("lost"));
            client.heartbeat(id, new Heartbeat(3, 400));
            Deadline.until(
                    "it is up again",
                    () -> told.contains("lost") && told.getLast().equals("up"));
            client.leave(id);
            Deadline.until("it is gone", () -> told.getLast().equals("away"));
        }
        assertThat(misses).hasValue(0);
    }

    private static List<String> ids(NodeChanges changes) {
        return changes.nodes().stream().map(NodeRecord::id).toList();
    }

    @Test
    void manyChangesComeAsOneAnswerAndMakeTheListThatIs() throws Exception {
        var before = client.nodeChanges("none", Duration.ZERO);
        var ids = new ArrayList<String>();
        for (int i = 0; i < 50; i++) {
            ids.add(id + "-" + i);
            client.join(ids.getLast(), node(i));
        }
        var changes = client.nodeChanges(before.tag(), LONG);
        // Nodes of other tests, which fall silent, are among the changes.
        for (int i = 0; !ids(changes).containsAll(ids) && i < 1_000; i++) {
            changes = client.nodeChanges(before.tag(), LONG);
        }
        assertThat(changes.since()).isEqualTo(before.tag());
        assertThat(ids(changes)).containsAll(ids);
        assertThat(changes.after(before.after(new NodeList(0, List.of()))).nodes())
                .extracting(NodeRecord::id)
                .containsExactlyElementsOf(
                        client.nodes().nodes().stream().map(NodeRecord::id).toList());
        for (var joined : ids) {
            client.leave(joined);
        }
    }

    @Test
    void whereNothingChangesTheAnswerSaysSoInAFewBytes() throws Exception {
        var quiet = settled();
        var answer = raw("/v1/node-changes?since=" + quiet.tag() + "&wait-millis=0");
        assertThat(answer).startsWith("HTTP/1.1 200");
        assertThat(answer.substring(answer.indexOf("\r\n\r\n") + 4))
                .isEqualTo("{\"tag\":\"%s\",\"since\":\"%s\",\"revision\":%d,\"nodes\":[],\"left\":[]}"
                        .formatted(quiet.tag(), quiet.tag(), quiet.revision()));
    }

    @Test
    void whoClosesHisConnectionLeavesHisPlace() throws Exception {
        var before = watch.watchers();
        try (var socket = ask("/v1/node-changes?since=" + settled().tag() + "&wait-millis=25000", "")) {
            Deadline.until("he waits", () -> watch.watchers() == before + 1);
            socket.close();
            Deadline.until("he is forgotten", () -> watch.watchers() == before);
        }
    }

    /// Once no node of any test is about to be lost.
    private NodeChanges settled() throws IOException {
        Deadline.until(
                "all are lost", () -> client.nodes().nodes().stream().allMatch(node -> node.state() == NodeState.LOST));
        return client.nodeChanges("none", Duration.ZERO);
    }

    private String stateOf(List<NodeRecord> nodes) {
        return nodes.stream()
                .filter(node -> node.id().equals(id))
                .map(node -> node.state().wireName())
                .findFirst()
                .orElse("away");
    }

    private String raw(String path) throws IOException {
        try (var socket = ask(path, "Connection: close\r\n")) {
            return new String(socket.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    private Socket ask(String path, String header) throws IOException {
        var socket = new Socket(base.getHost(), base.getPort());
        socket.setSoTimeout(20_000);
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: a\r\n" + header + "\r\n").getBytes(US_ASCII));
        return socket;
    }
}
