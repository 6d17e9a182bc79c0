package io.tarpon.metadata.job;

import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.PropertiesLocationConfigSourceFactory;
import io.smallrye.config.SmallRyeConfig;
import io.smallrye.config.SmallRyeConfigBuilder;
import io.tarpon.metadata.log.KafkaSettings;
import io.tarpon.service.stream.Brokers;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/// The settings of the service that a job needs: the same keys and defaults, found where the service finds them (system
/// properties, environment, the files of `smallrye.config.locations`, `config/application.properties`; with the profile
/// `prod`), so that a job runs with the image and the environment that the service has. No YAML, which the service does
/// not read either.
public record JobSettings(LogPlaces places) {
    private static final Path FILE = Path.of("config", "application.properties");
    /// Below the environment, as for the service.
    private static final int FILE_ORDINAL = 260;

    private static final int MOST_BROKERS = 100;
    private static final long QUEUED_BYTES = 32L << 20;
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /// @throws IOException a setting cannot be used, or the file not be read
    public static JobSettings read() throws IOException {
        return read(FILE, new SmallRyeConfigBuilder().addDefaultSources());
    }

    static JobSettings read(Path file, SmallRyeConfigBuilder builder) throws IOException {
        builder.withProfile("prod").addDefaultInterceptors().withSources(new PropertiesLocationConfigSourceFactory());
        try {
            builder.withSources(new PropertiesConfigSource(file.toUri().toURL(), FILE_ORDINAL));
        } catch (NoSuchFileException | FileNotFoundException e) {
            // As the service does without one.
        }
        return of(builder.build());
    }

    static JobSettings of(SmallRyeConfig config) throws IOException {
        var replicas = value(config, "tarpon.metadata.kafka.replicas", "3");
        if (!replicas.matches("[1-9][0-9]{0,2}") || Integer.parseInt(replicas) > MOST_BROKERS) {
            throw new IOException(
                    "tarpon.metadata.kafka.replicas is " + replicas + ": it must be from 1 to " + MOST_BROKERS);
        }
        return new JobSettings(new LogPlaces(
                Path.of(value(config, "tarpon.metadata.dir", "metadata")),
                new KafkaSettings(
                        Brokers.of(config),
                        value(config, "tarpon.metadata.kafka.topic", "tarpon.metadata"),
                        config.getOptionalValue("tarpon.topics.create", Boolean.class)
                                .orElse(true),
                        Integer.parseInt(replicas),
                        QUEUED_BYTES,
                        DEADLINE)));
    }

    private static String value(SmallRyeConfig config, String key, String otherwise) {
        return config.getOptionalValue(key, String.class).orElse(otherwise);
    }
}
