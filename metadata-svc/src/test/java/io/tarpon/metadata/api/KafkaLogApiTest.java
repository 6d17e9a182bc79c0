package io.tarpon.metadata.api;

import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.VersionState;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// A service whose log is in Kafka, through the death of the broker.
@QuarkusTest
@QuarkusTestResource(value = KafkaServiceFolder.class, restrictToAnnotatedClass = true)
class KafkaLogApiTest {
    private static final DatasetName DEMO = new DatasetName("demo");
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TestHTTPResource
    URI base;

    private final HttpClient http = HttpClient.newHttpClient();

    @Test
    void withoutABrokerWhatIsKnownIsReadAndNothingIsAcknowledged() throws Exception {
        try (var client = new MetadataClient(base, new WriteToken(ServiceFolder.TOKEN))) {
            Deadline.until(PATIENCE, "the log is reached", () -> isReady());
            var begun = client.begin(DEMO, new BeginVersion("a", SPEC));
            client.plan(DEMO, begun.version(), plan("p", 1, 0));
            var ref = new ShardRef(DEMO, begun.version(), TRAIN, new ShardName(0));
            client.seal(ref, seal(0, "content"));
            var sealed = client.version(DEMO, begun.version());
            assertThat(sealed.state()).isEqualTo(VersionState.SEALED);

            KafkaServiceFolder.kafka().kill();
            Deadline.until(
                    PATIENCE,
                    "commands are refused",
                    () -> send("PUT", "/v1/datasets/other", body()).body().contains("nothing was changed"));
            var refused = send("PUT", "/v1/datasets/other", body());
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("not-ready").contains("nothing was changed");
            assertThat(refused.headers().firstValue("Retry-After")).contains("1");
            assertThat(client.version(DEMO, begun.version())).isEqualTo(sealed);
            assertThat(client.shard(ref).seal()).isEqualTo(seal(0, "content"));
            assertThat(isReady()).as("reads are served").isTrue();
            // What is not known here may be there.
            assertThat(send("GET", "/v1/datasets/other", "").statusCode()).isEqualTo(503);
            assertThat(send("GET", "/v1/datasets/demo/versions/v1?read=latest", "")
                            .statusCode())
                    .isEqualTo(503);

            KafkaServiceFolder.kafka().startAgain();
            Deadline.until(PATIENCE, "commands are taken", () -> registers(client));
            assertThat(send("GET", "/v1/datasets/demo/versions/v1?read=latest", "")
                            .statusCode())
                    .isEqualTo(200);
            assertThat(send("GET", "/v1/datasets/none", "").statusCode()).isEqualTo(404);
            assertThat(client.version(DEMO, begun.version())).isEqualTo(sealed);
        }
    }

    private static boolean registers(MetadataClient client) throws IOException {
        try {
            client.register(new DatasetName("other"), SPEC);
            return true;
        } catch (TarponException e) {
            assertThat(e.type().retryable()).isTrue();
            return false;
        }
    }

    private static String body() {
        return new String(io.tarpon.wire.json.Json.bytes(SPEC), java.nio.charset.StandardCharsets.UTF_8);
    }

    private boolean isReady() throws IOException, InterruptedException {
        return send("GET", "/q/health/ready", "").statusCode() == 200;
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(base.resolve(path))
                .header("Authorization", "Bearer " + ServiceFolder.TOKEN)
                .header("Content-Type", "application/json")
                .method(
                        method,
                        body.isEmpty()
                                ? HttpRequest.BodyPublishers.noBody()
                                : HttpRequest.BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }
}
