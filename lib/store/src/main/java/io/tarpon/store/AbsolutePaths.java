package io.tarpon.store;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Folders as configuration writes them.
final class AbsolutePaths {
    private AbsolutePaths() {}

    /// @param text empty for a value that is missing
    static Path require(String configKey, String text) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException(configKey + " is needed: the absolute path of a folder");
        }
        try {
            Path path = Path.of(text);
            if (path.isAbsolute()) {
                return path.normalize();
            }
        } catch (InvalidPathException e) {
            // Said below, with the key's name.
        }
        throw new IllegalArgumentException(configKey + " must be an absolute path, not " + text);
    }
}
