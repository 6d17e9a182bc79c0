package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.metadata.VersionState;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.junit.jupiter.api.Test;

/// A real topic of plans that loses its records before anybody reads them.
@QuarkusTest
@TestProfile(LostMessagesTest.Profile.class)
class LostMessagesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// A service of its own, which looks for versions that stand still more often.
    public static final class Profile implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of("tarpon.ingest.resend-after", "PT1S");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(IngestSurroundings.class));
        }
    }

    SmallMetadata metadata;

    @TestHTTPResource
    URI service;

    @ConfigProperty(name = "kafka.bootstrap.servers")
    String broker;

    @ConfigProperty(name = "tarpon.directory-roots")
    String sources;

    @Test
    void messagesThatNobodyReadAreSentAgainUntilTheirShardsAreSealed() throws Exception {
        var uploads = new Uploads(service, metadata.url());
        var folder = Uploads.folder(Path.of(sources, "lost"), 40, 3_000);
        assertThat(uploads.post("lost", "demo", folder, Uploads.SMALL_SHARDS).statusCode())
                .isEqualTo(202);
        Deadline.until(
                PATIENCE,
                "planned",
                () -> uploads.version("lost")
                        .filter(it -> it.state() == VersionState.BUILDING)
                        .isPresent());
        var version = uploads.version("lost").orElseThrow();
        int shards = version.splits().getFirst().shards();
        assertThat(shards).isGreaterThan(3);
        try (var topic = new PlanRecords(broker)) {
            Deadline.until(PATIENCE, "sent", () -> topic.keys().size() == shards);
            var unsealed = new TreeSet<>(topic.keys());

            topic.delete();
            assertThat(topic.keys()).isEmpty();
            metadata.seal("v1", "train", "shard-000001");
            metadata.standStill(version.version(), Instant.EPOCH);
            metadata.itIs(Instant.EPOCH.plus(Duration.ofHours(1)));

            unsealed.remove("demo/v1/train/shard-000001");
            Deadline.until(PATIENCE, "sent again", () -> topic.keys().size() >= unsealed.size());
            assertThat(topic.keys()).isEqualTo(unsealed);
        }
        metadata.sealAll("v1");
        assertThat(metadata.version("v1").state()).isEqualTo(VersionState.SEALED);
    }
}
