package io.tarpon.service.disk;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/// A secret in a file of its own, as it is mounted into a container.
public final class SecretFile {
    private static final int MAX_BYTES = 4096;

    private SecretFile() {}

    /// What the file holds now, without line breaks at its end.
    ///
    /// @param key the setting that names the file, for messages
    /// @throws IOException it cannot be read, is empty, or holds more than 4096 bytes
    public static String read(String key, Path file) throws IOException {
        byte[] bytes;
        try (var in = Files.newInputStream(file)) {
            bytes = in.readNBytes(MAX_BYTES + 1);
        } catch (NoSuchFileException e) {
            throw new IOException(key + " " + file + " is not there", e);
        } catch (IOException e) {
            throw new IOException(key + " " + file + " cannot be read: " + e.getMessage(), e);
        }
        var secret = new String(bytes, UTF_8).replaceFirst("[\r\n]+$", "");
        if (secret.isEmpty() || bytes.length > MAX_BYTES) {
            throw new IOException(key + " " + file + " does not hold 1 to " + MAX_BYTES + " bytes");
        }
        return secret;
    }
}
