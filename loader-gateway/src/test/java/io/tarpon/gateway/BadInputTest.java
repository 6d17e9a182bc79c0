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
import io.tarpon.wire.json.Json;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// What no honest client sends, over raw sockets: each gets a problem that names it, or the end of its connection, and
/// the gateway goes on.
@QuarkusTest
@NullUnmarked // The test framework fills the fields.
@QuarkusTestResource(WorldResource.class)
class BadInputTest {
    private static final String SHARD = "/d/bad/v1/train/shard-000000.tar";
    private static final MadeShard MADE = MadeShard.of("bad", new Random(5), 20, _ -> 20_000);
    private static final int LENGTH = MADE.tar().length;
    private static final String TAG = "\"" + MADE.index().shardSha256() + "\"";

    private static boolean sealed;

    World world;

    @Inject
    Listener listener;

    private URI gateway;

    @BeforeEach
    void seal() throws IOException {
        gateway = URI.create("http://127.0.0.1:" + listener.port() + "/");
        if (!sealed) {
            sealed = true;
            world.seal("bad", 1, Map.of("train", List.of(MADE)));
        }
    }

    /// B15.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=                        | 200",
                "bytes=-                       | 200",
                "bytes=-0                      | 416",
                "bytes=5-2                     | 416",
                "bytes=0-18446744073709551614  | 206",
                "bytes=0-1111111111111111111111111111111111111111 | 206",
                "bytes=1111111111111111111111111111111111111111-  | 416",
                "bytes=-1111111111111111111111111111111111111111  | 206",
                "bytes=0-0,-1                  | 200",
                "bytes=0-0,0-0,0-0             | 200",
                "items=0-1                     | 200",
                "Bytes=0-1                     | 206",
                "bytes = 0-1                   | 200",
                "bytes=0 - 1                   | 200",
                "bytes= 0-1                    | 206",
                "bytes=0x0-0x1                 | 200",
                "bytes=+0-1                    | 200",
                "bytes=0--1                    | 200",
                "bytes                         | 200",
            })
    void oddRanges(String range, int status) throws IOException {
        var answer = RawClient.get(gateway, SHARD, "Range: " + range.strip());
        assertThat(answer.status()).isEqualTo(status);
        if (status == 200) {
            assertThat(answer.body()).isEqualTo(MADE.tar());
        }
        assertThat(RawClient.ask(gateway, "HEAD", SHARD, "Range: " + range.strip())
                        .status())
                .isEqualTo(200);
    }

    /// B15: the limits of amplification.
    @Test
    void aThousandRangesAndTwoRangeHeadersAreTheWhole() throws IOException {
        var many = IntStream.range(0, 1_000).mapToObj(i -> i + "-" + i).collect(Collectors.joining(","));
        assertThat(RawClient.get(gateway, SHARD, "Range: bytes=" + many).body()).isEqualTo(MADE.tar());
        assertThat(RawClient.get(gateway, SHARD, "Range: bytes=0-1", "Range: bytes=2-3")
                        .body())
                .isEqualTo(MADE.tar());
    }

    /// B16.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "If-Match: *                       |                                | 200",
                "If-Match: \"a\", TAG              |                                | 200",
                "If-Match: \"a\",TAG,\"b\"         |                                | 200",
                "If-Match: W/TAG                   |                                | 412",
                "If-Match: unquoted                |                                | 412",
                "If-Match:                         |                                | 412",
                "If-None-Match: unquoted           |                                | 200",
                "If-None-Match: \"a\", W/TAG       |                                | 304",
                "If-None-Match: *                  |                                | 304",
                "If-Match: TAG                     | If-None-Match: TAG             | 304",
                "If-Match: \"a\"                   | If-None-Match: TAG             | 412",
                "If-None-Match: \"a\"              | If-Modified-Since: Wed, 04 Mar 2026 05:06:07 GMT   | 200",
                "If-Match: TAG                     | If-Unmodified-Since: Wed, 04 Mar 2020 05:06:07 GMT | 200",
                "If-None-Match: \"a\"              | If-None-Match: TAG             | 304",
                "If-Modified-Since: Sun, 99 Foo 99 | If-Unmodified-Since: yesterday | 200",
            })
    void oddConditions(String first, String second, int status) throws IOException {
        var headers = second == null
                ? new String[] {first.strip().replace("TAG", TAG)}
                : new String[] {first.strip().replace("TAG", TAG), second.replace("TAG", TAG)};
        assertThat(RawClient.get(gateway, SHARD, headers).status()).isEqualTo(status);
        assertThat(RawClient.ask(gateway, "HEAD", SHARD, headers).status()).isEqualTo(status);
    }

    /// B16: long values.
    @ParameterizedTest
    @CsvSource({"If-Match, 412", "If-None-Match, 200", "If-Range, 200", "If-Modified-Since, 200"})
    void conditionsOf8KiB(String name, int status) throws IOException {
        for (var value : List.of("\"" + "x".repeat(8_190) + "\"", "\"a\",".repeat(2_048), "x".repeat(8_192))) {
            assertThat(RawClient.get(gateway, SHARD, name + ": " + value).status())
                    .isEqualTo(status);
        }
    }

    /// B17.
    @ParameterizedTest
    @CsvSource({
        "/d/none/v1/train/shard-000000.tar, unknown-dataset",
        "/d/bad/v1/train/keys/bad-1/, unknown-sample",
        "/d/bad/v1/train/keys/, unknown-sample",
        "/d/bad/v1/train/keys/bad, unknown-sample",
        "/d/bad/v1/train/keys//bad-1, unknown-sample",
        "/d/bad/v1/train/keys/.jpg, unknown-sample",
        "/d/bad/v1/train/keys/bad-1., unknown-member",
        "/d/bad/v1/train/, not-found",
        "/d/bad/v1/train, not-found",
        "/d/bad/v1/, not-found",
        "/d/, not-found",
        "/d, not-found",
        "/, not-found",
        "//d/bad/v1/train/samples/1, not-found",
        "/x/../d/bad/v1/train/samples/1, not-found",
        "/%64/bad/v1/train/samples/1, not-found",
        "/v1/datasets/, not-found",
        "/v1//datasets, not-found",
        "/v1/./datasets, not-found",
        "/v1/x/../datasets, not-found",
        "/v1/x/%2e%2e/datasets, not-found",
        "/v1/datasets/bad%2Fv1, not-found",
        "/v1/datasets/none/v1, unknown-dataset",
    })
    void whatIsMissingIs404ForGetAndHead(String path, String name) throws IOException {
        assertProblem(RawClient.get(gateway, path), 404, name);
        var head = RawClient.ask(gateway, "HEAD", path);
        assertThat(head.status()).isEqualTo(404);
        assertThat(head.header("Content-Length")).as("of HEAD").isNotEmpty();
        assertThat(head.header("Content-Type")).isEqualTo(Problem.CONTENT_TYPE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/d/bad/v1/train/keys/%zz",
                "/d/bad/v1/train/keys/%",
                "/d/bad/v1/train/keys/%2",
                "/d/bad/v1/train/keys/%ff",
                "/d/bad/v1/train/keys/%ed%a0%80",
                "/d/bad/v1/train/samples/-1",
                "/d/bad/v1/train/samples/1e3",
                "/d/bad/v1/train/samples/9223372036854775808",
                "/d/b%61d/v1/train/samples/1",
                "/d/bad;a=b/v1/train/samples/1",
                "/d/bad/v1/train/samples/1;a=b",
                "/v1/datasets;a=b",
                "/v1/datasets/bad;a=b/v1",
                "/v1/datasets/%zz/v1",
                "/v1/%",
                "/v1/datasets?%zz",
                "/v1/datasets/Bad/v1",
                "/v1/datasets/b%D0%B0d/v1", // a Cyrillic a
                "/d/b%D0%B0d/v1/train/shard-000000.tar",
                "/d/..%2Fbad/v1/train/shard-000000.tar",
                "/d/bad/v1/..%2Ftrain/shard-000000.tar",
                "/q/health|ready",
                "//",
                "*",
                "d/bad/v1/train/samples/1",
            })
    void whatIsNoPathOfOursIs400(String path) throws IOException {
        assertProblem(RawClient.get(gateway, path), 400, "bad-parameter");
        assertServes();
    }

    @Test
    void aNameOfThreeHundredCharactersIs400() throws IOException {
        var name = "x".repeat(300);
        for (var path : List.of(
                "/d/" + name + "/v1/train/shard-000000.tar",
                "/d/bad/v1/" + name + "/shard-000000.tar",
                "/v1/datasets/" + name + "/v1",
                "/v1/datasets/bad/v1/" + name + "/shards")) {
            assertProblem(RawClient.get(gateway, path), 400, "bad-parameter");
        }
        assertServes();
    }

    /// B27.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET SHARD HTTP/1.1\nHost: a\nContent-Length: 5\nTransfer-Encoding: chunked\n\n0\n\n",
                "POST SHARD HTTP/1.1\nHost: a\nContent-Length: 5\nTransfer-Encoding: chunked\n\n0\n\n",
                "POST SHARD HTTP/1.1\nHost: a\nContent-Length: 5\nContent-Length: 6\n\nabcdef",
                "POST SHARD HTTP/1.1\nHost: a\nContent-Length: +5\n\nabcde",
                "POST SHARD HTTP/1.1\nHost: a\nContent-Length: 0x5\n\nabcde",
                "POST SHARD HTTP/1.1\nHost: a\nContent-Length: 0\n 5\n\nabcde",
                "POST SHARD HTTP/1.1\nHost: a\nContent-Length: -1\n\n",
                "POST SHARD HTTP/1.1\nHost: a\nTransfer-Encoding: gzip\n\n",
                "POST SHARD HTTP/1.1\nHost: a\nTransfer-Encoding: gzip, chunked\n\n0\n\n",
                "POST SHARD HTTP/1.1\nHost: a\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n\n0\n\n",
                "POST SHARD HTTP/1.1\nHost: a\nTransfer-Encoding : chunked\n\n0\n\n",
                "GET SHARD HTTP/1.1\n\n",
                "GET SHARD HTTP/1.1\nHost: a\nHost: b\n\n",
                "GET SHARD HTTP/1.1\nHost: a b\n\n",
                "GET SHARD HTTP/1.1\nHost: a/../b\n\n",
                "GET SHARD HTTP/1.1\nHost: user@a\n\n",
                "GET SHARD HTTP/1.1\nHost: a:port\n\n",
                "GET SHARD HTTP/1.1\nHost: [::1\n\n",
                "GET SHARD HTTP/1.1\nHost : a\n\n",
                "GET SHARD HTTP/1.1\nno colon\nHost: a\n\n",
                "GET SHARD HTTP/1.1\n: empty\nHost: a\n\n",
                "GET  SHARD HTTP/1.1 more\nHost: a\n\n",
                "GET SHARD\nHost: a\n\n",
                "GET SHARD HTTP/9.9\nHost: a\n\n",
                "GET SHARD HTCPCP/1.0\nHost: a\n\n",
                "garbage\n\n",
                "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003\n\n",
            })
    void whatTwoProgramsCouldReadDifferentlyIsRefusedAndTheConnectionEnds(String request) throws IOException {
        try (var client = new RawClient(gateway)) {
            client.write(request.replace("SHARD", SHARD).replace("\n", "\r\n"));
            client.write("GET /v1/datasets HTTP/1.1\r\nHost: a\r\n\r\n");
            assertProblem(client.receive(false), 400, "bad-parameter");
            assertThat(client.isAtEnd()).as("nothing behind it is answered").isTrue();
        }
        assertServes();
    }

    /// B27: lines that end with LF alone.
    @Test
    void bareLineFeedsAreRefused() throws IOException {
        try (var client = new RawClient(gateway)) {
            client.write("GET " + SHARD + " HTTP/1.1\nHost: a\n\n");
            assertProblem(client.receive(false), 400, "bad-parameter");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    /// B27: a client may still be sending when it is refused; it must not miss the answer.
    @ParameterizedTest
    @ValueSource(ints = {40 << 10, 1 << 20, 4 << 20})
    void aHeaderThatIsTooLongIsAnswered(int length) throws IOException {
        try (var client = new RawClient(gateway)) {
            client.write("GET " + SHARD + " HTTP/1.1\r\nHost: a\r\nX-Long: " + "x".repeat(length) + "\r\n\r\n");
            assertProblem(client.receive(false), 400, "bad-parameter");
        }
        assertServes();
    }

    @Test
    void twoHundredHeadersAreHeadersAndALongUrlIsRefused() throws IOException {
        var headers = IntStream.range(0, 200).mapToObj(i -> "X-" + i + ": " + i).toArray(String[]::new);
        assertThat(RawClient.get(gateway, SHARD, headers).status()).isEqualTo(200);
        var longest = "/d/bad/v1/train/keys/" + "k".repeat(16_000);
        assertProblem(RawClient.get(gateway, longest), 404, "unknown-sample");
        var tooLong = RawClient.get(gateway, longest + "k".repeat(1_000));
        assertProblem(tooLong, 414, "uri-too-long");
        assertThat(tooLong.text()).contains("max-request-line");
    }

    /// C1: what is not bytes goes to routers, so its length is bounded far below that of a key.
    @ParameterizedTest
    @ValueSource(
            strings = {"/LETTERS", "/v1/LETTERS", "/v1/datasets/LETTERS", "/v1/datasets?after=LETTERS", "/q/LETTERS"})
    void aLongPathOutsideOfTheBytesIsRefused(String form) throws IOException {
        assertProblem(RawClient.get(gateway, form.replace("LETTERS", "a".repeat(15_000))), 414, "uri-too-long");
        var longest = form.replace("LETTERS", "a".repeat(4_096 + "LETTERS".length() - form.length()));
        assertThat(RawClient.get(gateway, longest).status()).isBetween(400, 404);
        assertProblem(RawClient.get(gateway, longest + "a"), 414, "uri-too-long");
    }

    /// C1: one of them took more than a second of an event loop.
    @Test
    void hundredsOfLongPathsAreAnsweredInSeconds() throws IOException {
        var letters = "a".repeat(15_000);
        var most = "a".repeat(4_000);
        var end = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        for (int i = 0; i < 100; i++) {
            for (var path : List.of("/" + letters, "/" + most, "/v1/datasets/" + most, "/e/" + letters)) {
                assertThat(RawClient.get(gateway, path).status()).isBetween(400, 414);
            }
        }
        assertThat(System.nanoTime()).isLessThan(end);
        assertServes();
    }

    /// B27.
    @Test
    void otherFormsOfARequestAreServedAsTheRfcSays() throws IOException {
        try (var client = new RawClient(gateway)) {
            client.send("GET", "http://gateway.test:7070" + SHARD, "Range: bytes=0-9");
            assertThat(client.receive(false).status()).as("absolute form").isEqualTo(206);
            client.send("get", SHARD);
            assertProblem(client.receive(false), 405, "method-not-allowed");
            client.write(
                    "GET " + SHARD + " HTTP/1.1\r\nHost: [::1]:7070\r\nRange: bytes=0-9\r\nX-Fold: a\r\n b\r\n\r\n");
            assertThat(client.receive(false).status()).as("a fold").isEqualTo(206);
            client.write("GET " + SHARD + " HTTP/1.0\r\nRange: bytes=0-9\r\n\r\n");
            assertThat(client.receive(false).status())
                    .as("HTTP/1.0 without Host")
                    .isEqualTo(206);
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "TRACE, /v1/datasets",
        "TRACE, /d/bad/v1/train/samples/1",
        "CONNECT, example.test:443",
        "CONNECT, /d/bad/v1/train/samples/1",
        "OPTIONS, /d/bad/v1/train/samples/1",
        "PUT, /d/bad/v1/train/samples/1",
        "PATCH, /d/bad/v1/train/shard-000000.tar",
        "PROPFIND, /d/bad/v1/train/shard-000000.tar",
        "PUT, /v1/datasets/bad/v1",
        "DELETE, /v1/datasets/bad/v1",
        "PATCH, /v1/datasets/bad/v1/report",
        "get, /v1/datasets",
    })
    void anotherMethodIsNotAllowed(String method, String path) throws IOException {
        var answer = RawClient.ask(gateway, method, path, "Content-Length: 0");
        assertProblem(answer, 405, "method-not-allowed");
        assertThat(answer.header("Allow")).isEqualTo("GET, HEAD");
        assertServes();
    }

    @ParameterizedTest
    @CsvSource({"GET, " + SHARD, "HEAD, " + SHARD, "GET, /v1/datasets", "GET, /q/health/ready"})
    void aReadWithABodyIsRefused(String method, String path) throws IOException {
        try (var client = new RawClient(gateway)) {
            client.send(method, path, "Content-Length: 0");
            assertThat(client.receive(method.equals("HEAD")).status()).isEqualTo(200);
            client.send(method, path, "Content-Length: 5");
            client.write("abcdeGET /v1/datasets HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(client.receive(method.equals("HEAD")).status()).isEqualTo(413);
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    /// Bytes of any kind, many times: an answer or the end of the connection, and the gateway goes on.
    @Test
    void randomBytesDoNoHarm() throws IOException {
        var seed = System.nanoTime();
        var random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            var valid = "GET " + SHARD + " HTTP/1.1\r\nHost: a\r\nRange: bytes=0-99\r\n\r\n";
            var bytes = new StringBuilder(valid);
            for (int flips = random.nextInt(6); flips >= 0; flips--) {
                bytes.setCharAt(random.nextInt(bytes.length()), (char) random.nextInt(256));
            }
            try (var client = new RawClient(gateway)) {
                client.write(bytes + "\r\n\r\n");
                client.finish();
                client.readToEnd();
            }
        }
        try {
            assertServes();
        } catch (AssertionError | IOException e) {
            throw new AssertionError("seed " + seed, e);
        }
    }

    private void assertServes() throws IOException {
        assertThat(RawClient.get(gateway, SHARD, "Range: bytes=-9").header("Content-Range"))
                .isEqualTo("bytes " + (LENGTH - 9) + "-" + (LENGTH - 1) + "/" + LENGTH);
    }

    private static void assertProblem(RawClient.Answer answer, int status, String name) throws IOException {
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(answer.header("Content-Type")).isEqualTo(Problem.CONTENT_TYPE);
        assertThat(answer.header("Cache-Control")).isEqualTo("no-store");
        assertThat(Json.read(answer.body(), Problem.class).type()).isEqualTo("urn:tarpon:problem:" + name);
    }
}
