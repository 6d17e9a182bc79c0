package io.tarpon.shard.disk;

import io.tarpon.wire.http.WriteToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file that holds the write token.
public final class TokenFile {
    private TokenFile() {}

    /// @throws IOException naming the file, where it cannot be read
    /// @throws IllegalArgumentException where it holds no usable token
    public static WriteToken read(Path file) throws IOException {
        try {
            return new WriteToken(Files.readString(file));
        } catch (IOException e) {
            throw new IOException("tarpon.token-file " + file + " cannot be read: " + e, e);
        }
    }
}
