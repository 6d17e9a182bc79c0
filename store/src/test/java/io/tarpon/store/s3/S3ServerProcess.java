package io.tarpon.store.s3;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A real S3 server, s3proxy, in a JVM of its own: module local-servers/s3, built before this module.
final class S3ServerProcess implements AutoCloseable {
    static final String BUCKET = "tarpon-test";
    static final String ACCESS_KEY = "test-access";
    static final String SECRET_KEY = "test-secret";

    private static final Pattern READY = Pattern.compile("ready s3 port=(\\d+) pid=\\d+");

    private final Process process;
    private final int port;

    private S3ServerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static S3ServerProcess start(Path dataDir) throws IOException {
        Process process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx192m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        "io.tarpon.servers.s3.S3Server",
                        "--data-dir",
                        dataDir.toString(),
                        "--port",
                        "0",
                        "--bucket",
                        BUCKET,
                        "--access-key",
                        ACCESS_KEY,
                        "--secret-key",
                        SECRET_KEY))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String line = process.inputReader(UTF_8).readLine();
        var ready = READY.matcher(line == null ? "" : line);
        if (!ready.matches()) {
            process.destroyForcibly();
            throw new IOException("the S3 server did not start, it said: " + line);
        }
        return new S3ServerProcess(process, Integer.parseInt(ready.group(1)));
    }

    TestS3Config config(String prefix) {
        return configOf(BUCKET, prefix);
    }

    TestS3Config configOf(String bucket) {
        return configOf(bucket, "");
    }

    int port() {
        return port;
    }

    private TestS3Config configOf(String bucket, String prefix) {
        return new TestS3Config("http://127.0.0.1:" + port, bucket, prefix).withReadTimeout(Duration.ofSeconds(20));
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(10, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }

    private static String classPath() throws IOException {
        Path built = Path.of(System.getProperty("tarpon.s3-server", "../local-servers/s3/target"))
                .toAbsolutePath()
                .normalize();
        Path jar = built.resolve("local-servers-s3.jar");
        Path classes = Files.exists(jar) ? jar : built.resolve("classes");
        if (!Files.exists(classes) || !Files.isDirectory(built.resolve("lib"))) {
            throw new IOException("no S3 server in " + built + ": build it first, mvn -pl local-servers/s3 package");
        }
        return built.resolve("lib") + "/*:" + classes;
    }
}
