package io.tarpon.wire.letter;

import java.time.Instant;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// One message that a function gave up on.
///
/// @param id `<topic>/<partition>/<offset>`, of the dead-letter topic
/// @param topic that it was read from
/// @param key of the record; null where it had none
/// @param reason a word, such as `unknown-source`; `detail` says it to people
/// @param bytes length of the original value
/// @param retriedAt when it was last put back into its topic; null where it never was
/// @param headers of the original message, as text
/// @param value the original value as Base64; null in a list
public record DeadLetter(
        String id,
        String topic,
        @Nullable String key,
        Instant at,
        String reason,
        String detail,
        long bytes,
        @Nullable Instant retriedAt,
        SortedMap<String, String> headers,
        @Nullable String value) {
    public DeadLetter {
        headers = Collections.unmodifiableSortedMap(new TreeMap<>(headers));
    }
}
