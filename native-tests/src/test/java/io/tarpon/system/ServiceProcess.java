package io.tarpon.system;

import com.fasterxml.jackson.databind.JsonNode;
import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/// One service of a cluster, stopped there and started by the test itself, as Kubernetes or KEDA would: with the
/// command and the environment that the cluster wrote down for it.
///
/// Owned by one thread.
final class ServiceProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /// Well below what is measured; a look costs some 0.2 ms of the machine that starts the service.
    private static final long POLL_NANOS = 1_000_000;

    private static final int ANSWER_MILLIS = 5_000;

    private final Process process;
    private final URI url;
    private final long started;

    private ServiceProcess(Process process, URI url, long started) {
        this.process = process;
        this.url = url;
        this.started = started;
    }

    /// What the cluster started a process with.
    record Recipe(String name, URI url, List<String> command, Map<String, String> environment) {
        static Recipe of(Tarpon tarpon, String name) throws IOException {
            var roster = Json.MAPPER.readTree(Files.readAllBytes(tarpon.home().resolve("cluster.json")));
            for (var member : roster.get("members")) {
                if (member.get("name").asText().equals(name)) {
                    return new Recipe(name, URI.create(member.get("url").asText()), texts(member), environment(member));
                }
            }
            throw new AssertionError("no process " + name);
        }

        private static List<String> texts(JsonNode member) {
            var texts = new ArrayList<String>();
            member.get("command").forEach(text -> texts.add(text.asText()));
            return texts;
        }

        private static Map<String, String> environment(JsonNode member) {
            var environment = new TreeMap<String, String>();
            member.get("environment")
                    .properties()
                    .forEach(each ->
                            environment.put(each.getKey(), each.getValue().asText()));
            return environment;
        }

        /// The same with settings of a test, instead of its own or beside them.
        Recipe with(Map<String, String> settings) {
            var changed = new ArrayList<>(command);
            settings.keySet().forEach(key -> changed.removeIf(argument -> argument.startsWith("-D" + key + "=")));
            settings.forEach((key, value) -> changed.add(1, "-D" + key + "=" + value));
            return new Recipe(name, url, changed, environment);
        }

        /// The same with another text where one stands in its command.
        Recipe replacing(String text, String other) {
            var changed = command.stream()
                    .map(argument -> argument.replace(text, other))
                    .toList();
            return new Recipe(name, url, changed, environment);
        }

        /// The same program as one more process, beside the one of the cluster.
        Recipe beside(Tarpon tarpon, String otherName) throws IOException {
            int port;
            try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                port = free.getLocalPort();
            }
            var log = tarpon.home().resolve("logs").resolve(otherName + ".log");
            var settings = Map.of("quarkus.http.port", Integer.toString(port), "quarkus.log.file.path", log.toString());
            return new Recipe(
                    otherName,
                    URI.create("http://" + url.getHost() + ":" + port),
                    with(settings).command(),
                    environment);
        }

        ServiceProcess start() throws IOException {
            var builder = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(Files.createTempFile(name, ".out").toFile());
            builder.environment().keySet().removeIf(key -> key.startsWith("TARPON_"));
            builder.environment().putAll(environment);
            long started = System.nanoTime();
            return new ServiceProcess(builder.start(), url, started);
        }
    }

    /// SIGTERM for a process that the cluster started; returns once it is gone.
    static Duration stop(Tarpon tarpon, String name) {
        var handle = ProcessHandle.of(tarpon.pid(name)).orElseThrow();
        long asked = System.nanoTime();
        handle.destroy();
        Tarpon.await("the end of " + name, () -> !Tarpon.runs(handle.pid()));
        return Duration.ofNanos(System.nanoTime() - asked);
    }

    /// Waits until `/q/health/ready` is answered with 200; returns the time since the start.
    Duration ready() throws IOException {
        while (status("/q/health/ready") != 200) {
            if (!process.isAlive()) {
                throw new AssertionError("ended while starting: " + process.info());
            }
            if (System.nanoTime() - started > PATIENCE.toNanos()) {
                throw new AssertionError("not ready within " + PATIENCE);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return Duration.ofNanos(System.nanoTime() - started);
    }

    /// How long one request takes, from the connection to its last byte.
    Duration request(String path) throws IOException {
        long asked = System.nanoTime();
        int status = status(path);
        if (status != 200) {
            throw new AssertionError(path + " is answered with " + status);
        }
        return Duration.ofNanos(System.nanoTime() - asked);
    }

    /// The status of an answer; 0 where none came. By hand: a client of the JDK costs more than what is measured.
    private int status(String path) throws IOException {
        try (var socket = new Socket()) {
            socket.connect(new InetSocketAddress(url.getHost(), url.getPort()), ANSWER_MILLIS);
            socket.setSoTimeout(ANSWER_MILLIS);
            socket.getOutputStream()
                    .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            var answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return answer.startsWith("HTTP/1.1 ") ? Integer.parseInt(answer.substring(9, 12)) : 0;
        } catch (SocketException | SocketTimeoutException e) {
            return 0;
        }
    }

    String url() {
        return url.toString();
    }

    long pid() {
        return process.pid();
    }

    Duration sinceStart() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    long residentBytes() throws IOException {
        return residentBytes(process.pid());
    }

    /// What the operating system holds for a process in memory, shared file pages included.
    static long residentBytes(long pid) throws IOException {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
                .findFirst()
                .orElseThrow();
    }

    /// Asks it to end, and returns its exit code.
    int stop() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            throw new AssertionError("did not end within " + PATIENCE);
        }
        return process.exitValue();
    }

    @Override
    public void close() throws IOException {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
