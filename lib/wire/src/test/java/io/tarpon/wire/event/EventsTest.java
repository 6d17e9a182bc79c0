package io.tarpon.wire.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.wire.GoldenFiles;
import io.tarpon.wire.WireRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EventsTest {
    private static final String PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

    @Test
    void everyEventDecodesToWhatWasEncoded() throws IOException {
        for (var event : WireRecords.events()) {
            var envelope = new Events.Envelope("3-0", "/metadata-svc", WireRecords.TIME, Optional.of(PARENT));
            var received = Events.decode(Events.encode(envelope, event));
            assertThat(received.data()).isEqualTo(event);
            assertThat(received.id()).isEqualTo("3-0");
            assertThat(received.traceparent()).contains(PARENT);
        }
    }

    @Test
    void everyEventHasItsGoldenFile() throws IOException {
        for (var event : WireRecords.events()) {
            GoldenFiles.check(event.type() + ".json", event);
        }
        GoldenFiles.check(DatasetUploaded.TYPE + ".json", WireRecords.uploaded());
    }

    @Test
    void anUploadDecodesToWhatWasEncoded() throws IOException {
        var envelope = new Events.Envelope("request-1", "/cli", WireRecords.TIME, Optional.empty());
        var event = Events.structured(Events.encode(envelope, WireRecords.uploaded()));
        assertThat(event.getSpecVersion()).hasToString("1.0");
        assertThat(Events.uploaded(event).data()).isEqualTo(WireRecords.uploaded());
    }

    @Test
    void whatIsNoEventIsRefusedWithAReason() {
        for (var text : new String[] {
            "",
            "null",
            "[]",
            "{}",
            "{\"specversion\":\"0.3\"}",
            "\u0000",
            "[".repeat(10_000),
            "{\"specversion\":\"1.0\",\"id\":\"1\"}"
        }) {
            assertThatThrownBy(() -> Events.decode(text.getBytes(StandardCharsets.UTF_8)))
                    .as(text.substring(0, Math.min(20, text.length())))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("(?s).+");
        }
    }

    @Test
    void otherVersionsDoublesAndTrailingBytesAreRefused() {
        var event = "{\"specversion\":\"1.0\",\"id\":\"1\",\"source\":\"/me\",\"type\":\"x\"}";
        for (var text : new String[] {
            event.replace("1.0", "0.3"),
            event + " junk",
            event.replace("\"id\":\"1\"", "\"id\":\"1\",\"id\":\"2\""),
            event.replace("/me", "")
        }) {
            assertThatThrownBy(() -> Events.structured(text.getBytes(StandardCharsets.UTF_8)))
                    .as(text)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith("not a CloudEvent 1.0");
        }
    }

    @Test
    void aRefusalNamesTheFieldAndNoClassOfOurs() {
        var data = "{\"source\":\"file:///x\",\"dataset\":\"../x\"}";
        assertThatThrownBy(() ->
                        io.tarpon.wire.json.Json.read(data.getBytes(StandardCharsets.UTF_8), DatasetUploaded.class))
                .hasMessageContaining("field 'dataset'")
                .hasMessageContaining("../x")
                .hasMessageNotContaining("io.tarpon");
    }
}
