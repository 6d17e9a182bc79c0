package io.tarpon.service;

import io.tarpon.service.disk.SecretFile;
import java.io.IOException;
import java.nio.file.Path;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/// Name and password for Kafka, each in a file that may be replaced at any time: they are read whenever somebody logs
/// in. While one cannot be read, what was read last is given, so that a mount that is away breaks nothing that stands.
///
/// Of a pair that is replaced file by file, an old name and a new password may be seen: that login is refused, and the
/// next one reads both again. Safe for several threads.
public final class LoginFiles {
    public static final String USERNAME = "tarpon.kafka.username-file";
    public static final String PASSWORD = "tarpon.kafka.password-file";

    private static final Logger LOG = Logger.getLogger(LoginFiles.class);

    private final Path username;
    private final Path password;
    /// Owned by the monitor.
    private @Nullable Login last;

    public LoginFiles(Path username, Path password) {
        this.username = username;
        this.password = password;
    }

    /// What a client says it is.
    public record Login(String name, String password) {
        @Override
        public String toString() {
            return name;
        }
    }

    /// @throws IOException a file cannot be read, and none was read before; the message names key and file
    public synchronized Login read() throws IOException {
        try {
            last = new Login(SecretFile.read(USERNAME, username), SecretFile.read(PASSWORD, password));
        } catch (IOException e) {
            if (last == null) {
                throw e;
            }
            LOG.warnf("login for Kafka not readable, the one read before stays reason=%s", e.getMessage());
        }
        return last;
    }
}
