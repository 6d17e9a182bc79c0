package io.tarpon.store;

/// The one order of keys: by the unsigned bytes of their UTF-8, which is the order of their code points.
public final class KeyOrder {
    private KeyOrder() {}

    /// As [java.util.Comparator#compare].
    public static int compare(String left, String right) {
        int common = Math.min(left.length(), right.length());
        for (int i = 0; i < common; i++) {
            char a = left.charAt(i);
            char b = right.charAt(i);
            if (a != b) {
                return Integer.compare(rank(a), rank(b));
            }
        }
        return Integer.compare(left.length(), right.length());
    }

    /// Surrogates stand for code points above all other chars, but U+E000 to U+FFFF come after them in UTF-16.
    private static int rank(char c) {
        if (c < Character.MIN_SURROGATE) {
            return c;
        }
        return c <= Character.MAX_SURROGATE ? c + 0x10000 : c;
    }
}
