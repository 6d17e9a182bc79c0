package io.tarpon.metadata.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// A real broker in a JVM of its own: module tools/local-servers/kafka, built before this module. It keeps its port
/// and its data over stop and start.
final class KafkaProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready kafka port=(\\d+) pid=\\d+");

    private final Path dataDir;
    private final int port;
    private Process process;

    private KafkaProcess(Path dataDir, int port, Process process) {
        this.dataDir = dataDir;
        this.port = port;
        this.process = process;
    }

    static KafkaProcess start(Path dataDir) throws IOException {
        var process = launch(dataDir, 0);
        return new KafkaProcess(dataDir, awaitReady(process), process);
    }

    /// A port that nobody listens on now.
    static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    static KafkaProcess startAt(Path dataDir, int port) throws IOException {
        var process = launch(dataDir, port);
        return new KafkaProcess(dataDir, awaitReady(process), process);
    }

    String brokers() {
        return "127.0.0.1:" + port;
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void startAgain() throws IOException {
        process = launch(dataDir, port);
        awaitReady(process);
    }

    @Override
    public void close() {
        kill();
    }

    private static Process launch(Path dataDir, int port) throws IOException {
        return new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        classPath(),
                        "io.tarpon.servers.kafka.KafkaBroker",
                        "--data-dir",
                        dataDir.toString(),
                        "--port",
                        Integer.toString(port),
                        "--topic",
                        EventLog.TOPIC + ":4"))
                .redirectError(ProcessBuilder.Redirect.appendTo(
                        dataDir.resolveSibling("broker.log").toFile()))
                .start();
    }

    private static int awaitReady(Process process) throws IOException {
        var line = process.inputReader(UTF_8).readLine();
        var ready = READY.matcher(line == null ? "" : line);
        if (!ready.matches()) {
            process.destroyForcibly();
            throw new IOException("the broker did not start, it said: " + line);
        }
        return Integer.parseInt(ready.group(1));
    }

    private static String classPath() throws IOException {
        var built = Path.of(System.getProperty("test.kafka-broker", "../tools/local-servers/kafka/target"))
                .toAbsolutePath()
                .normalize();
        var jar = built.resolve("local-servers-kafka.jar");
        var classes = Files.exists(jar) ? jar : built.resolve("classes");
        if (!Files.exists(classes) || !Files.isDirectory(built.resolve("lib"))) {
            throw new IOException(
                    "no broker in " + built + ": build it first, mvn -pl tools/local-servers/kafka -am package");
        }
        return built.resolve("lib") + "/*:" + classes;
    }
}
