package io.tarpon.wire;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// SHA-256 and CRC-32C as they are written on the wire: lower-case hex.
public final class Digests {
    private static final int SHA256_HEX_DIGITS = 64;
    private static final int CRC32C_HEX_DIGITS = 8;

    private Digests() {}

    public static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    public static String sha256Hex(byte[] bytes) {
        return HexFormat.of().formatHex(sha256().digest(bytes));
    }

    public static String crc32cHex(int crc) {
        return HexFormat.of().toHexDigits(crc);
    }

    /// The value back, after a check that it is 64 lower-case hex digits.
    public static String requireSha256(String what, String hex) {
        return requireHex(what, hex, SHA256_HEX_DIGITS);
    }

    /// The value back, after a check that it is 8 lower-case hex digits.
    public static String requireCrc32c(String what, String hex) {
        return requireHex(what, hex, CRC32C_HEX_DIGITS);
    }

    /// Whether the text has so many digits, all of them lower-case hex. Asked for every block that is read.
    public static boolean isHex(String text, int digits) {
        if (text.length() != digits) {
            return false;
        }
        for (int i = 0; i < digits; i++) {
            char c = text.charAt(i);
            if ((c < '0' || c > '9') && (c < 'a' || c > 'f')) {
                return false;
            }
        }
        return true;
    }

    private static String requireHex(String what, String hex, int digits) {
        if (!isHex(hex, digits)) {
            throw new IllegalArgumentException(
                    what + " '" + Names.printable(hex) + "' is not " + digits + " lower-case hex digits");
        }
        return hex;
    }
}
