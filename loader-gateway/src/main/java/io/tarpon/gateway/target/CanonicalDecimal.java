package io.tarpon.gateway.target;

import io.tarpon.wire.http.TarponException;
import java.util.OptionalLong;

/// Numbers in URLs (contracts section 1): digits alone, no sign, no leading zero, below 2^63.
public final class CanonicalDecimal {
    private static final int MOST_DIGITS = 19;

    private CanonicalDecimal() {}

    /// Any number from 0 on; anything else is refused as `bad-parameter`.
    ///
    /// @param name of the parameter
    public static long parse(String name, String text) {
        return value(text)
                .orElseThrow(
                        () -> refusal(name, text, "a decimal below 2^63 without sign and leading zero, such as 0"));
    }

    /// A number within bounds; anything else is refused as `bad-parameter`.
    public static int parse(String name, String text, int least, int most) {
        var value = value(text).orElse(-1);
        if (value < least || value > most) {
            throw refusal(name, text, "a decimal from " + least + " to " + most + " without sign and leading zero");
        }
        return (int) value;
    }

    private static OptionalLong value(String text) {
        if (text.isEmpty() || text.length() > MOST_DIGITS || (text.length() > 1 && text.charAt(0) == '0')) {
            return OptionalLong.empty();
        }
        long value = 0;
        for (int i = 0; i < text.length(); i++) {
            var digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return OptionalLong.empty();
            }
            value = value * 10 + digit;
        }
        // 19 digits are below 2^64: what passes 2^63 is negative.
        return value < 0 ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private static TarponException refusal(String name, String text, String form) {
        return TarponException.badParameter(name + " '" + Percent.printable(text) + "' is not " + form);
    }
}
