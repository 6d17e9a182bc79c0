package io.tarpon.store.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/// A directory entry's name as text. The JVM decodes names itself and puts U+FFFD where it cannot; the raw bytes are
/// still in the path's URI, percent-encoded.
///
/// @param text the name, or its percent-encoded form when it is not UTF-8
record PrintableName(String text, boolean decodable) {
    private static final char REPLACEMENT = '\uFFFD';

    static PrintableName of(Path entry) throws IOException {
        String name = lastPart(entry.toString());
        if (name.indexOf(REPLACEMENT) < 0) {
            return new PrintableName(name, true);
        }
        String encoded = lastPart(withoutTrailingSlash(entry.toUri().getRawPath()));
        try {
            String decoded = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(percentDecoded(encoded)))
                    .toString();
            if (!decoded.equals(name)) {
                throw new IOException("cannot name the file " + entry + ": this process must run with LC_ALL=C.UTF-8");
            }
            return new PrintableName(name, true);
        } catch (CharacterCodingException e) {
            return new PrintableName(encoded, false);
        }
    }

    private static String lastPart(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    private static String withoutTrailingSlash(String path) {
        return path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
    }

    private static byte[] percentDecoded(String text) {
        var bytes = ByteBuffer.allocate(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '%') {
                bytes.put((byte) Integer.parseInt(text, i + 1, i + 3, 16));
                i += 2;
            } else {
                bytes.put((byte) c);
            }
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }
}
