package io.tarpon.ingest.stream;

import io.tarpon.wire.letter.DeadLetter;
import io.tarpon.wire.letter.DeadLetterList;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/// The newest letters of some partitions, each looked through from its end. A marker stands behind the letter that it
/// is about, so it has been seen by then.
final class LetterScan {
    private final int limit;
    private final List<DeadLetter> letters = new ArrayList<>();
    private boolean more;

    LetterScan(int limit) {
        this.limit = limit;
    }

    /// Adds the newest letters of a partition, at most one more than asked for; looks through `most` records at most.
    void scan(Partition partition, int most) {
        var retries = new HashMap<Long, Instant>();
        var found = new ArrayList<DeadLetter>();
        for (var step : partition.backwards(most)) {
            var offsets = new ArrayList<Long>();
            var seen = new ArrayList<DeadLetter>();
            boolean isWhole = partition.read(step.from(), step.to(), record -> {
                noteRetry(record, retries);
                if (!isMarker(record)) {
                    offsets.add(record.offset());
                    seen.add(letter(record, null, false));
                }
            });
            for (int i = seen.size() - 1; i >= 0; i--) {
                found.add(retried(seen.get(i), retries.get(offsets.get(i))));
            }
            if (!isWhole || found.size() > limit) {
                more = true;
                break;
            }
        }
        more |= partition.end() - partition.begin() > most;
        letters.addAll(found.subList(0, Math.min(found.size(), limit + 1)));
    }

    DeadLetterList newest() {
        letters.sort(Comparator.comparing(DeadLetter::at).reversed());
        boolean isCut = letters.size() > limit;
        return new DeadLetterList(isCut ? letters.subList(0, limit) : letters, more || isCut);
    }

    static boolean isMarker(ConsumerRecord<byte[], byte[]> record) {
        return record.headers().lastHeader(LetterHeaders.RETRIED) != null;
    }

    /// Keeps the time of the last marker for each letter.
    static void noteRetry(ConsumerRecord<byte[], byte[]> record, Map<Long, Instant> retries) {
        LetterHeaders.number(record.headers(), LetterHeaders.RETRIED)
                .ifPresent(offset -> retries.merge(
                        offset, Instant.ofEpochMilli(record.timestamp()), (a, b) -> a.isAfter(b) ? a : b));
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

    private static long bytes(ConsumerRecord<byte[], byte[]> record) {
        return LetterHeaders.number(record.headers(), LetterHeaders.LEFT_OUT)
                .orElse(record.value() == null ? 0L : record.value().length);
    }

    private static DeadLetter retried(DeadLetter letter, @Nullable Instant at) {
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
}
