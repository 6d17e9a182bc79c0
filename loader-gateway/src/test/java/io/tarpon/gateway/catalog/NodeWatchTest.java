package io.tarpon.gateway.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.gateway.fixture.MetadataDouble;
import io.tarpon.gateway.fixture.NodeDouble;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.client.MetadataClient;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a gateway believes of its nodes when metadata-svc says that there are none.
@NullUnmarked // The test framework fills the fields.
class NodeWatchTest {
    private static final Duration EVERY = Duration.ofMillis(10);
    private static final Duration LONG = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @Test
    void allNodesGoneAtOnceAreStillAskedWhileThatIsDoubted() throws IOException {
        try (var metadata = new MetadataDouble();
                var client = MetadataClient.readOnly(metadata.url());
                var one = new NodeDouble("n1", "host-1", folder);
                var two = new NodeDouble("n2", "host-2", folder);
                var watch = new NodeWatch(client, EVERY, LONG, Duration.ofMinutes(5))) {
            metadata.nodes(List.of(one.record(), two.record()));
            watch.start();
            Deadline.until("both are known", () -> watch.nodes().count() == 2);
            metadata.nodes(List.of());
            awaitAnswers(metadata);
            assertThat(watch.nodes().count()).as("none at once is not believed").isEqualTo(2);
            metadata.nodes(List.of(two.record()));
            Deadline.until("one of two is", () -> watch.nodes().count() == 1);
        }
    }

    @Test
    void noNodesAreBelievedInTheEnd() throws IOException {
        try (var metadata = new MetadataDouble();
                var client = MetadataClient.readOnly(metadata.url());
                var one = new NodeDouble("n1", "host-1", folder);
                var watch = new NodeWatch(client, EVERY, LONG, Duration.ofMillis(300))) {
            metadata.nodes(List.of(one.record()));
            watch.start();
            Deadline.until("it is known", () -> watch.nodes().count() == 1);
            metadata.nodes(List.of());
            Deadline.until("that there is none any more", () -> watch.nodes().count() == 0);
        }
    }

    @Test
    void nodesThatDoNotChangeAreNotPutTogetherAnew() throws IOException {
        try (var metadata = new MetadataDouble();
                var client = MetadataClient.readOnly(metadata.url());
                var one = new NodeDouble("n1", "host-1", folder);
                var watch = new NodeWatch(client, EVERY, Duration.ZERO, Duration.ZERO)) {
            metadata.nodes(List.of(one.record()));
            watch.start();
            Deadline.until("it is known", () -> watch.nodes().count() == 1);
            var nodes = watch.nodes();
            awaitAnswers(metadata);
            assertThat(watch.nodes()).as("with the owners that it remembers").isSameAs(nodes);
        }
    }

    /// Some whole questions and their answers.
    private static void awaitAnswers(MetadataDouble metadata) {
        var asked = metadata.nodeRequests();
        Deadline.until("some answers", () -> metadata.nodeRequests() > asked + 5);
    }
}
