package io.tarpon.ingest.stream;

import io.tarpon.service.stream.LetterHeaders;
import io.tarpon.wire.letter.DeadLetter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// What records of a dead-letter topic are: letters, and markers that say that a letter was put back.
final class LetterRecords {
    private LetterRecords() {}

    static boolean isMarker(ConsumerRecord<byte[], byte[]> record) {
        return record.headers().lastHeader(LetterHeaders.RETRIED) != null;
    }

    /// Keeps the time of the last marker of each letter from `first` to before `end`.
    static void noteRetry(ConsumerRecord<byte[], byte[]> record, long first, long end, Map<Long, Instant> retries) {
        LetterHeaders.number(record.headers(), LetterHeaders.RETRIED)
                .filter(offset -> offset >= first && offset < end)
                .ifPresent(offset -> retries.merge(
                        offset, Instant.ofEpochMilli(record.timestamp()), (a, b) -> a.isAfter(b) ? a : b));
    }

    /// Whether it has less than the message that died.
    static boolean isCut(ConsumerRecord<byte[], byte[]> letter) {
        return letter.headers().lastHeader(LetterHeaders.LEFT_OUT) != null;
    }

    static DeadLetter letter(ConsumerRecord<byte[], byte[]> record, @Nullable Instant retriedAt, boolean isValueShown) {
        var headers = record.headers();
        byte @Nullable [] value = record.value();
        return new DeadLetter(
                record.topic() + "/" + record.partition() + "/" + record.offset(),
                LetterHeaders.text(headers, LetterHeaders.TOPIC).orElse(""),
                record.key() == null ? null : new String(record.key(), StandardCharsets.UTF_8),
                Instant.ofEpochMilli(record.timestamp()),
                LetterHeaders.text(headers, LetterHeaders.REASON).orElse(""),
                LetterHeaders.text(headers, LetterHeaders.DETAIL).orElse(""),
                bytes(record),
                retriedAt,
                LetterHeaders.shown(headers),
                isValueShown && value != null ? Base64.getEncoder().encodeToString(value) : null);
    }

    static DeadLetter retried(DeadLetter letter, @Nullable Instant at) {
        return new DeadLetter(
                letter.id(),
                letter.topic(),
                letter.key(),
                letter.at(),
                letter.reason(),
                letter.detail(),
                letter.bytes(),
                at,
                letter.headers(),
                letter.value());
    }

    private static long bytes(ConsumerRecord<byte[], byte[]> record) {
        return LetterHeaders.number(record.headers(), LetterHeaders.LEFT_OUT)
                .orElse(record.value() == null ? 0L : record.value().length);
    }
}
