package io.tarpon.store.s3;

import io.tarpon.store.S3Config;
import java.time.Duration;
import java.util.Optional;

/// A bucket of a test's server, with the smallest parts and short waits.
record TestS3Config(String url, String name, String start) implements S3Config {
    @Override
    public Optional<String> endpoint() {
        return Optional.of(url);
    }

    @Override
    public String region() {
        return "us-east-1";
    }

    @Override
    public Optional<String> bucket() {
        return Optional.of(name);
    }

    @Override
    public Optional<String> prefix() {
        return Optional.of(start);
    }

    @Override
    public boolean pathStyle() {
        return true;
    }

    @Override
    public Optional<String> accessKeyId() {
        return Optional.of(S3ServerProcess.ACCESS_KEY);
    }

    @Override
    public Optional<String> secretAccessKey() {
        return Optional.of(S3ServerProcess.SECRET_KEY);
    }

    @Override
    public Duration connectTimeout() {
        return Duration.ofSeconds(2);
    }

    @Override
    public Duration readTimeout() {
        return Duration.ofSeconds(1);
    }

    @Override
    public Duration attemptTimeout() {
        return Duration.ofSeconds(20);
    }

    @Override
    public int attempts() {
        return 2;
    }

    @Override
    public int maxConnections() {
        return 8;
    }

    @Override
    public int partBytes() {
        return 5 << 20;
    }

    @Override
    public int partGrowthEvery() {
        return 2;
    }
}
