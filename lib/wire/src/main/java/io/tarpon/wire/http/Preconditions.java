package io.tarpon.wire.http;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The conditional headers of one request, evaluated in the order of RFC 9110 section 13.2.2.
public record Preconditions(
        @Nullable String ifMatch,
        @Nullable String ifUnmodifiedSince,
        @Nullable String ifNoneMatch,
        @Nullable String ifModifiedSince,
        @Nullable String ifRange) {

    /// Two-digit years are of 1970 to 2069.
    private static final int RFC_850_BASE = 1970;

    private static final List<DateTimeFormatter> DATE_FORMATS = List.of(
            DateTimeFormatter.RFC_1123_DATE_TIME,
            new DateTimeFormatterBuilder()
                    .appendPattern("EEEE, dd-MMM-")
                    .appendValueReduced(ChronoField.YEAR, 2, 2, RFC_850_BASE)
                    .appendPattern(" HH:mm:ss 'GMT'")
                    .toFormatter(Locale.US),
            DateTimeFormatter.ofPattern("EEE MMM ppd HH:mm:ss uuuu", Locale.US));

    /// What to answer: go on, 304, or 412.
    public enum Verdict {
        PROCEED,
        NOT_MODIFIED,
        FAILED
    }

    /// For a GET or HEAD of something that exists, with a strong `etag` (quotes included) and a modification time.
    public Verdict evaluate(String etag, Instant lastModified) {
        var modified = lastModified.truncatedTo(ChronoUnit.SECONDS);
        if (ifMatch != null) {
            if (!matches(ifMatch, etag, false)) {
                return Verdict.FAILED;
            }
        } else if (ifUnmodifiedSince != null
                && date(ifUnmodifiedSince).map(modified::isAfter).orElse(false)) {
            return Verdict.FAILED;
        }
        if (ifNoneMatch != null) {
            return matches(ifNoneMatch, etag, true) ? Verdict.NOT_MODIFIED : Verdict.PROCEED;
        }
        if (ifModifiedSince != null
                && date(ifModifiedSince).map(since -> !modified.isAfter(since)).orElse(false)) {
            return Verdict.NOT_MODIFIED;
        }
        return Verdict.PROCEED;
    }

    /// Whether a `Range` header counts: there is no `If-Range`, or it names this very representation.
    public boolean honoursRange(String etag, Instant lastModified) {
        if (ifRange == null) {
            return true;
        }
        var value = ifRange.strip();
        if (value.startsWith("\"")) {
            return value.equals(etag);
        }
        return date(value)
                .map(lastModified.truncatedTo(ChronoUnit.SECONDS)::equals)
                .orElse(false);
    }

    /// A list of entity tags, or `*`. The weak comparison of If-None-Match passes over a `W/`; the strong one refuses
    /// it.
    private static boolean matches(String list, String etag, boolean weakly) {
        if (list.strip().equals("*")) {
            return true;
        }
        for (int i = 0; i < list.length(); ) {
            var open = list.indexOf('"', i);
            var close = open < 0 ? -1 : list.indexOf('"', open + 1);
            if (close < 0) {
                return false;
            }
            var weak = open >= 2 && list.startsWith("W/", open - 2);
            if ((weakly || !weak) && list.substring(open, close + 1).equals(etag)) {
                return true;
            }
            i = close + 1;
        }
        return false;
    }

    /// Any of the three forms that RFC 9110 section 5.6.7 has recipients accept; empty for what is none of them.
    private static Optional<Instant> date(String text) {
        for (var format : DATE_FORMATS) {
            try {
                return Optional.of(LocalDateTime.parse(text.strip(), format).toInstant(ZoneOffset.UTC));
            } catch (DateTimeException e) {
                // Not this form; perhaps the next.
            }
        }
        return Optional.empty();
    }
}
