package io.tarpon.wire.index;

/// The CRC-32C of a run of bytes, joined from the CRCs of its pieces without seeing the bytes again.
///
/// A CRC is a remainder of polynomials over GF(2) (Castagnoli's here, RFC 3720), so appending n bytes multiplies
/// what is there by x^(8n) and adds the CRC of the new ones, as `crc32_combine` of zlib does. Bits are reflected:
/// the highest is the coefficient of x^0.
final class JoinedCrc {
    private static final int POLYNOMIAL = 0x82f6_3b78;
    private static final int ONE = 1 << 31;

    /// `x^(8 * 2^k)` at k.
    private static final int[] POWERS = powers();

    private int value;
    private long length;

    /// Appends a piece of which the CRC and the length in bytes are known.
    void append(int crc, long bytes) {
        value = length == 0 ? crc : multiply(value, power(bytes)) ^ crc;
        length += bytes;
    }

    void append(JoinedCrc other) {
        append(other.value, other.length);
    }

    int value() {
        return value;
    }

    void reset() {
        value = 0;
        length = 0;
    }

    /// `x^(8 * bytes)`.
    private static int power(long bytes) {
        int power = ONE;
        for (long left = bytes; left != 0; left &= left - 1) {
            int factor = POWERS[Long.numberOfTrailingZeros(left)];
            power = power == ONE ? factor : multiply(power, factor);
        }
        return power;
    }

    private static int multiply(int a, int b) {
        int product = 0;
        int shifted = b;
        for (int bit = 0; bit < Integer.SIZE; bit++) {
            product ^= shifted & (a << bit >> 31);
            shifted = (shifted >>> 1) ^ (POLYNOMIAL & -(shifted & 1));
        }
        return product;
    }

    private static int[] powers() {
        int[] powers = new int[Long.SIZE];
        powers[0] = ONE >>> 8;
        for (int k = 1; k < powers.length; k++) {
            powers[k] = multiply(powers[k - 1], powers[k - 1]);
        }
        return powers;
    }
}
