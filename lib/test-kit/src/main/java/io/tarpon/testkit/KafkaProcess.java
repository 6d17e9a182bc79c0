package io.tarpon.testkit;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// A real broker in a JVM of its own. It keeps its port and its data over kill and start. What it says on stderr is in
/// `broker.log` beside its folder.
public final class KafkaProcess implements AutoCloseable {
    /// It lives for seconds: the second compiler would take more than it gives.
    private static final List<String> OPTIONS = List.of("-Xmx256m", "-XX:TieredStopAtLevel=1");

    private final Path dataDir;
    private final List<String> more;
    private LocalServer server;

    private KafkaProcess(Path dataDir, List<String> more, LocalServer server) {
        this.dataDir = dataDir;
        this.more = more;
        this.server = server;
    }

    /// @param topics each as `NAME:PARTITIONS`
    public static KafkaProcess start(Path dataDir, String... topics) throws IOException {
        return startAt(dataDir, 0, topics);
    }

    /// @param port 0 for any that is free
    public static KafkaProcess startAt(Path dataDir, int port, String... topics) throws IOException {
        var more = new ArrayList<String>();
        List.of(topics).forEach(topic -> more.addAll(List.of("--topic", topic)));
        return new KafkaProcess(dataDir, more, launch(dataDir, port, more));
    }

    /// With a second port, where clients log in by SCRAM-SHA-512.
    public static KafkaProcess startWithLogins(Path dataDir, int saslPort) throws IOException {
        var more = List.of("--sasl-port", Integer.toString(saslPort));
        return new KafkaProcess(dataDir, more, launch(dataDir, 0, more));
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
        server = launch(dataDir, server.port(), more);
    }

    /// Of a broker that was killed: how many records of a topic its files have, as the format of record batches counts
    /// them. One that is cut off at the end of a file is none.
    public long recordsOnDisk(String topic) throws IOException {
        long count = 0;
        try (var files = Files.walk(dataDir)) {
            var ofTopic = Pattern.compile(".*/" + Pattern.quote(topic) + "-[0-9]+/[0-9]+[.]log");
            for (var file : files.filter(
                            path -> ofTopic.matcher(path.toString()).matches())
                    .toList()) {
                count += records(ByteBuffer.wrap(Files.readAllBytes(file)));
            }
        }
        return count;
    }

    /// Kafka's documentation, "Record Batch": a length at 8, which counts from behind itself, and the records at 57.
    private static long records(ByteBuffer batches) {
        long count = 0;
        int at = 0;
        while (batches.limit() - at >= 61) {
            int length = batches.getInt(at + 8);
            if (length <= 0 || length > batches.limit() - at - 12) {
                break;
            }
            count += batches.getInt(at + 57);
            at += 12 + length;
        }
        return count;
    }

    @Override
    public void close() {
        kill();
    }

    private static LocalServer launch(Path dataDir, int port, List<String> more) throws IOException {
        var arguments = new ArrayList<>(List.of("--data-dir", dataDir.toString(), "--port", Integer.toString(port)));
        arguments.addAll(more);
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
