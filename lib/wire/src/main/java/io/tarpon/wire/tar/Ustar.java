package io.tarpon.wire.tar;

/// Numbers of the ustar format (POSIX.1-1988) as every shard uses it.
public final class Ustar {
    /// Headers, and the unit that data are padded to.
    public static final int BLOCK_BYTES = 512;

    /// The two zero blocks that end every archive; we write no more and no less.
    public static final int END_BYTES = 2 * BLOCK_BYTES;

    /// Longest name: the whole name field, without a NUL.
    public static final int MAX_NAME_BYTES = 100;

    /// Largest member: eleven octal digits.
    public static final long MAX_MEMBER_BYTES = 0_77777777777L;

    private Ustar() {}

    /// A member's data with their padding, in bytes.
    public static long paddedLength(long size) {
        if (size < 0 || size > MAX_MEMBER_BYTES) {
            throw new IllegalArgumentException("member size out of range: " + size);
        }
        return (size + BLOCK_BYTES - 1) & -BLOCK_BYTES;
    }

    /// A member with header, data and padding, in bytes.
    public static long memberLength(long size) {
        return BLOCK_BYTES + paddedLength(size);
    }

    /// A fresh array of the bytes that end an archive.
    public static byte[] end() {
        return new byte[END_BYTES];
    }
}
