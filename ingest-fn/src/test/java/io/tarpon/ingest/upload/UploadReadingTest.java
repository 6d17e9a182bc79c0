package io.tarpon.ingest.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tarpon.ingest.notice.Notice;
import io.tarpon.ingest.notice.NoticeReader;
import io.tarpon.ingest.notice.Notifications;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.event.DatasetUploaded;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.json.Json;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UploadReadingTest {
    private static final String DATA = "{\"source\":\"photos\",\"dataset\":\"demo\",\"spec\":{\"seed\":7}}";
    private static final UploadReading READING = new UploadReading(new NoticeReader(false));
    private static final Instant NOW = Instant.parse("2026-05-01T10:00:00Z");

    @Test
    void aStructuredEventIsRead() {
        var upload = read(Optional.of("Application/CloudEvents+json; charset=UTF-8"), Map.of(), structured("r1", DATA));
        assertThat(upload.id()).isEqualTo("r1");
        assertThat(upload.eventSource()).isEqualTo("/test");
        assertThat(upload.traceparent()).contains("00-a-b-01");
        assertThat(upload.data().dataset()).isEqualTo(new DatasetName("demo"));
        assertThat(upload.specification(Optional.empty()).seed()).isEqualTo(7);
        assertThat(upload.specification(Optional.empty()).splits()).isEqualTo("auto");
    }

    @Test
    void aBinaryEventIsTheSame() {
        var structured = read(Optional.of(Events.CONTENT_TYPE), Map.of(), structured("r1", DATA));
        var attributes = Map.of(
                "id",
                "r1",
                "source",
                "/test",
                "specversion",
                "1.0",
                "type",
                DatasetUploaded.TYPE,
                "traceparent",
                "00-a-b-01");
        assertThat(read(Optional.of("application/json"), attributes, DATA)).isEqualTo(structured);
    }

    @Test
    void anEventEncodedByUsIsReadBackWithItsIdAndTime() {
        var upload = read(Optional.of(Events.CONTENT_TYPE), Map.of(), structured("r1", DATA));
        var encoded = new String(upload.encode(NOW), StandardCharsets.UTF_8);
        var again = read(Optional.of(Events.CONTENT_TYPE), Map.of(), encoded);
        assertThat(again.id()).isEqualTo("r1");
        assertThat(again.time()).contains(NOW);
        assertThat(again.data()).isEqualTo(upload.data());
    }

    @Test
    void whatIsNoCloudEventIsOfUnknownType() {
        unreadable(Refusal.UNKNOWN_TYPE, Optional.of("application/json"), Map.of(), "{\"records\":[]}");
        unreadable(Refusal.UNKNOWN_TYPE, Optional.empty(), Map.of(), "\0\1\2");
        unreadable(
                Refusal.UNKNOWN_TYPE,
                Optional.of(Events.CONTENT_TYPE),
                Map.of(),
                structured("r1", DATA).replace("uploaded.v1", "uploaded.v9"));
    }

    @Test
    void whatClaimsToBeAnUploadAndIsNoneSaysWhy() {
        malformed("a batch", "application/cloudevents-batch+json", "[]");
        malformed("not a JSON object", Events.CONTENT_TYPE, "[]");
        malformed("", Events.CONTENT_TYPE, "{\"specversion\":\"1.0\"");
        malformed("data.source", Events.CONTENT_TYPE, structured("r1", "{\"dataset\":\"demo\"}"));
        malformed("data.dataset", Events.CONTENT_TYPE, structured("r1", "{\"source\":\"photos\"}"));
        malformed(
                "'De mo' is not a name",
                Events.CONTENT_TYPE,
                structured("r1", "{\"source\":\"s\",\"dataset\":\"De mo\"}"));
        malformed(
                "shardSize",
                Events.CONTENT_TYPE,
                structured("r1", "{\"source\":\"s\",\"dataset\":\"d\",\"spec\":{\"shardSize\":1}}"));
        malformed("id", Events.CONTENT_TYPE, structured("x".repeat(257), DATA));
        malformed("control character", Events.CONTENT_TYPE, structured("a\\nforged log line", DATA));
        malformed("no data", Events.CONTENT_TYPE, structured("r1", DATA).replace("\"data\":" + DATA + ",", ""));
    }

    @Test
    void aNotificationIsReadAsItIsAndAsTheDataOfACloudEvent() {
        var s3 = Notifications.ceph("raw", "a b+c/_SUCCESS");
        var plain = (Reading.Notified) reading(Optional.empty(), Map.of(), s3);
        assertThat(plain.event()).isNull();
        assertThat(plain.notices().notices()).extracting(Notice::key).containsExactly("a b+c/_SUCCESS");

        // As RGW sends it with cloudevents=true.
        var attributes = Map.of(
                "id", "req.host", "source", "ceph:s3.zone.raw", "specversion", "1.0", "type", "com.amazonaws.s3");
        var binary = (Reading.Notified) reading(Optional.of("application/json"), attributes, s3);
        assertThat(binary.notices()).isEqualTo(plain.notices());
        assertThat(binary.event()).isNotNull();

        var again = new String(NotifiedEvents.encode(binary.event()), StandardCharsets.UTF_8);
        var structured = (Reading.Notified) reading(Optional.of(Events.CONTENT_TYPE), Map.of(), again);
        assertThat(structured.notices()).isEqualTo(plain.notices());
        assertThat(structured.event().getId()).isEqualTo("req.host");
    }

    @Test
    void aStructuredEventIsKnownByItsFieldsWhereItsHeaderIsMissing() {
        assertThat(read(Optional.empty(), Map.of(), structured("r1", DATA)).id())
                .isEqualTo("r1");
        assertThat(reading(Optional.of("application/json"), Map.of(), structured("r1", DATA)))
                .isInstanceOf(Reading.Read.class);
    }

    @Test
    void b1OurOwnEventsAreUtf8WithoutAByteOrderMarkAndWithoutDuplicates() {
        var event = structured("r1", DATA);
        for (var bytes : List.of(
                ("\ufeff" + event).getBytes(StandardCharsets.UTF_8),
                event.getBytes(StandardCharsets.UTF_16),
                event.getBytes(StandardCharsets.UTF_16BE),
                event.getBytes(Charset.forName("UTF-32LE")),
                event.replace("demo", "d\u00e9mo").getBytes(StandardCharsets.ISO_8859_1),
                event.replace("\"id\"", "\"id\":\"other\",\"id\"").getBytes(StandardCharsets.UTF_8),
                event.replace("\"seed\":7", "\"seed\":NaN").getBytes(StandardCharsets.UTF_8),
                event.replace("\"seed\":7", "\"seed\":7,\"seed\":8").getBytes(StandardCharsets.UTF_8),
                Arrays.copyOf(event.getBytes(StandardCharsets.UTF_8), event.length() - 1),
                new byte[10 << 20])) {
            var reading = READING.read(Optional.of(Events.CONTENT_TYPE), _ -> Optional.empty(), bytes);
            assertThat(reading)
                    .isInstanceOfSatisfying(
                            Reading.Unreadable.class,
                            unreadable -> assertThat(unreadable.why()).isEqualTo(Refusal.MALFORMED));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"../x", "/abs", "", "-x", "Upper", "a b", "d\u00e9mo", "\u0430bc", "a\u202eb", "a.b", "a/b"})
    void b31ADatasetIsAName(String dataset) {
        malformed(
                "is not a name",
                Events.CONTENT_TYPE,
                structured("r1", "{\"source\":\"s\",\"dataset\":" + Json.text(dataset) + "}"));
    }

    @Test
    void b31ADatasetHasAtMost63Characters() {
        malformed(
                "is not a name",
                Events.CONTENT_TYPE,
                structured("r1", "{\"source\":\"s\",\"dataset\":\"" + "x".repeat(300) + "\"}"));
    }

    @Test
    void b7ACloudEventHasOneKindOfData() {
        malformed(
                "",
                Events.CONTENT_TYPE,
                structured("r1", DATA).replace("\"data\":", "\"data_base64\":\"e30=\",\"data\":"));
        malformed("0.3", Events.CONTENT_TYPE, structured("r1", DATA).replace("\"1.0\"", "\"0.3\""));
        malformed("", Events.CONTENT_TYPE, structured("r1", DATA).replace("\"id\":\"r1\",", ""));
        malformed("a batch", "application/cloudevents-batch+json", "[" + structured("r1", DATA) + "]");
    }

    @Test
    void deepAndLongJsonIsRefusedRatherThanRead() {
        malformed("depth", Events.CONTENT_TYPE, structured("r1", "[".repeat(100) + "]".repeat(100)));
        malformed("65", Events.CONTENT_TYPE, structured("r1", "1".repeat(65)));
    }

    @Test
    void aBinaryEventNeedsAllItsAttributes() {
        var all = Map.of("id", "r1", "source", "/test", "specversion", "1.0", "type", DatasetUploaded.TYPE);
        for (var missing : all.keySet()) {
            var rest = new HashMap<>(all);
            rest.remove(missing);
            unreadable(Refusal.MALFORMED, Optional.of("application/json"), rest, DATA);
        }
        var old = new HashMap<>(all);
        old.put("specversion", "0.3");
        unreadable(Refusal.MALFORMED, Optional.of("application/json"), old, DATA);
        unreadable(Refusal.MALFORMED, Optional.of("text/plain"), all, DATA);
        unreadable(Refusal.MALFORMED, Optional.of("application/json"), all, "");
    }

    @Test
    void aSpecificationOutOfItsBoundsIsNamed() {
        var data = "{\"source\":\"photos\",\"dataset\":\"demo\",\"spec\":{\"replicas\":0}}";
        var upload = read(Optional.of(Events.CONTENT_TYPE), Map.of(), structured("r1", data));
        assertThatThrownBy(() -> upload.specification(Optional.empty()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("replicas 0");
    }

    private static void malformed(String detail, String contentType, String body) {
        assertThat(unreadable(Refusal.MALFORMED, Optional.of(contentType), Map.of(), body))
                .contains(detail);
    }

    private static String unreadable(
            Refusal why, Optional<String> contentType, Map<String, String> attributes, String body) {
        var reading = reading(contentType, attributes, body);
        assertThat(reading).isInstanceOf(Reading.Unreadable.class);
        var unreadable = (Reading.Unreadable) reading;
        assertThat(unreadable.why()).isEqualTo(why);
        return unreadable.detail();
    }

    private static Reading reading(Optional<String> contentType, Map<String, String> attributes, String body) {
        return READING.read(
                contentType, name -> Optional.ofNullable(attributes.get(name)), body.getBytes(StandardCharsets.UTF_8));
    }

    private static Upload read(Optional<String> contentType, Map<String, String> attributes, String body) {
        var reading = reading(contentType, attributes, body);
        assertThat(reading).isInstanceOf(Reading.Read.class);
        return ((Reading.Read) reading).upload();
    }

    private static String structured(String id, String data) {
        return "{\"specversion\":\"1.0\",\"id\":\"" + id + "\",\"source\":\"/test\",\"type\":\"" + DatasetUploaded.TYPE
                + "\",\"data\":" + data + ",\"traceparent\":\"00-a-b-01\"}";
    }
}
