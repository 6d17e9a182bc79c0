package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.KafkaProcess;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/// The service as it runs, with a broker that dies and comes back: what was accepted is planned, and what was not is
/// said not to be.
@QuarkusTest
@TestProfile(BrokerAwayTest.Profile.class)
class BrokerAwayTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int TRIES = 5;

    private static final int FILES = 400;

    private static final int FILE_BYTES = 10_000;

    /// A service of its own, which gives a message up sooner.
    public static final class Profile implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "mp.messaging.outgoing.accepted.max.block.ms", "1000",
                    "mp.messaging.outgoing.accepted.request.timeout.ms", "1000",
                    "mp.messaging.outgoing.accepted.delivery.timeout.ms", "2000",
                    // A plan's messages take seconds: long enough to be met in the middle.
                    "mp.messaging.outgoing.plans.linger.ms", "300");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(IngestSurroundings.class));
        }
    }

    KafkaProcess kafka;

    @TestHTTPResource
    URI service;

    @ConfigProperty(name = "tarpon.metadata.url")
    URI metadataUrl;

    @ConfigProperty(name = "tarpon.directory-roots")
    String sources;

    @Test
    void anUploadIsAcceptedOnceTheBrokerHasItAndNotBefore() throws Exception {
        var uploads = new Uploads(service, metadataUrl);
        var folder = Files.createDirectory(Path.of(sources, "away"));
        Files.writeString(folder.resolve("a.cls"), "1");
        accepted("before", () -> uploads.post("before", "away", folder));
        var before = planned(uploads, "before");

        kafka.kill();
        var refused = uploads.post("during", "away", folder);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
        assertThat(refused.body()).contains("urn:tarpon:problem:not-ready").contains("same id");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();

        kafka.startAgain();
        Files.writeString(folder.resolve("b.cls"), "2");
        accepted("during", () -> uploads.post("during", "away", folder));
        var during = planned(uploads, "during");
        assertThat(during.version().number()).isEqualTo(before.version().number() + 1);
        assertThat(planned(uploads, "before").version()).isEqualTo(before.version());

        // Sent again by somebody who does not believe it.
        assertThat(uploads.post("during", "away", folder).statusCode()).isEqualTo(202);
        assertThat(uploads.post("after", "away", folder).statusCode()).isEqualTo(202);
        planned(uploads, "after");
        assertThat(planned(uploads, "during").version()).isEqualTo(during.version());
    }

    /// How many it had taken is read in its files, while it is dead.
    @Test
    void aBrokerThatIsKilledInTheMiddleOfAPlansMessagesMissesNone() throws Exception {
        var uploads = new Uploads(service, metadataUrl);
        for (int attempt = 1; ; attempt++) {
            var name = "middle" + attempt;
            var folder = Uploads.folder(Path.of(sources, name), FILES, FILE_BYTES);
            long before;
            try (var topic = new PlanRecords(kafka.brokers())) {
                before = topic.count();
                accepted(name, () -> uploads.post(name, name, folder, Uploads.SMALL_SHARDS));
                Deadline.until(PATIENCE, "the first messages", () -> topic.count() > before);
                kafka.kill();
            }
            var taken = kafka.recordsOnDisk(PlanRecords.TOPIC) - before;
            kafka.startAgain();
            var version = planned(uploads, name);
            var shards = version.splits().getFirst().shards();
            try (var topic = new PlanRecords(kafka.brokers())) {
                var keys = IntStream.range(0, shards)
                        .mapToObj(number -> name + "/" + version.version() + "/train/" + new ShardName(number))
                        .toList();
                Deadline.until(
                        PATIENCE, "a message of each shard", () -> topic.keys().containsAll(keys));
                assertThat(topic.keys())
                        .filteredOn(key -> key.startsWith(name + "/"))
                        .containsExactlyElementsOf(keys);
            }
            assertThat(uploads.version(name).orElseThrow().state()).isEqualTo(VersionState.BUILDING);
            if (taken < shards) {
                assertThat(taken).as("taken at the kill").isStrictlyBetween(0L, (long) shards);
                System.out.println("killed at message " + taken + " of " + shards);
                return;
            }
            assertThat(attempt).as("all were sent each time it was killed").isLessThan(TRIES);
        }
    }

    /// Until the producer has found a broker again that was away, it says so.
    private static void accepted(String id, Callable<HttpResponse<String>> post) throws Exception {
        Deadline.until(PATIENCE, id + " is accepted", () -> post.call().statusCode() == 202);
    }

    /// The version of a request once it is planned.
    private static VersionRecord planned(Uploads uploads, String requestId) throws Exception {
        Deadline.until(
                PATIENCE,
                requestId,
                () -> uploads.version(requestId)
                        .filter(version -> version.state() != VersionState.PLANNING)
                        .isPresent());
        return uploads.version(requestId).orElseThrow();
    }
}
