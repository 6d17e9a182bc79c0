package io.tarpon.metadata.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.tarpon.wire.ObjectKeys;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.SnapshotReport;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What the API says to requests that no client of ours makes.
@QuarkusTest
@QuarkusTestResource(ServiceFolder.class)
class HttpTest {
    private static final String SPEC = """
        {"source":"in","splits":"auto","shardBytes":1048576,"shardsMultipleOf":1,"seed":0,"replicas":2,"grow":false,\
        "leftOut":"allow"}\
        """;

    @TestHTTPResource
    URI base;

    private final HttpClient http = HttpClient.newHttpClient();

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        GET    | /v1/datasets/Demo                                              | 400 | bad-parameter      | dataset 'Demo'
        GET    | /v1/datasets/d%D0%B5mo                                         | 400 | bad-parameter      | dataset
        GET    | /v1/datasets/a.b                                               | 400 | bad-parameter      | dataset 'a.b'
        GET    | /v1/datasets/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | 400 | bad-parameter      | dataset
        GET    | /v1/datasets/none                                              | 404 | unknown-dataset    | none
        GET    | /v1/datasets/none/versions/v01                                 | 400 | bad-parameter      | version 'v01'
        GET    | /v1/datasets/http-test/versions/v9                             | 404 | unknown-version    | v9
        GET    | /v1/datasets/http-test/versions/latest                         | 404 | unknown-version    | no sealed version
        GET    | /v1/datasets/http-test/versions/v1/splits/Train/shards         | 400 | bad-parameter      | split 'Train'
        GET    | /v1/datasets/http-test/versions/v1/splits/test/shards          | 404 | unknown-split      | test
        GET    | /v1/datasets/http-test/versions/v1/splits/train/shards/shard-0 | 400 | bad-parameter      | shard-0
        GET    | /v1/datasets/http-test/versions/v1/splits/t/shards?limit=0     | 400 | bad-parameter      | limit '0'
        GET    | /v1/datasets/http-test/versions/v1/splits/t/shards?limit=10001 | 400 | bad-parameter      | limit '10001'
        GET    | /v1/datasets/http-test/versions/v1/splits/t/shards?after=x     | 400 | bad-parameter      | shard 'x'
        GET    | /v1/datasets?colour=red                                        | 400 | bad-parameter      | colour
        GET    | /v1/datasets?revision=01                                       | 400 | bad-parameter      | revision '01'
        GET    | /v1/datasets?revision=1&revision=1                             | 400 | bad-parameter      | more than once
        GET    | /v1/datasets?revision=999999                                   | 503 | not-ready          | revision 999999
        GET    | /v1/datasets?read=late                                         | 400 | bad-parameter      | read 'late'
        GET    | /v1/nodes?since=x                                              | 400 | bad-parameter      | since
        GET    | /v1/node-changes                                               | 400 | bad-parameter      | since is missing
        GET    | /v1/node-changes?since=x&wait-millis=1s                        | 400 | bad-parameter      | wait-millis '1s'
        GET    | /v1/node-changes?since=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | 400 | bad-parameter | longer than a tag
        GET    | /v1/nothing?read=latest                                        | 404 | not-found          | path
        DELETE | /v1/datasets/none?read=latest                                  | 400 | bad-parameter      | read
        GET    | /v1/requests/nobody                                            | 404 | unknown-version    | nobody
        GET    | /v1/nothing                                                    | 404 | not-found          | path
        GET    | /nothing                                                       | 404 | not-found          | path
        PATCH  | /v1/datasets/http-test                                         | 405 | method-not-allowed | method
        POST   | /v1/gc?dry-run=yes                                             | 400 | bad-parameter      | dry-run 'yes'
        POST   | /v1/gc?force=true                                              | 400 | bad-parameter      | force
        POST   | /v1/snapshots?force=true                                       | 400 | bad-parameter      | force
        DELETE | /v1/datasets/none                                              | 404 | unknown-dataset    | none
        DELETE | /v1/datasets/http-test/versions/latest                         | 400 | bad-parameter      | latest
        POST   | /v1/datasets/http-test/versions/v9/retry                       | 404 | unknown-version    | v9
        PUT    | /v1/nodes/a%20b                                                | 400 | bad-parameter      | body
        """)
    void aBadRequestIsNamed(String method, String path, int status, String type, String detail) throws Exception {
        begin();
        var answer = send(method, path, method.equals("PUT") ? "{}" : "");
        assertThat(answer.statusCode()).isEqualTo(status);
        var problem = problem(answer);
        assertThat(problem.type()).isEqualTo("urn:tarpon:problem:" + type);
        assertThat(problem.detail()).contains(detail);
        assertThat(answer.headers().firstValue("Retry-After").isPresent()).isEqualTo(status == 503);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        {"sour                                                       | body
        []                                                           | body
        null                                                         | body
        {"source":"in"}                                              | body splits: splits is missing
        {"source":7.5e400}                                           | body
        {"seed":"much"}                                              | body seed
        {"seed":1.5}                                                 | body seed
        {"replicas":99999999999}                                     | body replicas
        """)
    void aBadBodyIsNamed(String body, String detail) throws Exception {
        var answer = send("PUT", "/v1/datasets/bodies", body);
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(problem(answer).detail()).contains(detail);
        assertThat(send("GET", "/v1/datasets/bodies", "").statusCode()).isEqualTo(404);
    }

    @Test
    void aValueOutOfItsBoundsIsNamed() throws Exception {
        var answer = send("PUT", "/v1/datasets/bodies", SPEC.replace("\"seed\":0", "\"seed\":-1"));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(problem(answer).detail()).isEqualTo("body: seed -1 is negative");
    }

    @Test
    void aFieldThatIsNullIsNamed() throws Exception {
        var answer = send("PUT", "/v1/datasets/bodies", SPEC.replace("\"in\"", "null"));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(problem(answer).detail()).isEqualTo("body source: source must not be null");
    }

    @Test
    void aFieldThatIsUnknownIsNamed() throws Exception {
        var answer = send("PUT", "/v1/datasets/bodies", SPEC.replace("{", "{\"colour\":\"red\","));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(problem(answer).detail()).isEqualTo("body colour: colour is unknown");
    }

    @Test
    void aFieldDeepInAPlanIsNamed() throws Exception {
        begin();
        var answer = send("PUT", "/v1/datasets/http-test/versions/v1/plan", """
            {"planDigest":"%s","force":false,"inputs":{"found":0,"members":0,"renamed":0,"leftOut":{}},
             "splits":[{"name":"train","shards":[{"name":"shard-0","samples":1,"bytes":1,"planSha256":""}]}]}
            """.formatted("0".repeat(64)));
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(problem(answer).detail())
                .contains("splits[0].shards[0].name")
                .contains("shard-0");
    }

    @Test
    void aWrongTokenIsRefusedBeforeAnythingElseIsLookedAt() throws Exception {
        var request = HttpRequest.newBuilder(base.resolve("/v1/datasets/Demo?x=y"))
                .header("Authorization", "Bearer wrong-token-0123456789")
                .PUT(BodyPublishers.ofString("{"))
                .build();
        var answer = http.send(request, BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(problem(answer).problemType().wireName()).isEqualTo("unauthorized");
    }

    @Test
    void everyAnswerNamesItsRevision() throws Exception {
        begin();
        var read = send("GET", "/v1/datasets", "");
        var revision = read.headers().firstValueAsLong("Tarpon-Revision").orElseThrow();
        assertThat(revision).isPositive();
        var again = send("GET", "/v1/datasets?revision=" + revision, "");
        assertThat(again.headers().firstValueAsLong("Tarpon-Revision").orElseThrow())
                .isGreaterThanOrEqualTo(revision);
        assertThat(send("GET", "/v1/datasets/none", "").headers().firstValue("Tarpon-Revision"))
                .isPresent();
    }

    @Test
    void aRequestWithTwoLengthsIsRefusedAndItsConnectionClosed() throws Exception {
        var answer = raw("""
            PUT /v1/datasets/x HTTP/1.1
            Host: a
            Content-Type: application/json
            Authorization: Bearer %s
            Content-Length: 67108865

            """.formatted(ServiceFolder.TOKEN));
        assertThat(answer).startsWith("HTTP/1.1 413").contains("payload-too-large");
    }

    @Test
    void theServiceIsReadyAndCountsWithoutABroker() throws Exception {
        begin();
        assertThat(send("GET", "/q/health/ready", "").statusCode()).isEqualTo(200);
        assertThat(send("GET", "/q/health/live", "").statusCode()).isEqualTo(200);
        var metrics = send("GET", "/q/metrics", "").body();
        assertThat(metrics).containsPattern("tarpon_metadata_revision [1-9]");
        assertThat(metrics).containsPattern("tarpon_metadata_commands_total\\{result=\"applied\"} [1-9]");
    }

    @Test
    void aSnapshotIsWrittenWhenItIsAskedFor() throws Exception {
        begin();
        var answer = send("POST", "/v1/snapshots", "");
        assertThat(answer.statusCode()).isEqualTo(200);
        var report = Json.read(answer.body().getBytes(StandardCharsets.UTF_8), SnapshotReport.class);
        assertThat(report.name()).isEqualTo(ObjectKeys.snapshot(report.revision()));
        var metrics = send("GET", "/q/metrics", "").body();
        assertThat(metrics).containsPattern("tarpon_metadata_snapshot_revision [1-9]");
        assertThat(metrics).contains("tarpon_metadata_log_begin 0.0");
    }

    @Test
    void everyMetricIsThereFromTheStart() throws Exception {
        var metrics = send("GET", "/q/metrics", "").body();
        for (var result : new String[] {"applied", "repeated", "refused", "failed"}) {
            assertThat(metrics).contains("tarpon_metadata_commands_total{result=\"" + result + "\"}");
        }
        for (var answer : new String[] {"ready", "read"}) {
            assertThat(metrics).contains("tarpon_metadata_lookups_total{answer=\"" + answer + "\"}");
        }
        assertThat(metrics).contains("tarpon_metadata_versions{state=\"sealed\"}");
    }

    @Test
    void everyOperationIsDescribed() throws Exception {
        var document =
                Json.MAPPER.readTree(send("GET", "/q/openapi?format=json", "").body());
        var operations = document.findValues("operationId");
        assertThat(operations).hasSize(24);
        assertThat(document.findValues("summary")).hasSize(24);
        assertThat(document.at("/components/schemas/DatasetName/type").asText()).isEqualTo("string");
    }

    private void begin() throws IOException, InterruptedException {
        var answer =
                send("POST", "/v1/datasets/http-test/versions", "{\"requestId\":\"http-test\",\"spec\":" + SPEC + "}");
        assertThat(answer.statusCode()).isEqualTo(200);
    }

    private HttpResponse<String> send(String method, String path, String body)
            throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(base.resolve(path))
                .header("Authorization", "Bearer " + ServiceFolder.TOKEN)
                .header("Content-Type", "application/json")
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.ofString());
    }

    private static Problem problem(HttpResponse<String> answer) throws IOException {
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(answer.headers().firstValue("Cache-Control")).contains("no-store");
        assertThat(answer.headers().firstValue("Tarpon-Revision")).isPresent();
        var problem = Json.read(answer.body().getBytes(StandardCharsets.UTF_8), Problem.class);
        assertThat(problem.status()).isEqualTo(answer.statusCode());
        return problem;
    }

    /// Sends lines, and returns everything that comes back until the service closes the connection.
    private String raw(String request) throws IOException {
        try (var socket = new Socket(base.getHost(), base.getPort())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(request.replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
