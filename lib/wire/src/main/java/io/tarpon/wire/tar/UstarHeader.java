package io.tarpon.wire.tar;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;

/// The header of one member. Name and size are all that differ between two headers; every other field has one value,
/// so equal inputs give equal bytes.
///
/// @param name UTF-8, 1 to 100 bytes, without NUL
/// @param size bytes of data, 0 to [Ustar#MAX_MEMBER_BYTES]
public record UstarHeader(String name, long size) {
    private static final int NAME = 0;
    private static final int SIZE = 124;
    private static final int CHECKSUM = 148;
    private static final int CHECKSUM_BYTES = 8;
    private static final int TYPE = 156;
    private static final int MAGIC = 257;
    private static final byte[] TEMPLATE = template();
    private static final byte[] MAGIC_AND_VERSION = {'u', 's', 't', 'a', 'r', 0, '0', '0'};

    public UstarHeader {
        byte[] bytes = name.getBytes(UTF_8);
        if (bytes.length == 0 || bytes.length > Ustar.MAX_NAME_BYTES || name.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a tar name has 1 to 100 bytes and no NUL: " + name);
        }
        if (size < 0 || size > Ustar.MAX_MEMBER_BYTES) {
            throw new IllegalArgumentException("size of " + name + " does not fit a tar header: " + size);
        }
    }

    /// The 512 bytes of this header.
    public byte[] encode() {
        byte[] header = TEMPLATE.clone();
        fill(name.getBytes(UTF_8), size, header, 0);
        return header;
    }

    /// The 512 bytes of the header for a name of 1 to 100 bytes.
    public static byte[] encode(byte[] name, long size) {
        byte[] header = new byte[Ustar.BLOCK_BYTES];
        encode(name, size, header, 0);
        return header;
    }

    /// Writes the header into 512 bytes of `target` from `offset`.
    public static void encode(byte[] name, long size, byte[] target, int offset) {
        if (name.length == 0 || name.length > Ustar.MAX_NAME_BYTES || Ustar.paddedLength(size) < size) {
            throw new IllegalArgumentException("a tar name has 1 to 100 bytes, not " + name.length);
        }
        System.arraycopy(TEMPLATE, 0, target, offset, Ustar.BLOCK_BYTES);
        fill(name, size, target, offset);
    }

    /// Puts the header at the buffer's position and moves it on by 512.
    public static void encode(byte[] name, long size, ByteBuffer target) {
        target.put(encode(name, size));
    }

    /// Reads a header that has exactly the form this class writes.
    ///
    /// @param header 512 bytes from `offset`
    /// @param tarOffset where the header lies in its archive, for messages
    public static UstarHeader decode(byte[] header, int offset, long tarOffset) throws TarFormatException {
        requireUstarFile(header, offset, tarOffset);
        int nameLength = 0;
        while (nameLength < Ustar.MAX_NAME_BYTES && header[offset + nameLength] != 0) {
            nameLength++;
        }
        byte[] name = Arrays.copyOfRange(header, offset, offset + nameLength);
        if (nameLength == 0) {
            throw new TarFormatException(tarOffset, "tar header without a name");
        }
        long size = octal(header, offset + SIZE, 11, tarOffset);
        byte[] canonical = encode(name, size);
        int difference = Arrays.mismatch(canonical, 0, canonical.length, header, offset, offset + Ustar.BLOCK_BYTES);
        String text = new String(name, UTF_8);
        if (difference >= 0 || !Arrays.equals(text.getBytes(UTF_8), name)) {
            throw new TarFormatException(
                    tarOffset, "tar header of " + text + " is not in shard form at byte " + Math.max(difference, 0));
        }
        return new UstarHeader(text, size);
    }

    private static void requireUstarFile(byte[] header, int offset, long tarOffset) throws TarFormatException {
        int magic = Arrays.mismatch(
                header,
                offset + MAGIC,
                offset + MAGIC + MAGIC_AND_VERSION.length,
                MAGIC_AND_VERSION,
                0,
                MAGIC_AND_VERSION.length);
        if (magic >= 0) {
            throw new TarFormatException(tarOffset, "not a ustar header");
        }
        if (octal(header, offset + CHECKSUM, 6, tarOffset) != checksum(header, offset)) {
            throw new TarFormatException(tarOffset, "tar header checksum does not match");
        }
        if (header[offset + TYPE] != '0') {
            throw new TarFormatException(
                    tarOffset, "tar entry of type " + (header[offset + TYPE] & 0xff) + " is not a plain file");
        }
    }

    private static void fill(byte[] name, long size, byte[] header, int offset) {
        System.arraycopy(name, 0, header, offset + NAME, name.length);
        putOctal(header, offset + SIZE, 11, size);
        putOctal(header, offset + CHECKSUM, 6, checksum(header, offset));
        header[offset + CHECKSUM + 6] = 0;
        header[offset + CHECKSUM + 7] = ' ';
    }

    /// Unsigned sum of the header's bytes, its checksum field taken as spaces.
    private static int checksum(byte[] header, int offset) {
        int sum = CHECKSUM_BYTES * ' ';
        for (int i = 0; i < Ustar.BLOCK_BYTES; i++) {
            if (i < CHECKSUM || i >= CHECKSUM + CHECKSUM_BYTES) {
                sum += header[offset + i] & 0xff;
            }
        }
        return sum;
    }

    private static void putOctal(byte[] header, int at, int digits, long value) {
        long rest = value;
        for (int i = digits - 1; i >= 0; i--) {
            header[at + i] = (byte) ('0' + (rest & 7));
            rest >>>= 3;
        }
    }

    private static long octal(byte[] header, int at, int digits, long tarOffset) throws TarFormatException {
        long value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = header[at + i] - '0';
            if (digit < 0 || digit > 7) {
                throw new TarFormatException(tarOffset, "tar header has a number that is not octal digits");
            }
            value = value << 3 | digit;
        }
        return value;
    }

    private static byte[] template() {
        byte[] header = new byte[Ustar.BLOCK_BYTES];
        put(header, 100, "0000644\0");
        put(header, 108, "0000000\0");
        put(header, 116, "0000000\0");
        put(header, 136, "00000000000\0");
        put(header, TYPE, "0");
        put(header, MAGIC, "ustar\0" + "00");
        put(header, 329, "0000000\0");
        put(header, 337, "0000000\0");
        return header;
    }

    private static void put(byte[] header, int at, String text) {
        byte[] bytes = text.getBytes(US_ASCII);
        System.arraycopy(bytes, 0, header, at, bytes.length);
    }
}
