package io.tarpon.wire;

import java.util.regex.Pattern;

/// The shapes of names and canonical decimals (contracts section 1).
final class Names {
    private static final Pattern NAME = Pattern.compile("[a-z0-9][a-z0-9_-]{0,62}");

    private Names() {}

    static String requireName(String what, String value) {
        if (!NAME.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    what + " '" + printable(value) + "' is not a name: it must match [a-z0-9][a-z0-9_-]{0,62}");
        }
        return value;
    }

    /// The value of a decimal without sign, leading zero or superfluous digit, or -1.
    static int canonicalDecimal(String digits) {
        if (digits.isEmpty() || digits.length() > 9 || (digits.length() > 1 && digits.charAt(0) == '0')) {
            return -1;
        }
        for (int i = 0; i < digits.length(); i++) {
            if (digits.charAt(i) < '0' || digits.charAt(i) > '9') {
                return -1;
            }
        }
        return Integer.parseInt(digits);
    }

    /// At most 80 characters of a refused value, fit for a log line or an error.
    static String printable(String value) {
        var cut = value.length() > 80 ? value.substring(0, 80) + "…" : value;
        return cut.replaceAll("\\p{Cntrl}", "?");
    }
}
