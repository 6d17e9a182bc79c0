package io.tarpon.metadata;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/// A real S3 server in a JVM of its own: module tools/local-servers/s3, built before this module.
final class S3ServerProcess implements AutoCloseable {
    private static final String BUCKET = "tarpon-test";
    private static final String ACCESS_KEY = "test-access";
    private static final String SECRET_KEY = "test-secret";
    private static final Pattern READY = Pattern.compile("ready s3 port=(\\d+) pid=\\d+");

    private final Process process;
    private final int port;

    private S3ServerProcess(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static S3ServerProcess start(Path dataDir) throws IOException {
        var process = new ProcessBuilder(List.of(
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
        var line = process.inputReader(UTF_8).readLine();
        var ready = READY.matcher(line == null ? "" : line);
        if (!ready.matches()) {
            process.destroyForcibly();
            throw new IOException("the S3 server did not start, it said: " + line);
        }
        return new S3ServerProcess(process, Integer.parseInt(ready.group(1)));
    }

    /// Where it is and how to log in, as configuration below `prefix`.
    Map<String, String> settings(String prefix) {
        return Map.of(
                prefix + "endpoint", "http://127.0.0.1:" + port,
                prefix + "bucket", BUCKET,
                prefix + "access-key-id", ACCESS_KEY,
                prefix + "secret-access-key", SECRET_KEY);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    private static String classPath() throws IOException {
        var built = Path.of(System.getProperty("test.s3-server", "../tools/local-servers/s3/target"))
                .toAbsolutePath()
                .normalize();
        var jar = built.resolve("local-servers-s3.jar");
        var classes = Files.exists(jar) ? jar : built.resolve("classes");
        if (!Files.exists(classes) || !Files.isDirectory(built.resolve("lib"))) {
            throw new IOException(
                    "no S3 server in " + built + ": build it first, mvn -pl tools/local-servers/s3 -am package");
        }
        return built.resolve("lib") + "/*:" + classes;
    }
}
