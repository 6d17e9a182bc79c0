package io.tarpon.testkit;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A real broker in a JVM of its own. It keeps its port and its data over kill and start. What it says on stderr is in
/// `broker.log` beside its folder.
public final class KafkaProcess implements AutoCloseable {
    /// It lives for seconds: the second compiler would take more than it gives.
    private static final List<String> OPTIONS = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

    private final Path dataDir;
    private final List<String> topics;
    private LocalServer server;

    private KafkaProcess(Path dataDir, List<String> topics, LocalServer server) {
        this.dataDir = dataDir;
        this.topics = topics;
        this.server = server;
    }

    /// @param topics each as `NAME:PARTITIONS`
    public static KafkaProcess start(Path dataDir, String... topics) throws IOException {
        return startAt(dataDir, 0, topics);
    }

    /// @param port 0 for any that is free
    public static KafkaProcess startAt(Path dataDir, int port, String... topics) throws IOException {
        return new KafkaProcess(dataDir, List.of(topics), launch(dataDir, port, List.of(topics)));
    }

    /// A port that nobody listens on now.
    public static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    /// As clients are told: `host:port`.
    public String brokers() {
        return "127.0.0.1:" + server.port();
    }

    public void kill() {
        server.kill();
    }

    public void startAgain() throws IOException {
        server = launch(dataDir, server.port(), topics);
    }

    @Override
    public void close() {
        kill();
    }

    private static LocalServer launch(Path dataDir, int port, List<String> topics) throws IOException {
        var arguments = new ArrayList<>(List.of("--data-dir", dataDir.toString(), "--port", Integer.toString(port)));
        topics.forEach(topic -> arguments.addAll(List.of("--topic", topic)));
        var log = dataDir.resolveSibling("broker.log");
        try {
            return LocalServer.start(
                    "kafka",
                    "io.tarpon.servers.kafka.KafkaBroker",
                    OPTIONS,
                    Redirect.appendTo(log.toFile()),
                    arguments);
        } catch (IOException e) {
            throw Files.exists(log) ? new IOException(e.getMessage() + "\n" + Files.readString(log), e) : e;
        }
    }
}
