package io.tarpon.metadata.api;

import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.seal;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetSpec;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.UUID;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Answers that are ready, beside those that are read for whoever asks.
@QuarkusTest
@QuarkusTestResource(ServiceFolder.class)
class LookupRouteTest {
    /// Not plain, so it goes to the resource; and it asks for nothing else.
    private static final String READ_IT = "Accept: application/json, */*;q=0.1";

    private static final VersionId V1 = new VersionId(1);

    @TestHTTPResource
    URI base;

    private MetadataClient client;
    private DatasetName dataset;

    @BeforeEach
    void sealOneVersion() throws IOException {
        client = new MetadataClient(base, new WriteToken(ServiceFolder.TOKEN));
        dataset = new DatasetName("d" + UUID.randomUUID());
        client.register(dataset, SPEC);
        client.begin(dataset, new BeginVersion(UUID.randomUUID().toString(), SPEC));
        client.plan(dataset, V1, plan(dataset.value(), 1, 0));
        client.seal(new ShardRef(dataset, V1, TRAIN, new ShardName(0)), seal(0, "é" + dataset));
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "/versions/v1", "/versions/latest", "/versions/v1?revision=1", "/versions/latest?revision=0"
            })
    void anAnswerThatIsReadyIsTheOneThatIsReadByteForByte(String path) throws IOException {
        for (var more : new String[] {"", "Accept: */*\r\n", "Accept: application/json\r\n", "If-None-Match: *\r\n"}) {
            raw(path, READ_IT + "\r\n");
            var ready = ready();
            var answer = raw(path, more);
            assertThat(ready()).as("answers that were ready").isEqualTo(ready + 1);
            assertThat(raw(path, READ_IT + "\r\n")).isEqualTo(answer);
            assertThat(ready()).as("answers that were ready").isEqualTo(ready + 1);
            assertThat(answer).startsWith("HTTP/1.1 200 OK\r\n").contains("\"state\":\"sealed\"");
        }
    }

    @Test
    void aConnectionThatIsToEndEnds() throws IOException {
        get("/versions/v1", READ_IT);
        var ready = ready();
        try (var socket = new Socket(base.getHost(), base.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream()
                    .write(("GET /v1/datasets/" + dataset
                                    + "/versions/v1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
                            .getBytes(UTF_8));
            assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 200 OK\r\n")
                    .contains("\r\nconnection: close\r\n")
                    .endsWith("}");
        }
        assertThat(ready()).isEqualTo(ready + 1);
    }

    /// Whatever is asked besides, or written otherwise, is for the resources, as it was before.
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET  | /versions/latest?read=latest           |                           | 200
        GET  | /versions/v1?                          |                           | 200
        GET  | /versions/v1?revision=1&read=latest    |                           | 200
        GET  | /versions/v1?revision=01               |                           | 400
        GET  | /versions/v1?revision=-1               |                           | 400
        GET  | /versions/v1?revision=                 |                           | 200
        GET  | /versions/v1?revision=999999999        |                           | 503
        GET  | /versions/v1?revision=9999999999999999999 |                        | 400
        GET  | /versions/v1?revision=1&revision=1     |                           | 400
        GET  | /versions/v1?Revision=1                |                           | 400
        GET  | /versions/v1?after=v1                  |                           | 400
        GET  | ?limit=1                               |                           | 200
        GET  | /versions/%76%31                       |                           | 200
        GET  | /versions/v01                          |                           | 400
        GET  | /versions/v2                           |                           | 404
        GET  | /versions/v1/                          |                           | 200
        GET  | /versions/v1                           | Accept: text/plain        | 400
        GET  | /versions/v1                           | Content-Type: text/plain  | 400
        GET  | /versions/v1                           | Content-Length: 0         | 200
        HEAD | /versions/v1                           |                           | 200
        POST | /versions/v1                           |                           | 401
        """)
    void whatIsNotPlainIsNotAnsweredFromWhatIsReady(String method, String path, String header, int status)
            throws IOException {
        get("", READ_IT);
        get("/versions/v1", READ_IT);
        get("/versions/latest", READ_IT);
        var ready = ready();
        var headers = header == null ? new String[0] : new String[] {header};
        var answer = RawClient.ask(base, method, "/v1/datasets/" + dataset + path, headers);
        assertThat(answer.status()).as(answer.text()).isEqualTo(status);
        assertThat(ready()).isEqualTo(ready);
    }

    @Test
    void whatTwoProgramsCouldReadDifferentlyIsRefusedAlthoughItsAnswerIsReady() throws IOException {
        get("/versions/v1", READ_IT);
        var ready = ready();
        assertThat(raw("/versions/v1", "Host: b\r\n"))
                .startsWith("HTTP/1.1 400")
                .contains("Host is given more than once")
                .doesNotContain("/v1/nothing");
        assertThat(ready()).isEqualTo(ready);
    }

    @Test
    void whatWasChangedIsAnsweredAtOnce() throws IOException {
        for (long seed = 1; seed <= 50; seed++) {
            client.register(dataset, spec(seed));
            for (int time = 0; time < 3; time++) {
                assertThat(client.dataset(dataset).spec().seed()).isEqualTo(seed);
            }
        }
        client.remove(dataset, V1);
        assertThat(get("/versions/v1").text()).contains("\"state\":\"removed\"");
        assertThat(get("/versions/latest").status()).isEqualTo(404);
        assertThat(get("").text()).contains("\"latest\":null");
    }

    @Test
    void anAnswerThatIsReadyCountsAsARequestOfItsKind() throws IOException {
        for (var kind : new String[] {"/versions/{version}", ""}) {
            var path = kind.isEmpty() ? "" : "/versions/v1";
            get(path, READ_IT);
            var requests = requests(kind);
            var ready = ready();
            get(path);
            assertThat(ready()).isEqualTo(ready + 1);
            assertThat(requests(kind)).isEqualTo(requests + 1);
        }
    }

    private long requests(String kind) throws IOException {
        return counted("http_server_requests_seconds_count{method=\"GET\",outcome=\"SUCCESS\",status=\"200\","
                + "uri=\"/v1/datasets/{dataset}" + kind + "\"}");
    }

    private long ready() throws IOException {
        return counted("tarpon_metadata_lookups_total{answer=\"ready\"}");
    }

    private long counted(String name) throws IOException {
        var line = Pattern.compile(Pattern.quote(name) + " ([0-9.E]+)")
                .matcher(RawClient.get(base, "/q/metrics").text());
        assertThat(line.find()).as(name).isTrue();
        return (long) Double.parseDouble(line.group(1));
    }

    private RawClient.Answer get(String path, String... headers) throws IOException {
        return RawClient.get(base, "/v1/datasets/" + dataset + path, headers);
    }

    /// Everything that comes back, as it comes; the answer to another question, which ends the connection, included.
    private String raw(String path, String headers) throws IOException {
        try (var socket = new Socket(base.getHost(), base.getPort())) {
            socket.setSoTimeout(20_000);
            var request = "GET /v1/datasets/" + dataset + path + " HTTP/1.1\r\nHost: a\r\n" + headers + "\r\n";
            socket.getOutputStream().write(request.getBytes(UTF_8));
            socket.getOutputStream()
                    .write("GET /v1/nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    private static DatasetSpec spec(long seed) {
        return new DatasetSpec("file:///data/in", "auto", DatasetSpec.DEFAULT_SHARD_BYTES, 1, seed, 2, false, "allow");
    }
}
