package io.tarpon.ingest.notice;

import java.util.Locale;
import java.util.regex.Pattern;

/// What a `sequencer` is worth for telling that two events about one key are one. It is not used to tell which of two
/// came later: whoever can send one event that says it is the last of all time would silence all real ones after it.
public enum Sequencing {
    /// Nothing: the store is asked.
    NONE {
        @Override
        boolean isSame(String seen, String other) {
            return false;
        }
    },
    /// AWS: hexadecimal, the shorter one padded with zeros on the left.
    PADDED_HEX {
        @Override
        boolean isSame(String seen, String other) {
            return isHex(seen) && isHex(other) && padded(seen, other).equals(padded(other, seen));
        }
    },
    /// Ceph: the clock of the gateway that took the request, 16 hexadecimal digits.
    CEPH_CLOCK {
        @Override
        boolean isSame(String seen, String other) {
            return isCephClock(seen) && seen.equalsIgnoreCase(other);
        }
    };

    private static final int MAX_CHARS = 64;
    private static final Pattern HEX = Pattern.compile("[0-9A-Fa-f]{1," + MAX_CHARS + "}");
    private static final int CEPH_CHARS = 16;

    /// Whether it is certain that two events about one key, with these sequencers, are the same event. Text that is no
    /// sequencer is certain of nothing.
    abstract boolean isSame(String seen, String other);

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
