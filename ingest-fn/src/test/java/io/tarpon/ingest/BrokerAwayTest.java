package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.testkit.KafkaProcess;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/// The service as it runs, with a broker that dies and comes back: what was accepted is planned, and what was not is
/// said not to be.
@QuarkusTest
@TestProfile(BrokerAwayTest.Profile.class)
class BrokerAwayTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// A service of its own, which gives a message up sooner.
    public static final class Profile implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "mp.messaging.outgoing.accepted.max.block.ms", "1000",
                    "mp.messaging.outgoing.accepted.request.timeout.ms", "1000",
                    "mp.messaging.outgoing.accepted.delivery.timeout.ms", "2000");
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
        var folder = Files.createDirectory(Path.of(sources, "away"));
        Files.writeString(folder.resolve("a.cls"), "1");
        assertThat(post("before", folder).statusCode()).isEqualTo(202);
        var before = planned("before");

        kafka.kill();
        var refused = post("during", folder);
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(503);
        assertThat(refused.body()).contains("urn:tarpon:problem:not-ready").contains("same id");
        assertThat(refused.headers().firstValue("Retry-After")).isPresent();

        kafka.startAgain();
        Files.writeString(folder.resolve("b.cls"), "2");
        eventually("accepted", () -> post("during", folder).statusCode() == 202 ? Optional.of(true) : Optional.empty());
        var during = planned("during");
        assertThat(during.version().number()).isEqualTo(before.version().number() + 1);
        assertThat(planned("before").version()).isEqualTo(before.version());

        // Sent again by somebody who does not believe it.
        assertThat(post("during", folder).statusCode()).isEqualTo(202);
        assertThat(post("after", folder).statusCode()).isEqualTo(202);
        planned("after");
        assertThat(planned("during").version()).isEqualTo(during.version());
    }

    private HttpResponse<String> post(String id, Path folder) throws Exception {
        var event = "{\"specversion\":\"1.0\",\"id\":\"" + id + "\",\"source\":\"/test\",\"type\":\""
                + DatasetUploaded.TYPE + "\",\"data\":{\"source\":\"file://" + folder + "\",\"dataset\":\"away\"}}";
        try (var http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(service)
                    .header("Authorization", "Bearer " + IngestSurroundings.TOKEN)
                    .header("Content-Type", Events.CONTENT_TYPE)
                    .POST(BodyPublishers.ofString(event))
                    .build();
            return http.send(request, BodyHandlers.ofString());
        }
    }

    /// The version of a request once it is planned.
    private VersionRecord planned(String requestId) throws Exception {
        try (var metadata = MetadataClient.readOnly(metadataUrl)) {
            return eventually(
                    requestId,
                    () -> metadata.versionOfRequest(requestId)
                            .filter(version -> version.state() != VersionState.PLANNING));
        }
    }

    private interface Look<T> {
        Optional<T> look() throws Exception;
    }

    private static <T> T eventually(String what, Look<T> look) throws Exception {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (System.nanoTime() < deadline) {
            var found = look.look();
            if (found.isPresent()) {
                return found.get();
            }
            LockSupport.parkNanos(50_000_000);
        }
        throw new AssertionError("not " + what + " within " + PATIENCE);
    }
}
