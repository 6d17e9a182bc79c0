package io.tarpon.block.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.wire.http.WriteToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The write token, read from its file once at start.
public final class TokenFile {
    private TokenFile() {}

    public static WriteToken read(Path file) throws IOException {
        try {
            return new WriteToken(Files.readString(file, UTF_8));
        } catch (IOException e) {
            throw new IOException("tarpon.token-file " + file + " cannot be read: " + e.getMessage(), e);
        }
    }
}
