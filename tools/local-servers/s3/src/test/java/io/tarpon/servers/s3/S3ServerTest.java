package io.tarpon.servers.s3;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tarpon.servers.Listening;
import io.tarpon.servers.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.S3Exception;

class S3ServerTest {
    private static final int HEAP_MIB = 192;
    private static final String SECRET = "correct-horse";

    @TempDir
    private static Path dataDir;

    private static ServerProcess server;

    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void startServer() throws Exception {
        server = start(dataDir, Map.of());
    }

    @AfterAll
    static void stopServer() throws Exception {
        server.close();
    }

    private static ServerProcess start(Path dataDir, Map<String, String> environment) throws Exception {
        return ServerProcess.start(
                S3Server.class,
                HEAP_MIB,
                environment,
                "--data-dir",
                dataDir.toString(),
                "--bucket",
                "raw",
                "--bucket",
                "tarpon");
    }

    @Test
    void objectIsListedAndReadBackByRange() throws Exception {
        put(server, "raw/cats/1.jpg", "0123456789");
        assertThat(get(server, "raw?list-type=2&prefix=cats/").body())
                .contains("<Key>cats/1.jpg</Key>", "<Size>10</Size>");
        HttpResponse<String> range = http.send(
                request(server, "raw/cats/1.jpg").header("Range", "bytes=2-4").build(), BodyHandlers.ofString());
        assertThat(range.statusCode()).isEqualTo(206);
        assertThat(range.body()).isEqualTo("234");
    }

    @Test
    void bucketNotAskedForIsNotThere() throws Exception {
        assertThat(get(server, "other?list-type=2").statusCode()).isEqualTo(404);
    }

    @Test
    void objectsOutliveStopAndKill(@TempDir Path ownDir) throws Exception {
        try (ServerProcess first = start(ownDir, Map.of())) {
            put(first, "tarpon/a", "one");
        }
        ServerProcess second = start(ownDir, Map.of());
        put(second, "tarpon/b", "two");
        second.kill();
        try (ServerProcess third = start(ownDir, Map.of())) {
            assertThat(get(third, "tarpon/a").body()).isEqualTo("one");
            assertThat(get(third, "tarpon/b").body()).isEqualTo("two");
        }
    }

    @Test
    void withKeysOnlyTheRightSignatureIsServed(@TempDir Path ownDir) throws Exception {
        Map<String, String> keys = Map.of("AWS_ACCESS_KEY_ID", "tarpon", "AWS_SECRET_ACCESS_KEY", SECRET);
        try (ServerProcess guarded = start(ownDir, keys);
                S3Client right = client(guarded, SECRET);
                S3Client wrong = client(guarded, "battery-staple")) {
            right.putObject(put -> put.bucket("raw").key("k"), RequestBody.fromString("v"));
            assertThat(right.getObjectAsBytes(get -> get.bucket("raw").key("k")).asUtf8String())
                    .isEqualTo("v");
            assertThatExceptionOfType(S3Exception.class)
                    .isThrownBy(() ->
                            wrong.getObjectAsBytes(get -> get.bucket("raw").key("k")))
                    .satisfies(e -> assertThat(e.statusCode()).isEqualTo(403));
            assertThat(get(guarded, "raw/k").statusCode()).isEqualTo(403);
        }
    }

    @Test
    void everySocketIsOnLoopback() throws Exception {
        assumeTrue(Listening.known(), "needs /proc/net/tcp");
        assertThat(Listening.addresses(server.pid())).hasSize(1).isSubsetOf(Listening.LOOPBACK);
    }

    @Test
    void takenPortIsRefusedInOneLine(@TempDir Path ownDir) throws Exception {
        ServerProcess.Ended ended = ServerProcess.refused(
                S3Server.class, "--data-dir", ownDir.toString(), "--port", Integer.toString(server.port()));
        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.out()).isEmpty();
        assertThat(ended.err())
                .startsWith("s3: cannot listen on 127.0.0.1:" + server.port())
                .hasLineCount(1);
    }

    @Test
    void badArgumentsAreRefusedInOneLine(@TempDir Path ownDir) throws Exception {
        ServerProcess.Ended bucket =
                ServerProcess.refused(S3Server.class, "--data-dir", ownDir.toString(), "--bucket", "My_Bucket");
        assertThat(bucket.status()).isEqualTo(2);
        assertThat(bucket.err()).isEqualTo("s3: --bucket must be 3 to 63 of [a-z0-9.-], not \"My_Bucket\"");
        ServerProcess.Ended key =
                ServerProcess.refused(S3Server.class, "--data-dir", ownDir.toString(), "--access-key", "k");
        assertThat(key.status()).isEqualTo(2);
        assertThat(key.err()).isEqualTo("s3: an access key and a secret key come together or not at all");
    }

    private static S3Client client(ServerProcess server, String secret) {
        return S3Client.builder()
                .endpointOverride(URI.create("http://127.0.0.1:" + server.port()))
                .region(Region.US_EAST_1)
                .forcePathStyle(true)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("tarpon", secret)))
                .build();
    }

    private static HttpRequest.Builder request(ServerProcess server, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/" + path));
    }

    private HttpResponse<String> get(ServerProcess server, String path) throws Exception {
        return http.send(request(server, path).build(), BodyHandlers.ofString());
    }

    private void put(ServerProcess server, String path, String body) throws Exception {
        HttpRequest put =
                request(server, path).PUT(BodyPublishers.ofString(body)).build();
        assertThat(http.send(put, BodyHandlers.discarding()).statusCode()).isEqualTo(200);
    }
}
