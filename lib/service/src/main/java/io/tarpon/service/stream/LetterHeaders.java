package io.tarpon.service.stream;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/// What functions write into the headers of a dead letter, beside those that the message had. A message that had one of
/// these names loses it: it would become something else.
public final class LetterHeaders {
    public static final String REASON = "tarpon-reason";
    public static final String DETAIL = "tarpon-detail";
    public static final String TOPIC = "tarpon-topic";
    public static final String PARTITION = "tarpon-partition";
    public static final String OFFSET = "tarpon-offset";

    /// There is no value, because with the headers the record would be too large: its length.
    public static final String LEFT_OUT = "tarpon-value-left-out";

    /// There is neither key nor any header of the message either: those alone would be too large.
    public static final String BARE = "tarpon-left-out";

    /// On a marker: the offset, in this partition, of the letter that was put back when the marker was written.
    public static final String RETRIED = "tarpon-retried";

    private static final Set<String> OURS = Set.of(REASON, DETAIL, TOPIC, PARTITION, OFFSET, LEFT_OUT, BARE, RETRIED);

    private LetterHeaders() {}

    public static Optional<String> text(Headers headers, String name) {
        var header = headers.lastHeader(name);
        return header == null || header.value() == null
                ? Optional.empty()
                : Optional.of(new String(header.value(), StandardCharsets.UTF_8));
    }

    public static Optional<Long> number(Headers headers, String name) {
        return text(headers, name).filter(text -> text.matches("\\d{1,18}")).map(Long::valueOf);
    }

    /// What the message had before it died; bytes and order as they were.
    public static Headers original(Headers headers) {
        var original = new RecordHeaders();
        for (var header : headers) {
            if (!OURS.contains(header.key())) {
                original.add(header);
            }
        }
        return original;
    }

    /// For people; of a name that is there twice, the last.
    public static SortedMap<String, String> shown(Headers headers) {
        var shown = new TreeMap<String, String>();
        for (var header : original(headers)) {
            text(headers, header.key()).ifPresent(text -> shown.put(header.key(), text));
        }
        return shown;
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
