package io.tarpon.store.s3;

import io.tarpon.store.S3Config;
import io.tarpon.testkit.S3ServerProcess;
import java.time.Duration;
import java.util.Optional;

/// A bucket of a test's server, with the smallest parts and short waits.
record TestS3Config(
        String url,
        String name,
        String start,
        boolean pathStyle,
        int attempts,
        Duration firstPause,
        Duration longestPause,
        int retryBudget,
        int maxConnections,
        Duration readTimeout)
        implements S3Config {
    TestS3Config(String url, String name, String start) {
        this(url, name, start, true, 2, Duration.ofMillis(1), Duration.ofMillis(100), 100, 8, Duration.ofSeconds(1));
    }

    /// The bucket of a real server.
    static TestS3Config of(S3ServerProcess server, String prefix) {
        return through(server.port(), prefix);
    }

    /// The same through something that listens on that port and leads there.
    static TestS3Config through(int port, String prefix) {
        return atReal(port, S3ServerProcess.BUCKET, prefix);
    }

    static TestS3Config ofBucket(S3ServerProcess server, String bucket) {
        return atReal(server.port(), bucket, "");
    }

    /// On a loaded machine a real server may need longer than a second.
    private static TestS3Config atReal(int port, String bucket, String prefix) {
        return new TestS3Config("http://127.0.0.1:" + port, bucket, prefix).withReadTimeout(Duration.ofSeconds(20));
    }

    TestS3Config withAttempts(int most, Duration first, Duration longest, int budget) {
        return new TestS3Config(url, name, start, pathStyle, most, first, longest, budget, maxConnections, readTimeout);
    }

    TestS3Config withConnections(int most) {
        return new TestS3Config(
                url, name, start, pathStyle, attempts, firstPause, longestPause, retryBudget, most, readTimeout);
    }

    TestS3Config withBucketInTheHostName() {
        return new TestS3Config(
                url, name, start, false, attempts, firstPause, longestPause, retryBudget, maxConnections, readTimeout);
    }

    TestS3Config withReadTimeout(Duration longest) {
        return new TestS3Config(
                url, name, start, pathStyle, attempts, firstPause, longestPause, retryBudget, maxConnections, longest);
    }

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
    public Optional<String> accessKeyId() {
        return Optional.of(S3ServerProcess.ACCESS_KEY);
    }

    @Override
    public Optional<String> secretAccessKey() {
        return Optional.of(S3ServerProcess.SECRET_KEY);
    }

    @Override
    public Optional<String> accessKeyIdFile() {
        return Optional.empty();
    }

    @Override
    public Optional<String> secretAccessKeyFile() {
        return Optional.empty();
    }

    @Override
    public Duration connectTimeout() {
        return Duration.ofSeconds(2);
    }

    @Override
    public Duration attemptTimeout() {
        return Duration.ofSeconds(20);
    }

    @Override
    public Duration callTimeout() {
        return Duration.ofSeconds(40);
    }

    @Override
    public long minBytesPerSecond() {
        return 1024;
    }

    @Override
    public boolean checkEtag() {
        return true;
    }

    @Override
    public boolean uploadChecksums() {
        return true;
    }

    @Override
    public int uploadParts() {
        return 3;
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
