package io.tarpon.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.gateway.api.Listener;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.World;
import io.tarpon.gateway.fixture.WorldResource;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.index.DaliIndex;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.VersionState;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The public face of contracts section 2, over sockets, from the object store alone.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@QuarkusTestResource(WorldResource.class)
class GatewayTest {
    private static final String SHARD = "/d/photos/v2/train/shard-000001.tar";
    private static final MadeShard FIRST = MadeShard.of("class_a/one", new Random(1), 12, i -> i * 5_000);
    private static final MadeShard SECOND = MadeShard.of("two", new Random(2), 30, i -> 20_000 + i);

    private static boolean sealed;

    World world;

    @Inject
    Listener listener;

    private URI gateway;

    @BeforeEach
    void sealOnce() throws IOException {
        gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        world.metadata().nodes(List.of());
        if (!sealed) {
            sealed = true;
            world.seal("photos", 1, Map.of("train", List.of(SECOND)));
            world.seal("photos", 2, Map.of("train", List.of(FIRST, SECOND), "val", List.of(SECOND)));
            world.unsealed("photos", 3, VersionState.BUILDING, null);
            world.unsealed("photos", 4, VersionState.FAILED, "object a.jpg changed");
            world.unsealed("photos", 5, VersionState.REMOVED, "removed by rm");
        }
    }

