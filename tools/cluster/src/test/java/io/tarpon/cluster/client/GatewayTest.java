package io.tarpon.cluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.testkit.FakeService;
import io.tarpon.wire.gateway.ReportLine;
import io.tarpon.wire.gateway.ShardsDocument;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatewayTest {
    private final FakeService service;
    private final Gateway gateway;

    GatewayTest() throws IOException {
        service = new FakeService();
        gateway = new Gateway(new Http(), service.url());
    }

    @AfterEach
    void close() {
        service.close();
    }

    private static ShardsDocument.Shard shard(String name) {
        return new ShardsDocument.Shard(name, "http://x/" + name, 1, 2048, null, null, List.of(0));
    }

    private static final String SHARDS = "/v1/datasets/demo/v1/train/shards?limit=10000";

    @Test
    void pagesOfShardsAreReadToTheLast() {
        service.on(
                        SHARDS,
                        FakeService.bytes(
                                200, Json.bytes(new ShardsDocument(List.of(shard("shard-000000")), "shard-000000"))))
                .on(
                        SHARDS + "&after=shard-000000",
                        FakeService.bytes(200, Json.bytes(new ShardsDocument(List.of(shard("shard-000001")), null))));
        assertThat(gateway.shards("demo", "v1", "train"))
                .extracting(ShardsDocument.Shard::name)
                .containsExactly("shard-000000", "shard-000001");
    }

    @Test
    void aRefusalComesInTheServicesWords() {
        service.on("/v1/datasets/nope/latest", problem(ProblemType.UNKNOWN_DATASET, "no dataset 'nope'"));
        var failure = catchThrowableOfType(CommandFailure.class, () -> gateway.version("nope", "latest"));
        assertThat(failure).hasMessage("no dataset 'nope'");
        assertThat(failure.exitCode()).isEqualTo(CommandFailure.FAILED);
        assertThat(failure.next()).contains("./tarpon ls");
    }

    @Test
    void aBadParameterIsWrongUse() {
        service.on("/v1/datasets", problem(ProblemType.BAD_PARAMETER, "limit is 0"));
        var failure = catchThrowableOfType(CommandFailure.class, gateway::datasets);
        assertThat(failure.exitCode()).isEqualTo(CommandFailure.USAGE);
    }

    @Test
    void anErrorThatIsNoProblemDocumentIsSaidWithItsStatus() {
        service.on("/v1/datasets", FakeService.text(502, "<html>"));
        assertThatThrownBy(gateway::datasets).isInstanceOf(CommandFailure.class).hasMessageContaining("answered 502");
    }

    @Test
    void aDocumentThatBreaksOffOrIsNotOneIsAFailure() {
        service.on("/v1/datasets", FakeService.cut("{\"datasets\":["), FakeService.text(200, "hello"));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(gateway::datasets)
                    .isInstanceOf(CommandFailure.class)
                    .hasMessageContaining("cannot be read");
        }
    }

    @Test
    void aShardThatBreaksOffIsAnErrorNotAnEnd() throws IOException {
        service.on("/d/demo/v1/train/shard-000000.tar", FakeService.cut("half of it"));
        try (var bytes = gateway.shard("demo", "v1", "train", "shard-000000")) {
            assertThatThrownBy(bytes::readAllBytes).isInstanceOf(IOException.class);
        }
    }

    @Test
    void nobodyListeningIsSaidInWords() {
        service.close();
        var failure = catchThrowableOfType(CommandFailure.class, gateway::datasets);
        assertThat(failure).hasMessageContaining("does not answer: ").hasMessageNotContaining("null");
        assertThat(failure.next()).contains("./tarpon status");
    }

    @Test
    void ordinalsAndKeysAreToldApartAndEncoded() throws IOException {
        for (var path : List.of(
                "/samples/7",
                "/samples/0.jpg",
                "/keys/007.jpg",
                "/keys/a%20b/caf%C3%A9%3F%231.jpg",
                "/keys/1e5",
                "/samples/12.seg.png")) {
            service.on("/d/demo/v1/train" + path, FakeService.text(200, path));
        }
        assertThat(sample("7")).isEqualTo("/samples/7");
        assertThat(sample("0.jpg")).isEqualTo("/samples/0.jpg");
        assertThat(sample("007.jpg")).isEqualTo("/keys/007.jpg");
        assertThat(sample("a b/café?#1.jpg")).isEqualTo("/keys/a%20b/caf%C3%A9%3F%231.jpg");
        assertThat(sample("1e5")).isEqualTo("/keys/1e5");
        assertThat(sample("12.seg.png")).isEqualTo("/samples/12.seg.png");
    }

    private String sample(String selector) throws IOException {
        try (var bytes = gateway.sample("demo", "v1", "train", selector)) {
            return new String(bytes.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        }
    }

    @Test
    void aReportIsReadLineByLine() {
        service.on("/v1/datasets/demo/v1/report", FakeService.text(200, """
            {"key":"a b","action":"left-out","reason":"no-extension","name":null}
            {"key":"é.jpg","action":"renamed","reason":null,"name":"r/x.jpg"}
            """));
        assertThat(gateway.report("demo", "v1")).extracting(ReportLine::key).containsExactly("a b", "é.jpg");
    }

    private static FakeService.Answer problem(ProblemType type, String detail) {
        return FakeService.bytes(type.status(), Json.bytes(Problem.of(type, detail)));
    }
}
