package io.tarpon.cluster.console;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/// Sizes as people write them: binary units, `256MiB`.
public final class Sizes {
    private static final String[] UNITS = {"B", "KiB", "MiB", "GiB", "TiB"};
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,12})(B|KiB|MiB|GiB|TiB)?");

    private Sizes() {}

    /// `1.5 MiB`.
    public static String human(long bytes) {
        double value = bytes;
        int unit = 0;
        while (value >= 1024 && unit < UNITS.length - 1) {
            value /= 1024;
            unit++;
        }
        return unit == 0 ? bytes + " B" : String.format(Locale.ROOT, "%.1f %s", value, UNITS[unit]);
    }

    /// Bytes of `256MiB`, `1GiB` or `1048576`; empty where the text is none of these or more than a long holds.
    public static OptionalLong parse(String text) {
        var match = SIZE.matcher(text);
        if (!match.matches()) {
            return OptionalLong.empty();
        }
        var unit = Optional.ofNullable(match.group(2)).orElse("B");
        int power = List.of(UNITS).indexOf(unit);
        try {
            return OptionalLong.of(Math.multiplyExact(Long.parseLong(match.group(1)), 1L << (10 * power)));
        } catch (ArithmeticException e) {
            return OptionalLong.empty();
        }
    }
}
