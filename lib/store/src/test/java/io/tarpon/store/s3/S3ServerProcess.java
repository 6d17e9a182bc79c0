package io.tarpon.store.s3;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/// A real S3 server, s3proxy, and the buckets of a test on it.
final class S3ServerProcess implements AutoCloseable {
    static final String BUCKET = "tarpon-test";
    static final String ACCESS_KEY = "test-access";
    static final String SECRET_KEY = "test-secret";

    private final LocalServerProcess process;

    private S3ServerProcess(LocalServerProcess process) {
        this.process = process;
    }

    static S3ServerProcess start(Path dataDir) throws IOException {
        return new S3ServerProcess(LocalServerProcess.start(
                "s3",
                "io.tarpon.servers.s3.S3Server",
                192,
                "--data-dir",
                dataDir.toString(),
                "--port",
                "0",
                "--bucket",
                BUCKET,
                "--access-key",
                ACCESS_KEY,
                "--secret-key",
                SECRET_KEY));
    }

    /// A link to this server; it is as fast as it can be until it is told otherwise.
    LocalServerProcess link() throws IOException {
        return LocalServerProcess.start("link", "io.tarpon.servers.link.SlowLink", 192, "--to", "127.0.0.1:" + port());
    }

    int port() {
        return process.port();
    }

    TestS3Config config(String prefix) {
        return configAt(port(), BUCKET, prefix);
    }

    TestS3Config configOf(String bucket) {
        return configAt(port(), bucket, "");
    }

    /// The test's bucket through something that listens on that port and leads here.
    TestS3Config configThrough(int port, String prefix) {
        return configAt(port, BUCKET, prefix);
    }

    private static TestS3Config configAt(int port, String bucket, String prefix) {
        return new TestS3Config("http://127.0.0.1:" + port, bucket, prefix).withReadTimeout(Duration.ofSeconds(20));
    }

    @Override
    public void close() {
        process.close();
    }
}
