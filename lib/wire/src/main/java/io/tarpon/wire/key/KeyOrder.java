package io.tarpon.wire.key;

import java.util.Comparator;

/// Order of keys: by their UTF-8 bytes, unsigned, a prefix first. S3 lists in this order; Java's own string order
/// differs from it where surrogate pairs meet characters from U+E000 up.
public final class KeyOrder {
    /// Compares two well-formed strings as their UTF-8 bytes compare, without encoding them.
    public static final Comparator<String> UTF8 = KeyOrder::compare;

    private KeyOrder() {}

    private static int compare(String a, String b) {
        int common = Math.min(a.length(), b.length());
        for (int i = 0; i < common; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                return Integer.compare(rank(x), rank(y));
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /// Code units in UTF-8 order: surrogates stand for U+10000 and up, so they sort after U+FFFF.
    private static int rank(char unit) {
        return Character.isSurrogate(unit) ? unit + 0x10000 : unit;
    }
}
