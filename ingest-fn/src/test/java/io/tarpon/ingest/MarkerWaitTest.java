package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.ingest.notice.Notifications;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/// The service as it runs, with a marker that is told of before it shows.
@QuarkusTest
@TestProfile(MarkerWaitTest.Profile.class)
class MarkerWaitTest {
    private static final int LOOKS = 4;

    public static final class Profile implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("tarpon.ingest.marker-waits", "PT0.1S,PT6S,PT6S", "tarpon.ingest.parallel", "1");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(IngestSurroundings.class), new TestResourceEntry(LateMarker.class));
        }
    }

    LateMarker marker;

    @ConfigProperty(name = "kafka.bootstrap.servers")
    String broker;

    @ConfigProperty(name = "tarpon.metadata.url")
    URI metadataUrl;

    @ConfigProperty(name = "tarpon.directory-roots")
    String sources;

    @Test
    void whatComesBehindANotificationThatWaitsForItsMarkerIsPlannedMeanwhile() throws Exception {
        var topic = new UploadTopicAtHand(broker);
        var folder = Files.createDirectory(Path.of(sources, "behind"));
        Files.writeString(folder.resolve("a.jpg"), "jpeg");
        // Of a time that nobody can read, so it counts as fresh.
        var notice = Notifications.minio("raw", "late/_SUCCESS").replace("2026-05-01T", "when:");
        long told = topic.send(0, notice, Map.of());
        Deadline.until("looked for", () -> marker.looks() > 0);

        long last = topic.upload(0, "behind", "behind", "file://" + folder);
        try (var metadata = MetadataClient.readOnly(metadataUrl)) {
            Deadline.until(
                    "planned",
                    () -> metadata.versionOfRequest("behind")
                            .filter(version -> version.state() == VersionState.BUILDING)
                            .isPresent());
            assertThat(marker.looks()).as("still waited for").isLessThan(LOOKS);
            assertThat(topic.committed(0)).isLessThan(told);

            marker.show();
            Deadline.until("requested by its marker", () -> isThere(metadata));
        }
        Deadline.until("committed", () -> topic.committed(0) >= last);
        assertThat(topic.deadLetters()).isZero();
    }

    /// The second version of all.
    private static boolean isThere(MetadataClient metadata) throws IOException {
        try {
            return metadata.version(new DatasetName("late"), new VersionId(2)).state() != VersionState.PLANNING;
        } catch (TarponException e) {
            return false;
        }
    }
}
