package io.tarpon.service.stream;

import java.nio.file.Path;
import java.util.Optional;

/// The group `tarpon.kafka` of a service that uses topics; [Brokers] reads it.
public interface KafkaLoginConfig {
    /// File with the name to log in with, read at each login. Belongs to `password-file`.
    Optional<Path> usernameFile();

    /// File with its password.
    Optional<Path> passwordFile();
}
