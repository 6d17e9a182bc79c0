package io.tarpon.block;

import java.util.Locale;
import java.util.regex.Pattern;

/// A number of bytes as configuration writes it: `1073741824`, `512MiB`, `2GiB`.
public record ByteSize(long bytes) {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,18})[ ]?(|B|KIB|MIB|GIB|TIB|K|M|G|T)");

    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size is not negative: " + bytes);
        }
    }

    /// Suffixes `KiB`, `MiB`, `GiB`, `TiB`, also as `K`, `M`, `G`, `T`; all of them powers of 1,024.
    public static ByteSize parse(CharSequence text) {
        var match = FORM.matcher(text.toString().strip().toUpperCase(Locale.ROOT));
        if (!match.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not a size such as 512MiB or 2GiB");
        }
        var unit = match.group(2);
        var shift = unit.isEmpty() ? 0 : 10 * "BKMGT".indexOf(unit.charAt(0));
        return new ByteSize(Math.multiplyExact(Long.parseLong(match.group(1)), 1L << shift));
    }
}
