package io.tarpon.testkit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/// A real S3 server, s3proxy, in a JVM of its own, with one bucket.
public final class S3ServerProcess implements AutoCloseable {
    public static final String BUCKET = "tarpon-test";
    public static final String ACCESS_KEY = "test-access";
    public static final String SECRET_KEY = "test-secret";
    private static final int HEAP_MIB = 192;

    private final LocalServer process;

    private S3ServerProcess(LocalServer process) {
        this.process = process;
    }

    public static S3ServerProcess start(Path dataDir) throws IOException {
        return start(dataDir, 0, ACCESS_KEY, SECRET_KEY);
    }

    /// @param port 0 for any that is free
    public static S3ServerProcess start(Path dataDir, int port, String accessKey, String secretKey) throws IOException {
        return new S3ServerProcess(LocalServer.start(
                "s3",
                "io.tarpon.servers.s3.S3Server",
                HEAP_MIB,
                "--data-dir",
                dataDir.toString(),
                "--port",
                Integer.toString(port),
                "--bucket",
                BUCKET,
                "--access-key",
                accessKey,
                "--secret-key",
                secretKey));
    }

    /// A link to this server; it is as fast as it can be until it is told otherwise.
    public LocalServer link() throws IOException {
        return LocalServer.start(
                "link", "io.tarpon.servers.link.SlowLink", HEAP_MIB, "--to", "127.0.0.1:" + process.port());
    }

    public int port() {
        return process.port();
    }

    /// Where it is and how to log in, as configuration below `prefix`.
    public Map<String, String> settings(String prefix) {
        return Map.of(
                prefix + "endpoint", "http://127.0.0.1:" + port(),
                prefix + "bucket", BUCKET,
                prefix + "access-key-id", ACCESS_KEY,
                prefix + "secret-access-key", SECRET_KEY);
    }

    @Override
    public void close() {
        process.close();
    }
}
