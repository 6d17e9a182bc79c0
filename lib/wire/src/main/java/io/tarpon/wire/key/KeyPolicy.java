package io.tarpon.wire.key;

import io.tarpon.wire.Digests;
import java.nio.charset.StandardCharsets;

/// Policy `k1`: from source keys to sample keys, extensions and tar keys. A tar key with any of its extensions is a
/// name that ustar, DALI's index and WebDataset all carry unchanged. All lengths are UTF-8 bytes.
public final class KeyPolicy {
    /// The policy's name, as a plan and a report may quote it.
    public static final String NAME = "k1";

    /// Longest member name: what the name field of a ustar header holds.
    public static final int MAX_NAME_BYTES = 100;

    /// Longest final extension.
    public static final int MAX_EXTENSION_BYTES = 32;

    /// Longest key of a sample: its name also has a dot and at least one byte of extension.
    public static final int MAX_KEY_BYTES = MAX_NAME_BYTES - 2;

    private static final String RENAMED_FOLDER = "r/";
    private static final int RENAMED_STEM_BYTES = 48;
    private static final int HASH_DIGITS = 16;
    private static final int CUT_EXTENSION_BYTES = MAX_EXTENSION_BYTES - HASH_DIGITS - 1;

    private KeyPolicy() {}

    /// Classifies a source key by its name alone.
    ///
    /// @param sourceKey path below the source prefix, `/` separated, the split's folder already taken off
    public static Named classify(String sourceKey) {
        if (!wellFormed(sourceKey)) {
            return new Named.LeftOut(LeftOutReason.UNDECODABLE_NAME);
        }
        int last = sourceKey.lastIndexOf('/') + 1;
        if (last == sourceKey.length()) {
            return new Named.LeftOut(LeftOutReason.NOT_A_REGULAR_FILE);
        }
        if (sourceKey.charAt(last) == '.' || belowDotFolder(sourceKey, last)) {
            return new Named.LeftOut(LeftOutReason.DOT_FILE);
        }
        int dot = sourceKey.indexOf('.', last);
        if (dot < 0 || dot == sourceKey.length() - 1) {
            return new Named.LeftOut(LeftOutReason.NO_EXTENSION);
        }
        String extension = sourceKey.substring(dot + 1);
        return new Named.Member(sourceKey.substring(0, dot), extension, finalExtension(extension));
    }

