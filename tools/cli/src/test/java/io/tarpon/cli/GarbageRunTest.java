package io.tarpon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.cluster.client.Metadata;
import io.tarpon.cluster.console.Console;
import io.tarpon.testkit.FakeService;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.GarbageReport;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GarbageRunTest {
    private static final String COLLECT = "/v1/gc?dry-run=false";

    private final FakeService service;
    private final Metadata metadata;

    GarbageRunTest() throws IOException {
        service = new FakeService();
        metadata = new Metadata(new MetadataClient(URI.create(service.url()), new WriteToken("0123456789abcdef")));
    }

    @AfterEach
    void close() {
        metadata.close();
        service.close();
    }

    private GarbageRun run() {
        var silent = new PrintStream(OutputStream.nullOutputStream());
        return new GarbageRun(
                metadata, new Console(silent, silent, false, true), Duration.ofMillis(600), Duration.ofMillis(10));
    }

    private static GarbageReport report(long objects, String... whys) {
        var waiting = Arrays.stream(whys)
                .map(why -> new GarbageReport.Waiting("demo/v1", why))
                .toList();
        return new GarbageReport(false, objects, objects * 10, 1, 2, 20, waiting, List.of());
    }

    @Test
    void whatWasRemovedJustNowIsWaitedForAndAllIsCounted() {
        service.on(
                COLLECT,
                FakeService.bytes(200, Json.bytes(report(3, "removed-just-now"))),
                FakeService.bytes(200, Json.bytes(report(0, "readers-unknown"))),
                FakeService.bytes(200, Json.bytes(report(4))));
        var collected = run().collect();
        assertThat(collected.objects()).isEqualTo(7);
        assertThat(collected.bytes()).isEqualTo(70);
        assertThat(collected.uploads()).isEqualTo(3);
        assertThat(collected.blocks()).isEqualTo(6);
        assertThat(collected.blockBytes()).isEqualTo(60);
        assertThat(collected.waiting()).isEmpty();
        assertThat(service.requests()).hasSize(3);
    }

    @Test
    void whatIsReadIsNotWaitedForButSaid() {
        service.on(COLLECT, FakeService.bytes(200, Json.bytes(report(1, "open-reads"))));
        assertThat(run().collect().waiting()).containsExactly(new GarbageReport.Waiting("demo/v1", "open-reads"));
        assertThat(service.requests()).hasSize(1);
    }

    @Test
    void theWaitHasAnEnd() {
        service.on(COLLECT, FakeService.bytes(200, Json.bytes(report(0, "removed-just-now"))));
        assertThat(run().collect().waiting()).hasSize(1);
        assertThat(service.requests()).hasSizeBetween(2, 61);
    }

    @Test
    void aLookAsksForNothingToBeDeleted() {
        service.on("/v1/gc?dry-run=true", FakeService.bytes(200, Json.bytes(report(5, "removed-just-now"))));
        assertThat(run().look().objects()).isEqualTo(5);
        assertThat(service.requests()).containsExactly("POST /v1/gc?dry-run=true");
    }
}
