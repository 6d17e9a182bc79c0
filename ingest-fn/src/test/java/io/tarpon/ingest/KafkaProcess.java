package io.tarpon.ingest;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/// A real broker in a JVM of its own: module tools/local-servers/kafka, built before this module. It keeps its port and
/// its
/// data over kill and start.
final class KafkaProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("ready kafka port=(\\d+) pid=\\d+");

    private final Path dataDir;
    private final List<String> topics;
    private final int port;
    private Process process;

    private KafkaProcess(Path dataDir, List<String> topics, int port, Process process) {
        this.dataDir = dataDir;
        this.topics = topics;
        this.port = port;
        this.process = process;
    }

    static KafkaProcess start(Path dataDir, List<String> topics) throws IOException {
        var process = launch(dataDir, topics, 0);
        return new KafkaProcess(dataDir, topics, awaitReady(process), process);
    }

    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void startAgain() throws IOException {
        process = launch(dataDir, topics, port);
        awaitReady(process);
    }

    private static Process launch(Path dataDir, List<String> topics, int port) throws IOException {
        var command = new ArrayList<>(List.of(
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
                Integer.toString(port)));
        topics.forEach(topic -> command.addAll(List.of("--topic", topic)));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
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

    String bootstrapServers() {
        return "127.0.0.1:" + port;
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
        var built =
                Path.of("../tools/local-servers/kafka/target").toAbsolutePath().normalize();
        var jar = built.resolve("local-servers-kafka.jar");
        var classes = Files.exists(jar) ? jar : built.resolve("classes");
        if (!Files.exists(classes) || !Files.isDirectory(built.resolve("lib"))) {
            throw new IOException(
                    "no broker in " + built + ": build it first, mvn -pl tools/local-servers/kafka package");
        }
        return built.resolve("lib") + "/*:" + classes;
    }
}
