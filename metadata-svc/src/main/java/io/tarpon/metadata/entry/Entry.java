package io.tarpon.metadata.entry;

import io.tarpon.wire.Digests;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// One entry of the metadata log: decided records, and what the decision rested on.
///
/// @param idempotenceKey names the command and its content: two applied entries never share one whose effect is
///     single
/// @param at when it was proposed; the only time that replay knows
/// @param traceparent W3C Trace Context of the request; null where it carried none
/// @param guards the revision that each [Entity] had when this was decided. All must hold in replay, else nothing
/// applies.
/// @param log id of the log that it was decided for; null where that had none yet, and then it is a guard too
public record Entry(
        String idempotenceKey,
        Instant at,
        @Nullable String traceparent,
        SortedMap<String, Long> guards,
        List<Change> records,
        @Nullable String log) {
    private static final Pattern TRACEPARENT = Pattern.compile("00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}");
    private static final int LOG_ID_DIGITS = 32;

    public Entry {
        guards = Collections.unmodifiableSortedMap(new TreeMap<>(guards));
        records = List.copyOf(records);
        if (guards.isEmpty() || records.isEmpty()) {
            throw new IllegalArgumentException("entry " + idempotenceKey + " has no guard or no record");
        }
        guards.keySet().forEach(Entity::parse);
        if (traceparent != null && !isTraceparent(traceparent)) {
            throw new IllegalArgumentException("entry " + idempotenceKey + " carries a malformed traceparent");
        }
        if (log != null) {
            requireLogId(log);
        }
    }

    /// An entry of a log that has no id.
    public Entry(
            String idempotenceKey,
            Instant at,
            @Nullable String traceparent,
            SortedMap<String, Long> guards,
            List<Change> records) {
        this(idempotenceKey, at, traceparent, guards, records, null);
    }

    static void requireLogId(String id) {
        if (!Digests.isHex(id, LOG_ID_DIGITS)) {
            throw new IllegalArgumentException("'" + id + "' is not the id of a log: " + LOG_ID_DIGITS + " hex digits");
        }
    }

    public static boolean isTraceparent(String text) {
        return TRACEPARENT.matcher(text).matches();
    }
}
