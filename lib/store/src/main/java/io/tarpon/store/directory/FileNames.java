package io.tarpon.store.directory;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/// Parts of keys as file names, one to one.
///
/// Bytes outside `[A-Za-z0-9._-]` and a leading `.` are written `%XX`; an empty part is `%`. What is longer than 240
/// characters then is cut into several names: each but the last is a folder and ends in `%+`, each but the first
/// begins with `+`, so that none is `..`.
final class FileNames {
    private static final String CONTINUES = "%+";
    private static final String CONTINUED = "+";
    private static final String EMPTY = "%";
    private static final int MAX_CHARS = 240;
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private FileNames() {}

    /// The names that stand for one part of a key, outermost first.
    static List<String> of(String part) {
        String escaped = part.isEmpty() ? EMPTY : escape(part);
        var names = new ArrayList<String>();
        int from = 0;
        while (escaped.length() - from > MAX_CHARS) {
            names.add(begin(from) + escaped.substring(from, from + MAX_CHARS) + CONTINUES);
            from += MAX_CHARS;
        }
        names.add(begin(from) + escaped.substring(from));
        return names;
    }

    private static String begin(int from) {
        return from == 0 ? "" : CONTINUED;
    }

    /// Whether the name is a folder in which the same part goes on.
    static boolean continues(String name) {
        return name.endsWith(CONTINUES);
    }

    /// What is escaped so far, and what a name adds to it.
    ///
    /// @throws IllegalArgumentException when it does not go on from there
    static String join(String begun, String name) {
        String begin = begin(begun.length());
        if (!name.startsWith(begin)) {
            throw new IllegalArgumentException("no key part goes on with " + name);
        }
        return begun + name.substring(begin.length(), name.length() - (continues(name) ? CONTINUES.length() : 0));
    }

    /// The part that an escaped name, put together again, stands for.
    ///
    /// @throws IllegalArgumentException when no part is written so
    static String part(String escaped) {
        if (escaped.equals(EMPTY)) {
            return "";
        }
        var bytes = new ByteArrayOutputStream(escaped.length());
        for (int i = 0; i < escaped.length(); i++) {
            if (escaped.charAt(i) != '%') {
                bytes.write(escaped.charAt(i));
            } else if (i + 3 <= escaped.length()) {
                bytes.write(HexFormat.fromHexDigits(escaped, i + 1, i + 3));
                i += 2;
            }
        }
        String part = bytes.toString(StandardCharsets.UTF_8);
        if (!escape(part).equals(escaped)) {
            throw new IllegalArgumentException("no key part is written as " + escaped);
        }
        return part;
    }

    private static String escape(String part) {
        var escaped = new StringBuilder(part.length() + 16);
        for (byte b : part.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            if (isPlain(c) && !(c == '.' && escaped.isEmpty())) {
                escaped.append(c);
            } else {
                escaped.append('%').append(HEX.toHexDigits(b));
            }
        }
        return escaped.toString();
    }

    private static boolean isPlain(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == '-';
    }
}
