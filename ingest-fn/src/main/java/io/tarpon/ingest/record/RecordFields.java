package io.tarpon.ingest.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// Takes a record apart in the order in which [RecordBytes] put it together. Spool bytes are our own: a wrong one is
/// a bug.
final class RecordFields {
    private final byte[] bytes;
    private final int end;
    private int at;

    RecordFields(byte[] bytes, int from, int length) {
        this.bytes = bytes;
        this.at = from;
        this.end = from + length;
    }

    int octet() {
        return Byte.toUnsignedInt(bytes[at++]);
    }

    long fixed() {
        long value = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            value = value << 8 | octet();
        }
        return value;
    }

    long number() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            int part = octet();
            value |= (long) (part & 0x7f) << shift;
            if (part < 0x80) {
                return value;
            }
        }
    }

    String text() {
        int length = (int) number();
        var value = new String(bytes, at, length, StandardCharsets.UTF_8);
        at += length;
        return value;
    }

    String etag() {
        long form = number();
        int length = (int) (form >>> 1);
        int from = at;
        at += length;
        return (form & 1) == 1
                ? HexFormat.of().formatHex(bytes, from, at)
                : new String(bytes, from, length, StandardCharsets.UTF_8);
    }

    String sorted() {
        int from = at;
        boolean escaped = false;
        for (byte b = bytes[at++]; b != 0; b = bytes[at++]) {
            escaped |= b == 1;
        }
        int to = at - 1;
        return escaped ? unescaped(from, to) : new String(bytes, from, to - from, StandardCharsets.UTF_8);
    }

    void requireEnd() {
        if (at != end) {
            throw new IllegalStateException("a spool record has " + (end - at) + " bytes too many");
        }
    }

    private String unescaped(int from, int to) {
        var utf8 = new byte[to - from];
        int length = 0;
        for (int i = from; i < to; i++) {
            utf8[length++] = bytes[i] == 1 ? (byte) (bytes[++i] - 1) : bytes[i];
        }
        return new String(Arrays.copyOf(utf8, length), StandardCharsets.UTF_8);
    }
}
