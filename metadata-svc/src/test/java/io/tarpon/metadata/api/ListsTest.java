package io.tarpon.metadata.api;

import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.seal;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.BeginVersion;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Lists with room for one at a time.
@QuarkusTest
@TestProfile(ListsTest.Profile.class)
class ListsTest {
    private static final int SHARDS = 64;

    /// More than the kernel takes of an answer that nobody reads.
    private static final int ANSWERS = 40;

    public static final class Profile implements QuarkusTestProfile {
        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "tarpon.metadata.read-bytes", "4M",
                    "tarpon.metadata.read-wait", "PT0.05S",
                    "tarpon.metadata.read-hold", "PT3S");
        }

        @Override
        public List<TestResourceEntry> testResources() {
            return List.of(new TestResourceEntry(ServiceFolder.class));
        }
    }

    @TestHTTPResource
    URI base;

    @Test
    void whoDoesNotReadAListHoldsUpOtherListsForAWhileAndNothingElse() throws Exception {
        var shards = largePage();
        try (var slow = new Socket();
                var http = HttpClient.newHttpClient()) {
            slow.setReceiveBufferSize(4_096);
            slow.connect(new InetSocketAddress(base.getHost(), base.getPort()));
            var request = "GET " + shards + " HTTP/1.1\r\nHost: a\r\n\r\n";
            slow.getOutputStream().write(request.repeat(ANSWERS).getBytes(US_ASCII));

            Deadline.until("no room for another list", () -> isRefusedForAWhile(http));
            var refused = get(http, "/v1/datasets");
            assertThat(refused.statusCode()).isEqualTo(503);
            assertThat(refused.body()).contains("urn:tarpon:problem:overloaded");
            assertThat(refused.headers().firstValueAsLong("Retry-After").orElseThrow())
                    .isPositive();
            assertThat(get(http, "/v1/datasets/large/versions/v1").statusCode()).isEqualTo(200);
            assertThat(get(http, "/q/health/ready").statusCode()).isEqualTo(200);

            Deadline.until("the list is given up", () -> get(http, shards).statusCode() == 200);
            var again = get(http, shards);
            assertThat(again.statusCode()).isEqualTo(200);
            assertThat(readRest(slow)).isLessThan((long) ANSWERS * again.body().length());
        }
    }

    @Test
    void whoAsksForARevisionThatIsNotHereWaitsInNobodysWay() throws Exception {
        try (var http = HttpClient.newHttpClient()) {
            var waiting = http.sendAsync(request("/v1/datasets?revision=999999999"), BodyHandlers.ofString());
            while (!waiting.isDone()) {
                assertThat(get(http, "/v1/nodes").statusCode()).isEqualTo(200);
            }
            assertThat(waiting.join().body()).contains("not-ready");
        }
    }

    /// Not only while one of the answers that the kernel still takes is on its way.
    private boolean isRefusedForAWhile(HttpClient http) throws IOException, InterruptedException {
        for (int i = 0; i < 10; i++) {
            if (get(http, "/v1/nodes").statusCode() != 503) {
                return false;
            }
        }
        return true;
    }

    /// Bytes until the connection ends, by whichever end it has.
    private static long readRest(Socket socket) throws IOException {
        socket.setSoTimeout(20_000);
        long count = 0;
        var buffer = new byte[1 << 16];
        try {
            for (int read = 0; read >= 0; read = socket.getInputStream().read(buffer)) {
                count += read;
            }
        } catch (SocketException e) {
            // Reset: it was cut off.
        }
        return count;
    }

    /// The path of a page of some 900 KB.
    private String largePage() throws IOException {
        var dataset = new DatasetName("large");
        try (var client = new MetadataClient(base, new WriteToken(ServiceFolder.TOKEN))) {
            var version = client.begin(dataset, new BeginVersion("large", SPEC)).version();
            client.plan(dataset, version, plan("large", SHARDS, 0));
            for (int shard = 0; shard < SHARDS; shard++) {
                client.seal(
                        new ShardRef(dataset, version, TRAIN, new ShardName(shard)),
                        seal(shard, "large" + shard, 7_000));
            }
            return "/v1/datasets/large/versions/" + version + "/splits/train/shards";
        }
    }

    private HttpResponse<String> get(HttpClient http, String path) throws IOException, InterruptedException {
        return http.send(request(path), BodyHandlers.ofString());
    }

    private HttpRequest request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).build();
    }
}
