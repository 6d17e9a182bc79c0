package io.tarpon.ingest.notice;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/// How a store writes an object's key into a notification. Decoding a raw key corrupts `+` and `%`; not decoding a
/// coded one looks for another object.
enum KeyCoding {
    /// As it is.
    RAW {
        @Override
        String decode(String key) {
            return key;
        }
    },
    /// Like a form: `+` is a space, `%xx` a byte of UTF-8.
    FORM {
        @Override
        String decode(String key) throws FlawException {
            return key.indexOf('%') < 0 ? key.replace('+', ' ') : percentDecoded(key);
        }
    };

    /// Longest key that S3 has, in bytes of UTF-8.
    static final int MAX_BYTES = 1_024;

    abstract String decode(String key) throws FlawException;

    /// The key, if a store can hold an object of it. `..`, `//` and control characters are part of a key like any
    /// other: it is data, never a path.
    static String require(String key) throws FlawException {
        if (key.isEmpty()) {
            throw FlawException.broken("the object's key is empty");
        }
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(key) || key.indexOf('\0') >= 0) {
            throw FlawException.broken("the object's key has half a surrogate pair or a NUL in it");
        }
        int bytes = key.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MAX_BYTES) {
            throw FlawException.broken("the object's key has " + bytes + " bytes, more than " + MAX_BYTES);
        }
        return key;
    }

    private static String percentDecoded(String key) throws FlawException {
        var bytes = new ByteArrayOutputStream(key.length());
        for (int i = 0; i < key.length(); i++) {
            char c = key.charAt(i);
            if (c == '%') {
                bytes.write(hex(key, i + 1) << 4 | hex(key, i + 2));
                i += 2;
            } else if (c == '+') {
                bytes.write(' ');
            } else if (c < 0x80) {
                bytes.write(c);
            } else {
                int end = Character.isHighSurrogate(c) && i + 1 < key.length() ? i + 2 : i + 1;
                bytes.writeBytes(key.substring(i, end).getBytes(StandardCharsets.UTF_8));
                i = end - 1;
            }
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes.toByteArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw FlawException.broken("the object's key is not percent-encoded UTF-8");
        }
    }

    private static int hex(String key, int at) throws FlawException {
        int digit = at < key.length() && key.charAt(at) < 0x80 ? Character.digit(key.charAt(at), 16) : -1;
        if (digit < 0) {
            throw FlawException.broken("the object's key has a '%' without two hex digits");
        }
        return digit;
    }
}