    @Test
    void aShardIsServedWithItsValidators() throws IOException {
        var answer = RawClient.get(gateway, SHARD);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo(SECOND.tar());
        assertThat(answer.headers())
                .containsEntry("Content-Type", "application/x-tar")
                .containsEntry("ETag", "\"" + SECOND.index().shardSha256() + "\"")
                .containsEntry("Last-Modified", "Wed, 04 Mar 2026 05:06:07 GMT")
                .containsEntry("Accept-Ranges", "bytes")
                .containsEntry("Cache-Control", "max-age=31536000, immutable, no-transform")
                .containsEntry("X-Content-Type-Options", "nosniff")
                .doesNotContainKey("Content-Encoding");
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-0, 0, 1",
        "bytes=0-511, 0, 512",
        "bytes=1000-, 1000, -1",
        "bytes=-1024, -1024, -1",
        "bytes=-99999999999999999999999, 0, -1",
        "bytes=5-99999999999999999999999, 5, -1",
        "bytes=300000-600001, 300000, 600002",
        "BYTES = 7-8, 0, 0",
        "bytes= 7-8, 7, 9",
        "'bytes=0-1,5-6', 0, 0",
        "'bytes=0-1, 9-5', 0, 0",
        "bytes=x-y, 0, 0",
        "bytes=-, 0, 0",
        "items=0-5, 0, 0",
    })
    void aRangeIsThatSlice(String range, int from, int to) throws IOException {
        var tar = SECOND.tar();
        var answer = RawClient.get(gateway, SHARD, "Range: " + range);
        if (from == 0 && to == 0) {
            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.body()).isEqualTo(tar);
            return;
        }
        var start = from < 0 ? tar.length + from : from;
        var end = to < 0 ? tar.length : to;
        assertThat(answer.status()).isEqualTo(206);
        assertThat(answer.header("Content-Range")).isEqualTo("bytes " + start + "-" + (end - 1) + "/" + tar.length);
        assertThat(answer.header("ETag")).isEqualTo("\"" + SECOND.index().shardSha256() + "\"");
        assertThat(answer.body()).isEqualTo(Arrays.copyOfRange(tar, start, end));
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=5-2", "bytes=99999999-", "bytes=-0", "bytes=99999999999999999999-"})
    void anUnsatisfiableRangeSaysTheLength(String range) throws IOException {
        var answer = RawClient.get(gateway, SHARD, "Range: " + range);
        assertThat(answer.header("Content-Range")).isEqualTo("bytes */" + SECOND.tar().length);
        assertProblem(answer, 416, "range-not-satisfiable");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "If-None-Match: *                                 | 304",
                "If-None-Match: \"x\", W/TAG                      | 304",
                "If-None-Match: \"x\"                             | 206",
                "If-Match: TAG                                    | 206",
                "If-Match: W/TAG                                  | 412",
                "If-Match: \"x\"                                  | 412",
                "If-Modified-Since: Wed, 04 Mar 2026 05:06:07 GMT | 304",
                "If-Modified-Since: Wed, 04 Mar 2026 05:06:06 GMT | 206",
                "If-Modified-Since: nonsense                      | 206",
                "If-Unmodified-Since: Wed, 04 Mar 2026 05:06:06 GMT | 412",
                "If-Range: TAG                                    | 206",
                "If-Range: W/TAG                                  | 200",
                "If-Range: \"x\"                                  | 200",
                "If-Range: Wed, 04 Mar 2026 05:06:07 GMT          | 206",
                "If-Range: Wed, 04 Mar 2026 05:06:08 GMT          | 200",
            })
    void conditionsAreThoseOfRfc9110(String header, int status) throws IOException {
        var tag = "\"" + SECOND.index().shardSha256() + "\"";
        var answer = RawClient.get(gateway, SHARD, header.strip().replace("TAG", tag), "Range: bytes=0-9");
        assertThat(answer.status()).isEqualTo(status);
        if (status == 304) {
            assertThat(answer.header("ETag")).isEqualTo(tag);
            assertThat(answer.header("Cache-Control")).contains("immutable");
        }
    }

    @Test
    void headHasTheHeadersOfTheWholeAndIgnoresRange() throws IOException {
        for (var path : List.of(SHARD, "/d/photos/v2/train/samples/3", "/d/photos/v2/train/shard-000000.idx")) {
            var get = RawClient.get(gateway, path);
            var head = RawClient.ask(gateway, "HEAD", path, "Range: bytes=0-9");
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.headers()).isEqualTo(get.headers());
        }
    }

    @Test
    void aSampleIsItsBytesAndTwoZeroBlocksByOrdinalAndByKey() throws IOException {
        var inside = 5;
        var from = (int) SECOND.index().sampleOffset(inside);
        var length = (int) SECOND.index().sampleLength(inside);
        var expected = Arrays.copyOf(Arrays.copyOfRange(SECOND.tar(), from, from + length), length + 1024);
        var byOrdinal = RawClient.get(gateway, "/d/photos/v2/train/samples/" + (12 + inside));
        var byKey = RawClient.get(gateway, "/d/photos/v2/train/keys/two%2D" + inside);
        assertThat(byOrdinal.body()).isEqualTo(expected);
        assertThat(byKey.body()).isEqualTo(expected);
        assertThat(byKey.header("ETag")).isEqualTo(byOrdinal.header("ETag"));
    }

    @Test
    void aMemberIsItsBytesByOrdinalAndByKey() throws IOException {
        var member = FIRST.index().member(7, "jpg").orElseThrow();
        var expected =
                Arrays.copyOfRange(FIRST.tar(), (int) member.dataOffset(), (int) (member.dataOffset() + member.size()));
        for (var path : List.of("samples/7.jpg", "keys/class_a/one-7.jpg", "keys/class_a%2Fone-7%2Ejpg")) {
            var answer = RawClient.get(gateway, "/d/photos/v2/train/" + path);
            assertThat(answer.body()).as(path).isEqualTo(expected);
            assertThat(answer.header("Content-Type")).isEqualTo("application/octet-stream");
        }
    }

    @Test
    void anEmptyMemberIsAnEmptyBody() throws IOException {
        var answer = RawClient.get(gateway, "/d/photos/v2/train/samples/0.jpg");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.header("Content-Length")).isEqualTo("0");
        assertProblem(
                RawClient.get(gateway, "/d/photos/v2/train/samples/0.jpg", "Range: bytes=0-"),
                416,
                "range-not-satisfiable");
    }

    @Test
    void latestLeadsToTheHighestSealedVersion() throws IOException {
        var answer = RawClient.get(gateway, "/d/photos/latest/val/keys/two-1%2Ejpg");
        assertThat(answer.status()).isEqualTo(302);
        assertThat(answer.header("Location")).isEqualTo("http://gateway.test:7070/d/photos/v2/val/keys/two-1%2Ejpg");
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
    }

    @Test
    void listsNameTheHostThatWasAskedAndAreAskedForAgain() throws IOException {
        var urls = RawClient.get(gateway, "/d/photos/v2/train/urls.txt");
        assertThat(urls.text()).isEqualTo("""
            http://gateway.test:7070/d/photos/v2/train/shard-000000.tar
            http://gateway.test:7070/d/photos/v2/train/shard-000001.tar
            """);
        assertThat(urls.header("Cache-Control")).isEqualTo("no-cache");
        var again = RawClient.get(gateway, "/d/photos/v2/train/urls.txt", "If-None-Match: " + urls.header("ETag"));
        assertThat(again.status()).isEqualTo(304);
        var wids = Json.MAPPER.readTree(
                RawClient.get(gateway, "/d/photos/v2/train/wids.json").body());
        assertThat(wids.at("/shardlist/1/nsamples").asInt()).isEqualTo(30);
        assertThat(wids.at("/shardlist/1/url").asText()).isEqualTo("http://gateway.test:7070" + SHARD);
    }

    @Test
    void theDaliIndexIsThatOfTheShard() throws IOException {
        var answer = RawClient.get(gateway, "/d/photos/v2/train/shard-000001.idx");
        assertThat(answer.body()).isEqualTo(DaliIndex.render(SECOND.index()));
        assertThat(answer.header("Content-Type")).startsWith("text/plain");
    }

    @ParameterizedTest
    @CsvSource({
        "/d/photos/v2/train/shard-0.tar, 404, unknown-shard",
        "/d/photos/v2/train/shard-000002.tar, 404, unknown-shard",
        "/d/photos/v2/train/shard-000002.idx, 404, unknown-shard",
        "/d/nothing/v1/train/shard-000000.tar, 404, unknown-dataset",
        "/d/nothing/latest/train/shard-000000.tar, 404, unknown-dataset",
        "/d/photos/v99/train/shard-000000.tar, 404, unknown-version",
        "/d/photos/v2/test/shard-000000.tar, 404, unknown-split",
        "/d/photos/v2/train/samples/42, 404, unknown-sample",
        "/d/photos/v2/train/keys/three-1, 404, unknown-sample",
        "/d/photos/v2/train/keys/two-1/, 404, unknown-sample",
        "/d/photos/v2/train/samples/1.JPG, 404, unknown-member",
        "/d/photos/v2/train/keys/two-1.png, 404, unknown-member",
        "/d/photos/v3/train/shard-000000.tar, 409, version-not-sealed",
        "/d/photos/v4/train/samples/0, 409, version-not-sealed",
        "/d/photos/v5/train/urls.txt, 410, version-removed",
        "/d/photos/v2/train/samples/01, 400, bad-parameter",
        "/d/PHOTOS/v2/train/samples/1, 400, bad-parameter",
        "/d/photos/2/train/samples/1, 400, bad-parameter",
        "/d/photos/v2/train/samples/1?fields=jpg, 400, bad-parameter",
        "/d/photos/v2/train/../train/samples/1, 404, not-found",
        "/d/photos/v2, 404, not-found",
        "/nowhere, 404, not-found",
        "/v1/nowhere, 404, not-found",
        "/v1/datasets/photos/v2/nowhere, 404, not-found",
        "/v1/datasets/nothing/v1, 404, unknown-dataset",
        "/v1/datasets/photos/v99, 404, unknown-version",
        "/v1/datasets/photos/v2/test/shards, 404, unknown-split",
        "/v1/datasets/photos/v02, 400, bad-parameter",
        "/v1/datasets?page=2, 400, bad-parameter",
        "/v1/datasets/photos/v2/train/shards?limit=1&limit=2, 400, bad-parameter",
        "/v1/datasets/photos/v2/train/shards?limit=10001, 400, bad-parameter",
        "/v1/datasets/photos/v2/train/shards?limit=01, 400, bad-parameter",
        "/v1/datasets/photos/v2/train/shards?after=shard-1, 400, bad-parameter",
        "/v1/datasets/photos/v3/report, 404, not-found",
    })
    void whatIsNotThereIsSaidByItsName(String path, int status, String name) throws IOException {
        assertProblem(RawClient.get(gateway, path), status, name);
        var head = RawClient.ask(gateway, "HEAD", path);
        assertThat(head.status()).isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/nowhere", "/v1/nowhere", "/v1/datasets/photos/v2/nowhere", "/v1/datasets/"})
    void aPathThatIsNotThereIsNamed(String path) throws IOException {
        assertThat(Json.MAPPER
                        .readTree(RawClient.get(gateway, path).body())
                        .get("detail")
                        .asText())
                .contains("'" + path + "'")
                .contains("/v1/datasets");
    }

    @Test
    void theHostOfAWholeUrlAsTargetWinsOverHost() throws IOException {
        try (var client = new RawClient(gateway)) {
            client.send("GET", "http://gateway.test:7070/v1/datasets/photos/v2/train/shards");
            assertThat(client.receive(false).text()).contains("\"http://gateway.test:7070/d/photos/v2/train/");
            client.send("GET", "http://user@gateway.test/v1/datasets");
            assertThat(client.receive(false).status()).isEqualTo(400);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/v1/epochs", "/v1/batch", "/v1/datasets", "/nowhere", "/v1/nowhere"})
    void aHeadHasTheHeadersOfAGet(String path) throws IOException {
        var get = RawClient.get(gateway, path);
        var head = RawClient.ask(gateway, "HEAD", path);
        assertThat(head.status()).isEqualTo(get.status());
        for (var name : List.of("Content-Length", "Content-Type", "Cache-Control", "Allow", "ETag")) {
            assertThat(head.header(name)).as(name).isEqualTo(get.header(name));
        }
        assertThat(head.header("Content-Length")).isNotEmpty();
    }

    @Test
    void aFailedVersionSaysWhy() throws IOException {
        assertThat(RawClient.get(gateway, "/d/photos/v4/train/samples/0").text())
                .contains("object a.jpg changed");
    }

    @Test
    void documentsAreThoseOfTheContract() throws IOException {
        var list = RawClient.get(gateway, "/v1/datasets");
        assertThat(list.text())
                .startsWith("{\"datasets\":[{\"dataset\":\"")
                .contains("{\"dataset\":\"photos\",\"latest\":\"v2\",\"versions\":["
                        + "{\"version\":\"v1\",\"state\":\"sealed\",\"samples\":30,\"bytes\":" + SECOND.tar().length
                        + "},"
                        + "{\"version\":\"v2\",\"state\":\"sealed\",\"samples\":72,\"bytes\":"
                        + (FIRST.tar().length + 2 * SECOND.tar().length) + "},"
                        + "{\"version\":\"v3\",\"state\":\"building\",\"samples\":0,\"bytes\":0},"
                        + "{\"version\":\"v4\",\"state\":\"failed\",\"samples\":0,\"bytes\":0},"
                        + "{\"version\":\"v5\",\"state\":\"removed\",\"samples\":0,\"bytes\":0}]}");
        assertThat(list.header("Cache-Control")).isEqualTo("no-cache");
        var version = Json.MAPPER.readTree(
                RawClient.get(gateway, "/v1/datasets/photos/latest").body());
        assertThat(version.get("version").asText()).isEqualTo("v2");
        assertThat(version.at("/splits/0/fields/jpg/samples").asInt()).isEqualTo(42);
    }

    @Test
    void aDocumentThatIsKnownIsNotSentAgain() throws IOException {
        for (var path : List.of("/v1/datasets", "/v1/datasets/photos/v2", "/v1/datasets/photos/v2/report")) {
            var first = RawClient.get(gateway, path);
            assertThat(first.status()).isEqualTo(200);
            var again = RawClient.get(gateway, path, "If-None-Match: " + first.header("ETag"));
            assertThat(again.status()).as(path).isEqualTo(304);
            assertThat(RawClient.ask(gateway, "HEAD", path).header("Content-Length"))
                    .as(path)
                    .isEqualTo(Integer.toString(first.body().length));
        }
    }

    @Test
    void shardsComeInPages() throws IOException {
        var path = "/v1/datasets/photos/v2/train/shards?limit=1";
        var first = Json.MAPPER.readTree(RawClient.get(gateway, path).body());
        assertThat(first.get("next").asText()).isEqualTo("shard-000000");
        var second = Json.MAPPER.readTree(
                RawClient.get(gateway, path + "&after=shard-000000").body());
        assertThat(second.get("next").isNull()).isTrue();
        assertThat(second.at("/shards/0/url").asText()).isEqualTo("http://gateway.test:7070" + SHARD);
        assertThat(second.at("/shards/0/sha256").asText())
                .isEqualTo(SECOND.index().shardSha256());
        assertThat(second.at("/shards/0/blocks").size())
                .isEqualTo(SECOND.index().blockCount());
    }

    @Test
    void theReportIsJsonLines() throws IOException {
        var report = RawClient.get(gateway, "/v1/datasets/photos/v2/report");
        assertThat(report.header("Content-Type")).isEqualTo("application/jsonl");
        assertThat(report.text())
                .isEqualTo("{\"key\":\"a b.txt\",\"action\":\"left-out\",\"reason\":\"no-extension\",\"name\":null}\n");
    }

    @Test
    void oneConnectionServesRequestAfterRequest() throws IOException {
        try (var client = new RawClient(gateway)) {
            for (int i = 0; i < 20; i++) {
                client.send("GET", SHARD, "Range: bytes=" + i * 30_000 + "-" + (i * 30_000 + 99_999));
                var range = client.receive(false);
                assertThat(range.body()).isEqualTo(slice(i * 30_000));
                client.send("GET", "/v1/datasets/photos/v1");
                assertThat(client.receive(false).status()).isEqualTo(200);
                client.send("HEAD", SHARD);
                assertThat(client.receive(true).status()).isEqualTo(200);
                client.send("GET", "/d/photos/v2/train/samples/999");
                assertThat(client.receive(false).status()).isEqualTo(404);
            }
        }
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() throws IOException {
        try (var client = new RawClient(gateway)) {
            for (int i = 0; i < 16; i++) {
                client.send("GET", SHARD, "Range: bytes=" + i * 30_000 + "-" + (i * 30_000 + 99_999));
                client.send("GET", i % 2 == 0 ? "/v1/datasets" : "/d/photos/v2/train/samples/13.cls");
            }
            for (int i = 0; i < 16; i++) {
                assertThat(client.receive(false).body()).as("range %d", i).isEqualTo(slice(i * 30_000));
                var other = client.receive(false);
                assertThat(other.text()).startsWith(i % 2 == 0 ? "{\"datasets\"" : "1");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1\r\nHost: a\r\nConnection: close", "HTTP/1.0"})
    void aConnectionThatIsNotKeptIsClosedAfterTheLastByte(String request) throws IOException {
        try (var client = new RawClient(gateway)) {
            client.write("GET " + SHARD + " " + request + "\r\n\r\n");
            assertThat(client.receive(false).body()).isEqualTo(SECOND.tar());
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void whatIsKnownIsServedWithoutMetadata() throws IOException {
        RawClient.get(gateway, SHARD);
        world.metadata().down(true);
        try {
            assertThat(RawClient.get(gateway, SHARD).body()).isEqualTo(SECOND.tar());
            var unknown = RawClient.get(gateway, "/d/photos/v77/train/samples/0");
            assertThat(unknown.header("Retry-After")).isNotEmpty();
            assertProblem(unknown, 503, "not-ready");
            assertProblem(RawClient.get(gateway, "/v1/datasets"), 503, "not-ready");
        } finally {
            world.metadata().down(false);
        }
    }

    @Test
    void otherBytesInTheStoreAreNeverSent() throws IOException {
        world.seal("spoiled", 1, Map.of("train", List.of(SECOND)));
        var bytes = SECOND.tar().clone();
        bytes[100] ^= 1;
        world.spoil("spoiled/v1/train/shard-000000", bytes);
        var answer = RawClient.get(gateway, "/d/spoiled/v1/train/shard-000000.tar");
        assertThat(answer.header("Retry-After")).isNotEmpty();
        assertProblem(answer, 503, "storage-unavailable");
        var rest = RawClient.get(gateway, "/d/spoiled/v1/train/shard-000000.tar", "Range: bytes=65536-");
        assertThat(rest.body()).isEqualTo(Arrays.copyOfRange(SECOND.tar(), 65536, SECOND.tar().length));
    }

    @Test
    void aSharedShardIsReadFromTheKeysOfItsHome() throws IOException {
        world.seal("grown", 1, Map.of("train", List.of(FIRST, SECOND)));
        world.share("grown", 2, 1, List.of(FIRST, SECOND));
        assertThat(RawClient.get(gateway, "/d/grown/v2/train/shard-000001.tar").body())
                .isEqualTo(SECOND.tar());
        var member = RawClient.get(gateway, "/d/grown/v2/train/keys/two-3.cls");
        assertThat(member.text()).isEqualTo("3");
        assertThat(RawClient.get(gateway, "/d/grown/v2/train/urls.txt").text())
                .contains("/d/grown/v2/train/shard-000000.tar");
    }

    private static byte[] slice(int from) {
        return Arrays.copyOfRange(SECOND.tar(), from, Math.min(SECOND.tar().length, from + 100_000));
    }

    private static void assertProblem(RawClient.Answer answer, int status, String name) throws IOException {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).isEqualTo(Problem.CONTENT_TYPE);
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        var problem = Json.read(answer.body(), Problem.class);
        assertThat(problem.type()).isEqualTo("urn:tarpon:problem:" + name);
        assertThat(problem.status()).isEqualTo(status);
        assertThat(problem.detail()).isNotBlank();
    }
}
