package io.tarpon.ingest.stream;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.ingest.upload.Refusal;
import io.tarpon.service.stream.DeadLetters;
import io.tarpon.service.stream.LetterHeaders;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LetterHeadersTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "tarpon-retried",
                "tarpon-value-left-out",
                "tarpon-left-out",
                "tarpon-reason",
                "tarpon-detail",
                "tarpon-topic",
                "tarpon-partition",
                "tarpon-offset"
            })
    void aMessageWithAHeaderOfOursIsALetterLikeAnyOther(String name) {
        var message = message();
        message.headers().add(name, "7".getBytes(UTF_8)).add("mine", "x".getBytes(UTF_8));

        var letter = buried(message);

        assertThat(LetterRecords.isMarker(letter)).isFalse();
        var shown = LetterRecords.letter(letter, null, true);
        assertThat(shown.reason()).isEqualTo("malformed");
        assertThat(shown.topic()).isEqualTo("tarpon.uploads");
        assertThat(shown.bytes()).isEqualTo(3);
        assertThat(shown.headers()).containsOnlyKeys("mine");
    }

    @Test
    void everyHeaderOfTheMessageIsKeptInOrder() {
        var message = message();
        message.headers().add("b", new byte[] {1}).add("a", null).add("b", new byte[] {2});

        assertThat(headers(message)).extracting(Header::key).startsWith("b", "a", "b");
        assertThat(LetterHeaders.original(headers(message)).toArray())
                .containsExactly(message.headers().toArray());
    }

    private static ConsumerRecord<byte[], byte[]> message() {
        return new ConsumerRecord<>("tarpon.uploads", 2, 11, new byte[] {5}, new byte[] {1, 2, 3});
    }

    private static Headers headers(ConsumerRecord<byte[], byte[]> message) {
        return DeadLetters.sizes(message, Refusal.MALFORMED.wireName(), "no")
                .getFirst()
                .headers();
    }

    private static ConsumerRecord<byte[], byte[]> buried(ConsumerRecord<byte[], byte[]> message) {
        var letter = new ConsumerRecord<>("tarpon.uploads.dlq", 0, 0, message.key(), message.value());
        headers(message).forEach(letter.headers()::add);
        return letter;
    }
}
