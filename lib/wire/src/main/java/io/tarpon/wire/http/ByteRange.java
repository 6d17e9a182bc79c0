package io.tarpon.wire.http;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a `Range` header asks of a body of known length (RFC 9110 section 14; the choices are contracts section 2).
public sealed interface ByteRange {
    /// The whole body, status 200: no range, several ranges, another unit, or garbage.
    record Whole() implements ByteRange {}

    /// Status 206: bytes `from` to `to`, `to` exclusive.
    record Part(long from, long to) implements ByteRange {
        public Part {
            if (from < 0 || to <= from) {
                throw new IllegalArgumentException("no byte between " + from + " and " + to);
            }
        }

        public long length() {
            return to - from;
        }
    }

    /// Status 416, with `Content-Range: bytes */length`.
    record Unsatisfiable() implements ByteRange {}

    /// `bytes=first-last`, `bytes=first-` or `bytes=-suffix`; optional white space as RFC 9110 allows it.
    Pattern SINGLE = Pattern.compile("bytes=[ \\t]*([0-9]*)-([0-9]*)[ \\t]*", Pattern.CASE_INSENSITIVE);

    /// Numbers of any length are accepted and clamped.
    static ByteRange of(@Nullable String header, long length) {
        if (header == null) {
            return new Whole();
        }
        var match = SINGLE.matcher(header.strip());
        if (!match.matches()) {
            return new Whole();
        }
        var first = match.group(1);
        var last = match.group(2);
        if (first.isEmpty()) {
            return last.isEmpty() ? new Whole() : suffix(clamp(last), length);
        }
        var from = clamp(first);
        var to = last.isEmpty() ? Long.MAX_VALUE : clamp(last);
        if (to < from || from >= length) {
            return new Unsatisfiable();
        }
        return new Part(from, Math.min(to, length - 1) + 1);
    }

    private static ByteRange suffix(long bytes, long length) {
        if (bytes == 0 || length == 0) {
            return new Unsatisfiable();
        }
        return new Part(Math.max(0, length - bytes), length);
    }

    /// One look at each digit: a header has room for many thousands.
    private static long clamp(String digits) {
        long value = 0;
        for (int i = 0; i < digits.length(); i++) {
            var digit = digits.charAt(i) - '0';
            if (value > (Long.MAX_VALUE - digit) / 10) {
                return Long.MAX_VALUE;
            }
            value = value * 10 + digit;
        }
        return value;
    }
}
