package io.tarpon.metadata.disk;

import io.tarpon.wire.http.WriteToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// The file that holds the write token.
public final class TokenFile {
    private static final int MAX_BYTES = 4096;

    private TokenFile() {}

    /// Throws where the file cannot be read or holds no token; the message names it.
    public static WriteToken read(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            return new WriteToken(new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8));
        } catch (NoSuchFileException e) {
            throw new IOException("tarpon.token-file " + file + " is not there: make it, or set the key to another", e);
        } catch (IOException | IllegalArgumentException e) {
            throw new IOException("tarpon.token-file " + file + " cannot be used: " + e.getMessage(), e);
        }
    }
}
