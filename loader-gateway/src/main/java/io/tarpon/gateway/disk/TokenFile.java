package io.tarpon.gateway.disk;

import io.tarpon.wire.http.WriteToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The file that holds the write token.
public final class TokenFile {
    private TokenFile() {}

    /// @throws IOException where the file cannot be read
    /// @throws IllegalArgumentException where it holds no token
    public static WriteToken read(String file) throws IOException {
        return new WriteToken(Files.readString(Path.of(file)));
    }
}