    /// The extension as it stands in the tar: ASCII lower-cased, bytes outside `[a-z0-9._-]` as `_`; what is then
    /// over 32 bytes is its first 15, `-`, and 16 hex digits of its SHA-256.
    public static String finalExtension(String extension) {
        byte[] bytes = extension.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            byte lower = bytes[i] >= 'A' && bytes[i] <= 'Z' ? (byte) (bytes[i] + 32) : bytes[i];
            bytes[i] = isExtensionByte(lower) ? lower : (byte) '_';
        }
        String mapped = new String(bytes, StandardCharsets.US_ASCII);
        return bytes.length <= MAX_EXTENSION_BYTES
                ? mapped
                : mapped.substring(0, CUT_EXTENSION_BYTES) + '-' + hashDigits(bytes);
    }

    /// Whether the key itself fits, whatever the extensions: only plain components, none of them `.`, `..` or
    /// `__x__`, not below `r/`.
    public static boolean keeps(String sampleKey) {
        if (sampleKey.startsWith(RENAMED_FOLDER)) {
            return false;
        }
        int from = 0;
        while (true) {
            int slash = sampleKey.indexOf('/', from);
            int to = slash < 0 ? sampleKey.length() : slash;
            if (!isPlainComponent(sampleKey, from, to)) {
                return false;
            }
            if (slash < 0) {
                return true;
            }
            from = slash + 1;
        }
    }

    /// The key under which a sample stands in its tar: its own, or the renamed one. A sample is renamed as a whole.
    ///
    /// @param finalExtensions the final extensions of all its members
    public static String tarKey(String sampleKey, Iterable<String> finalExtensions) {
        if (!keeps(sampleKey)) {
            return renamed(sampleKey);
        }
        for (String extension : finalExtensions) {
            if (!namesWell(sampleKey, extension)) {
                return renamed(sampleKey);
            }
        }
        return sampleKey;
    }

    /// The name a sample gets that cannot keep its own: at most 67 bytes, so that every member name fits.
    public static String renamed(String sampleKey) {
        String lastComponent = sampleKey.substring(sampleKey.lastIndexOf('/') + 1);
        byte[] stem = lastComponent.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(stem.length, RENAMED_STEM_BYTES);
        for (int i = 0; i < length; i++) {
            stem[i] = isStemByte(stem[i]) ? stem[i] : (byte) '_';
        }
        return RENAMED_FOLDER
                + new String(stem, 0, length, StandardCharsets.US_ASCII)
                + '-'
                + hashDigits(sampleKey.getBytes(StandardCharsets.UTF_8));
    }

    /// Whether a key is one that [#tarKey] can give: kept, or of the renamed form.
    public static boolean isTarKey(String key) {
        if (key.length() > MAX_KEY_BYTES) {
            return false;
        }
        return key.startsWith(RENAMED_FOLDER) ? isRenamedForm(key) : keeps(key);
    }

    /// Whether an extension is one that [#finalExtension] can give.
    public static boolean isFinalExtension(String extension) {
        if (extension.isEmpty() || extension.length() > MAX_EXTENSION_BYTES) {
            return false;
        }
        return extension.chars().allMatch(c -> c < 128 && isExtensionByte((byte) c));
    }

    /// Fits the header, and WebDataset does not take the name at the tar's top for a `__x__` of its own.
    private static boolean namesWell(String keptKey, String extension) {
        boolean reserved = keptKey.indexOf('/') < 0 && keptKey.startsWith("__") && extension.endsWith("__");
        return !reserved && keptKey.length() + 1 + extension.length() <= MAX_NAME_BYTES;
    }

    private static boolean belowDotFolder(String key, int last) {
        int from = 0;
        while (from < last) {
            int to = key.indexOf('/', from);
            boolean dotted = to > from && key.charAt(from) == '.';
            if (dotted && !isDotOrDotDot(key, from, to)) {
                return true;
            }
            from = to + 1;
        }
        return false;
    }

    private static boolean isPlainComponent(String key, int from, int to) {
        if (from == to || isDotOrDotDot(key, from, to)) {
            return false;
        }
        for (int i = from; i < to; i++) {
            char c = key.charAt(i);
            if (c >= 128 || !(isStemByte((byte) c) || c == '.')) {
                return false;
            }
        }
        boolean reserved = to - from >= 4 && key.startsWith("__", from) && key.startsWith("__", to - 2);
        return !reserved;
    }

    private static boolean isDotOrDotDot(String key, int from, int to) {
        return (to - from == 1 && key.charAt(from) == '.') || (to - from == 2 && key.startsWith("..", from));
    }

    private static boolean isRenamedForm(String key) {
        int hash = key.length() - HASH_DIGITS;
        int stem = hash - 1 - RENAMED_FOLDER.length();
        if (stem < 1 || stem > RENAMED_STEM_BYTES || key.charAt(hash - 1) != '-') {
            return false;
        }
        return key.substring(RENAMED_FOLDER.length(), hash).chars().allMatch(c -> c < 128 && isStemByte((byte) c))
                && key.substring(hash).chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }

    private static boolean isExtensionByte(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= '0' && b <= '9') || b == '.' || b == '_' || b == '-';
    }

    private static boolean isStemByte(byte b) {
        return (b >= 'a' && b <= 'z') || (b >= 'A' && b <= 'Z') || (b >= '0' && b <= '9') || b == '_' || b == '-';
    }

    /// A lone surrogate has no UTF-8 form: encoding it would make two names one.
    private static boolean wellFormed(String key) {
        for (int i = 0; i < key.length(); i++) {
            if (Character.isSurrogate(key.charAt(i))) {
                int point = key.codePointAt(i);
                if (!Character.isSupplementaryCodePoint(point)) {
                    return false;
                }
                i++;
            }
        }
        return true;
    }

    private static String hashDigits(byte[] bytes) {
        return Digests.sha256Hex(bytes).substring(0, HASH_DIGITS);
    }
}
