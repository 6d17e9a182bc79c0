package io.tarpon.cluster.console;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/// Bytes that are no text, for people: offset, sixteen bytes, and what of them can be printed.
public final class HexDump {
    private static final int BYTES_A_LINE = 16;
    private static final int MAX_BYTES = 4096;
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    private HexDump() {}

    /// Of more than 4 KiB the first ones, and how many are left.
    public static List<String> lines(byte[] bytes) {
        var lines = new ArrayList<String>();
        int shown = Math.min(bytes.length, MAX_BYTES);
        for (int at = 0; at < shown; at += BYTES_A_LINE) {
            int end = Math.min(shown, at + BYTES_A_LINE);
            lines.add(String.format(
                    Locale.ROOT, "%08x  %-47s  %s", at, HEX.formatHex(bytes, at, end), printable(bytes, at, end)));
        }
        if (shown < bytes.length) {
            lines.add("… and " + (bytes.length - shown) + " bytes more (--raw writes them all)");
        }
        return lines;
    }

    private static String printable(byte[] bytes, int from, int to) {
        var text = new StringBuilder(to - from);
        for (int i = from; i < to; i++) {
            text.append(bytes[i] >= 0x20 && bytes[i] < 0x7f ? (char) bytes[i] : '.');
        }
        return text.toString();
    }
}
