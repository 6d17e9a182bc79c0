package io.tarpon.ingest.record;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;

/// A record being put together. Reused from record to record; for one thread.
public final class RecordBytes {
    private byte[] bytes = new byte[512];
    private int length;

    public RecordBytes clear() {
        length = 0;
        return this;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    RecordBytes octet(int value) {
        grow(1);
        bytes[length++] = (byte) value;
        return this;
    }

    /// Eight bytes, big-endian: sorts as an unsigned number.
    RecordBytes fixed(long value) {
        grow(Long.BYTES);
        for (int shift = 56; shift >= 0; shift -= 8) {
            bytes[length++] = (byte) (value >>> shift);
        }
        return this;
    }

    /// A number from 0, in seven bits a byte, lowest first. Does not sort.
    RecordBytes number(long value) {
        grow(10);
        long rest = value;
        while (rest > 0x7f) {
            bytes[length++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[length++] = (byte) rest;
        return this;
    }

    /// UTF-8 behind its length. Does not sort.
    RecordBytes text(String value) {
        var utf8 = value.getBytes(StandardCharsets.UTF_8);
        return number(utf8.length).raw(utf8);
    }

    /// Short where it is lower-case hex digits, as most ETags are: two in a byte behind twice their number of bytes and
    /// one. Any other text is UTF-8 behind twice its length. Does not sort.
    RecordBytes etag(String value) {
        if (!isHex(value)) {
            var utf8 = value.getBytes(StandardCharsets.UTF_8);
            return number(2L * utf8.length).raw(utf8);
        }
        return number(value.length() + 1L).raw(HexFormat.of().parseHex(value));
    }

    /// UTF-8 before a zero byte, the bytes 0 and 1 of its own written as `01 01` and `01 02`: sorts as the text
    /// does, a prefix first, whatever follows.
    RecordBytes sorted(String value) {
        var utf8 = value.getBytes(StandardCharsets.UTF_8);
        grow(2 * utf8.length + 1);
        for (byte b : utf8) {
            if (b == 0 || b == 1) {
                bytes[length++] = 1;
                bytes[length++] = (byte) (b + 1);
            } else {
                bytes[length++] = b;
            }
        }
        bytes[length++] = 0;
        return this;
    }

    private static boolean isHex(String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return value.length() % 2 == 0;
    }

    private RecordBytes raw(byte[] more) {
        grow(more.length);
        System.arraycopy(more, 0, bytes, length, more.length);
        length += more.length;
        return this;
    }

    private void grow(int more) {
        if (more > bytes.length - length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
