package io.tarpon.ingest.notice;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.json.Json;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Envelopes of events.md 1.3.
class EnvelopeTest {
    private static final String S3 = Notifications.aws("raw", "ds1/_SUCCESS");

    static Stream<String> enveloped() {
        return Stream.of(
                S3,
                Notifications.sqs(S3),
                Notifications.sns(S3),
                Notifications.sqs(Notifications.sns(S3)),
                Json.text(Notifications.sqs(Notifications.sns(S3))),
                Notifications.bridged("raw", "ds1/_SUCCESS"),
                Notifications.sqs(Notifications.bridged("raw", "ds1/_SUCCESS")),
                Json.text(S3),
                // One record without the array around it.
                S3.substring("{\"Records\":[".length(), S3.length() - 2));
    }

    @ParameterizedTest
    @MethodSource("enveloped")
    void aNotificationIsFoundInUpToThreeEnvelopes(String event) {
        var read = (NoticeReading.Notices) read(event);
        assertThat(read.flaws()).isEmpty();
        assertThat(read.notices()).extracting(Notice::key).containsExactly("ds1/_SUCCESS");
    }

    @Test
    void aFourthEnvelopeIsNotOpened() {
        var four = Json.text(Json.text(Notifications.sqs(Notifications.sns(S3))));
        assertThat(((NoticeReading.Unreadable) read(four)).flaw())
                .isEqualTo(new Flaw(Flaw.Kind.BROKEN, "more than 3 envelopes around each other"));
    }

    @Test
    void limitsHoldInsideEnvelopesToo() {
        var deep = Notifications.sqs("{\"Records\":" + "[".repeat(40) + "]".repeat(40) + "}");
        assertThat(((NoticeReading.Unreadable) read(deep)).flaw().detail()).contains("depth");
        var twice = Notifications.sns("{\"Records\":[],\"Records\":[]}");
        assertThat(((NoticeReading.Unreadable) read(twice)).flaw().detail()).contains("Duplicate");
    }

    @ParameterizedTest
    @ValueSource(strings = {"SubscriptionConfirmation", "UnsubscribeConfirmation"})
    void aConfirmationIsLeftToPeople(String type) {
        var event = "{\"Type\":\"" + type
                + "\",\"Message\":\"You have chosen\",\"SubscribeURL\":\"http://169.254.169.254/\"}";
        assertThat(read(event)).isInstanceOf(NoticeReading.Nothing.class);
    }

    @Test
    void anEnvelopeOfAnotherTypeIsUnknown() {
        assertThat(((NoticeReading.Unreadable) read("{\"Type\":\"Other\",\"Message\":\"{}\"}"))
                        .flaw()
                        .kind())
                .isEqualTo(Flaw.Kind.UNKNOWN);
        assertThat(((NoticeReading.Unreadable) read("{\"Type\":\"Notification\",\"Message\":{}}"))
                        .flaw()
                        .kind())
                .isEqualTo(Flaw.Kind.BROKEN);
    }

    @Test
    void theTestEventIsNothingInAnEnvelopeToo() {
        assertThat(read(Notifications.sqs("{\"Service\":\"Amazon S3\",\"Event\":\"s3:TestEvent\"}")))
                .isInstanceOf(NoticeReading.Nothing.class);
    }

    @Test
    void aStructuredCloudEventIsLeftToItsReader() {
        assertThat(read("{\"specversion\":\"1.0\",\"id\":\"1\"}")).isInstanceOf(NoticeReading.CloudEvent.class);
        assertThat(read(Notifications.sqs("{\"specversion\":\"1.0\"}"))).isInstanceOf(NoticeReading.Unreadable.class);
    }

    private static NoticeReading read(String event) {
        return new NoticeReader(false).read(event.getBytes(UTF_8));
    }
}
