package io.tarpon.ingest.notice;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/// What a `sequencer` is worth for telling which of two events about one key came later.
public enum Sequencing {
    /// Nothing: the store is asked.
    NONE {
        @Override
        boolean covers(String seen, String other) {
            return false;
        }
    },
    /// AWS: hexadecimal, the shorter one padded with zeros on the left.
    PADDED_HEX {
        @Override
        boolean covers(String seen, String other) {
            return isHex(seen) && isHex(other) && padded(seen, other).compareTo(padded(other, seen)) >= 0;
        }
    },
    /// Ceph: the clock of the gateway that took the request, as the little-endian memory of two 32-bit words, seconds
    /// and nanoseconds. Two gateways' clocks differ, so only a long time says which came first.
    CEPH_CLOCK {
        @Override
        boolean covers(String seen, String other) {
            if (!isCephClock(seen) || !isCephClock(other)) {
                return false;
            }
            return seen.equalsIgnoreCase(other) || cephNanos(other) < cephNanos(seen) - CLOCKS_DIFFER.toNanos();
        }
    };

    static final Duration CLOCKS_DIFFER = Duration.ofMinutes(5);

    private static final int MAX_CHARS = 64;
    private static final Pattern HEX = Pattern.compile("[0-9A-Fa-f]{1," + MAX_CHARS + "}");
    private static final int CEPH_CHARS = 16;

    /// Whether it is certain that an event with sequencer `other` tells nothing that one with `seen`, about the same
    /// key, did not tell. Text that is no sequencer is certain of nothing.
    abstract boolean covers(String seen, String other);

    /// Nanoseconds since 1970 of Ceph's sequencer.
    static long cephNanos(String sequencer) {
        var words = ByteBuffer.wrap(HexFormat.of().parseHex(sequencer)).order(ByteOrder.LITTLE_ENDIAN);
        long seconds = Integer.toUnsignedLong(words.getInt());
        return seconds * 1_000_000_000L + Integer.toUnsignedLong(words.getInt());
    }

    private static boolean isHex(String text) {
        return HEX.matcher(text).matches();
    }

    private static boolean isCephClock(String text) {
        return text.length() == CEPH_CHARS && isHex(text);
    }

    private static String padded(String text, String other) {
        return "0".repeat(Math.max(0, other.length() - text.length())) + text.toUpperCase(Locale.ROOT);
    }
}
