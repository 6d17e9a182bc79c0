package io.tarpon.store.s3;

import io.tarpon.store.S3Config;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.awscore.retry.AwsRetryStrategy;
import software.amazon.awssdk.core.checksums.RequestChecksumCalculation;
import software.amazon.awssdk.http.apache.ApacheHttpClient;
import software.amazon.awssdk.http.apache.ProxyConfiguration;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.retries.api.RetryStrategy;
import software.amazon.awssdk.services.s3.S3Client;

/// Checks an [S3Config] and makes its client.
record ClientSettings(String configKey, S3Config config) {
    private static final int MIB = 1 << 20;

    S3Client client(CallLimits limits, AwsCredentialsProvider keys) {
        var client = S3Client.builder()
                .region(Region.of(config.region()))
                .forcePathStyle(config.pathStyle())
                .credentialsProvider(keys)
                .httpClientBuilder(http())
                .requestChecksumCalculation(
                        config.uploadChecksums()
                                ? RequestChecksumCalculation.WHEN_SUPPORTED
                                : RequestChecksumCalculation.WHEN_REQUIRED)
                .overrideConfiguration(call -> call.apiCallAttemptTimeout(config.attemptTimeout())
                        .apiCallTimeout(config.callTimeout())
                        .retryStrategy(retries(limits)));
        URI endpoint = endpoint();
        return endpoint == null
                ? client.build()
                : client.endpointOverride(endpoint).build();
    }

    private RetryStrategy retries(CallLimits limits) {
        var rules = AwsRetryStrategy.standardRetryStrategy().toBuilder()
                .maxAttempts(config.attempts())
                .circuitBreakerEnabled(false)
                // A document that broke off; the SDK takes it for one that will never be whole.
                .retryOnExceptionOrCauseInstanceOf(XMLStreamException.class)
                .backoffStrategy(limits.pauses())
                .throttlingBackoffStrategy(limits.pausesWhenAskedForLess())
                .build();
        return new BudgetedRetries(rules, limits.budget());
    }

    /// @throws IllegalArgumentException naming the key whose value is out of bounds
    void check() {
        require("connect-timeout", config.connectTimeout(), Duration.ofMillis(100), Duration.ofMinutes(1));
        require("read-timeout", config.readTimeout(), Duration.ofSeconds(1), Duration.ofMinutes(10));
        require("attempt-timeout", config.attemptTimeout(), Duration.ofSeconds(1), Duration.ofHours(1));
        require("call-timeout", config.callTimeout(), config.attemptTimeout(), Duration.ofHours(2));
        require("attempts", config.attempts(), 1, 20);
        require("first-pause", config.firstPause(), Duration.ofMillis(1), Duration.ofMinutes(1));
        require("longest-pause", config.longestPause(), config.firstPause(), Duration.ofMinutes(5));
        require("retry-budget", config.retryBudget(), 0, 100_000);
        require("min-bytes-per-second", config.minBytesPerSecond(), 0, 1024 * MIB);
        require("max-connections", config.maxConnections(), 1, 1000);
        require("upload-parts", config.uploadParts(), 2, 64);
        require("part-bytes", config.partBytes(), 5 * MIB, 1024 * MIB);
        require("part-growth-every", config.partGrowthEvery(), 1, 1000);
    }

    /// No `Expect: 100-continue`: servers that answer an empty body at once hang up after it, and the next request
    /// then finds a dead connection in the pool.
    private ApacheHttpClient.Builder http() {
        var http = ApacheHttpClient.builder()
                .connectionTimeout(config.connectTimeout())
                .connectionAcquisitionTimeout(config.readTimeout())
                .socketTimeout(config.readTimeout())
                .expectContinueEnabled(false)
                .maxConnections(config.maxConnections());
        if (config.endpoint().isEmpty()) {
            return http;
        }
        // A configured endpoint is the only place to connect to, not the environment's proxy.
        return http.proxyConfiguration(ProxyConfiguration.builder()
                .useSystemPropertyValues(false)
                .useEnvironmentVariableValues(false)
                .build());
    }

    /// By what requests are signed.
    ///
    /// @throws IllegalArgumentException naming the keys that do not go together
    AwsCredentialsProvider keys() {
        requireBoth("access-key-id", config.accessKeyId(), "secret-access-key", config.secretAccessKey());
        requireBoth(
                "access-key-id-file", config.accessKeyIdFile(), "secret-access-key-file", config.secretAccessKeyFile());
        if (config.accessKeyIdFile().isPresent()) {
            if (config.accessKeyId().isPresent()) {
                throw new IllegalArgumentException(
                        configKey + ".access-key-id and .access-key-id-file are two keys: one is too many");
            }
            return new FileKeys(
                    configKey,
                    absolute("access-key-id-file", config.accessKeyIdFile().orElseThrow()),
                    absolute(
                            "secret-access-key-file",
                            config.secretAccessKeyFile().orElseThrow()));
        }
        if (config.accessKeyId().isEmpty()) {
            return DefaultCredentialsProvider.builder().build();
        }
        return StaticCredentialsProvider.create(AwsBasicCredentials.create(
                config.accessKeyId().orElseThrow(), config.secretAccessKey().orElseThrow()));
    }

    private void requireBoth(String key, Optional<String> value, String other, Optional<String> otherValue) {
        if (value.isPresent() != otherValue.isPresent()) {
            throw new IllegalArgumentException(
                    configKey + "." + key + " and ." + other + " belong together: one is missing");
        }
    }

    private Path absolute(String key, String file) {
        var path = Path.of(file);
        if (!path.isAbsolute()) {
            throw new IllegalArgumentException(configKey + "." + key + " must be an absolute path, not " + file);
        }
        return path;
    }

    private @Nullable URI endpoint() {
        if (config.endpoint().isEmpty()) {
            return null;
        }
        String text = config.endpoint().orElseThrow();
        try {
            URI endpoint = URI.create(text);
            if (("http".equals(endpoint.getScheme()) || "https".equals(endpoint.getScheme()))
                    && endpoint.getHost() != null) {
                return endpoint;
            }
        } catch (IllegalArgumentException e) {
            // Said below, with the key's name.
        }
        throw new IllegalArgumentException(
                configKey + ".endpoint must be a URL such as http://127.0.0.1:9000, not " + text);
    }

    private void require(String key, long value, long min, long max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    configKey + "." + key + " must be " + min + " to " + max + ", not " + value);
        }
    }

    private void require(String key, Duration value, Duration min, Duration max) {
        if (value.compareTo(min) < 0 || value.compareTo(max) > 0) {
            throw new IllegalArgumentException(
                    configKey + "." + key + " must be " + min + " to " + max + ", not " + value);
        }
    }
}
