package io.tarpon.ingest.api;

import io.tarpon.ingest.upload.Attributes;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.Function;

/// CloudEvents attributes in HTTP headers: `ce-` before the name; values percent-encoded once, or quoted as older
/// senders do.
record HeaderAttributes(Function<String, Optional<String>> headers) implements Attributes {
    @Override
    public Optional<String> value(String name) {
        return headers.apply("ce-" + name).map(value -> decoded(name, unquoted(value.strip())));
    }

    private static String unquoted(String value) {
        boolean quoted = value.length() >= 2 && value.startsWith("\"") && value.endsWith("\"");
        return quoted ? value.substring(1, value.length() - 1).replaceAll("\\\\(.)", "$1") : value;
    }

    private static String decoded(String name, String value) {
        if (value.indexOf('%') < 0) {
            return value;
        }
        var bytes = new ByteArrayOutputStream(value.length());
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '%') {
                bytes.write(hex(name, value, i + 1) << 4 | hex(name, value, i + 2));
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("header ce-" + name + " is not percent-encoded UTF-8", e);
        }
    }

    private static int hex(String name, String value, int at) {
        int digit = at < value.length() ? Character.digit(value.charAt(at), 16) : -1;
        if (digit < 0) {
            throw new IllegalArgumentException("header ce-" + name + " has a '%' without two hex digits");
        }
        return digit;
    }
}
