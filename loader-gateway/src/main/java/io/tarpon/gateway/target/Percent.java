package io.tarpon.gateway.target;

import io.tarpon.wire.http.TarponException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// Percent-coding of a path (RFC 3986); `+` is a plus.
public final class Percent {
    private static final int MAX_PRINTED = 200;

    private Percent() {}

    /// Decodes once. Refuses a `%` without two hex digits and bytes that are not UTF-8, as `bad-parameter`.
    public static String decode(String text) {
        var bytes = new ByteArrayOutputStream(text.length());
        for (int i = 0; i < text.length(); i++) {
            var c = text.charAt(i);
            if (c == '%') {
                bytes.write(hex(text, i + 1) << 4 | hex(text, i + 2));
                i += 2;
            } else {
                // The request line was read as ISO-8859-1: every char is one byte as sent.
                bytes.write(c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(java.nio.ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw TarponException.badParameter("'" + printable(text) + "' is not percent-encoded UTF-8");
        }
    }

    /// At most 200 characters of what was sent, fit for a log line or an error.
    public static String printable(String text) {
        var cut = text.length() > MAX_PRINTED ? text.substring(0, MAX_PRINTED) + "…" : text;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }

    private static int hex(String text, int at) {
        var digit = at < text.length() ? Character.digit(text.charAt(at), 16) : -1;
        if (digit < 0 || text.charAt(at) > 'f') {
            throw TarponException.badParameter("'" + printable(text) + "' has a % without two hex digits behind it");
        }
        return digit;
    }
}
