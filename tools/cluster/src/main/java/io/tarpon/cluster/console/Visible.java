package io.tarpon.cluster.console;

/// Text as a terminal may have it. Names come from whoever uploads: a control character in one must not move
/// the cursor, colour what follows or turn its direction.
final class Visible {
    private static final String TURNING = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";

    private Visible() {}

    /// The text with `\x1b` for each character that would act instead of showing; tabs stay.
    static String text(String text) {
        if (text.codePoints().noneMatch(Visible::acts)) {
            return text;
        }
        var visible = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (acts(c)) {
                visible.append(c < 0x100 ? "\\x%02x".formatted(c) : "\\u%04x".formatted(c));
            } else {
                visible.appendCodePoint(c);
            }
        });
        return visible.toString();
    }

    /// Several lines, each made visible.
    static String lines(String text) {
        return String.join("\n", text.lines().map(Visible::text).toList());
    }

    private static boolean acts(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL -> c != '\t';
            case Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE -> true;
            default -> TURNING.indexOf(c) >= 0;
        };
    }
}
