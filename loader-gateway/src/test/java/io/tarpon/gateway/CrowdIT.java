package io.tarpon.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.UnixOperatingSystemMXBean;
import io.tarpon.gateway.fixture.MadeShard;
import io.tarpon.gateway.fixture.World;
import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.RawClient;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The packaged gateway in little memory, and more clients than it has room for.
class CrowdIT {
    private static final String PATH = "/d/crowd/v1/train/shard-000000.tar";
    private static final MadeShard MADE = MadeShard.inLargeBlocks("crowd", new Random(6), 200, _ -> 100_000);
    private static final int READERS = 1_000;
    private static final int READ_TO_THE_END = 20;
    private static final int IDLE = 10_000;
    private static final int SMALL_BUFFER = 16 << 10;
    private static final long MIB = 1 << 20;

    @TempDir
    Path folder;

    private World world;
    private Process process;
    private URI gateway;
    private final List<AutoCloseable> clients = new ArrayList<>();

    @BeforeEach
    void seal() throws IOException {
        world = new World(folder.resolve("world"));
        world.seal("crowd", 1, Map.of("train", List.of(MADE)));
    }

    @AfterEach
    void stop() throws Exception {
        for (var client : clients) {
            client.close();
        }
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        world.close();
    }

    @Test
    void aThousandReadersInAHeapOf64MiBAreServedOrRefused() throws Exception {
        start("-Xmx64m");
        var readers = new ArrayList<RawClient>();
        for (int i = 0; i < READERS; i++) {
            var reader = new RawClient(gateway, SMALL_BUFFER);
            clients.add(reader);
            readers.add(reader);
            reader.send("GET", PATH);
        }
        var served = new ArrayList<RawClient>();
        for (var reader : readers) {
            if (reader.readStatus() == 200) {
                served.add(reader);
            } else {
                var refusal = reader.receiveRest();
                assertThat(refusal.text()).contains("urn:tarpon:problem:overloaded");
                assertThat(Integer.parseInt(refusal.header("Retry-After"))).isBetween(1, 5);
            }
        }
        assertThat(served).hasSizeBetween(READ_TO_THE_END, READERS - 1);
        for (var reader : served.subList(0, READ_TO_THE_END)) {
            assertThat(reader.receiveRest().body()).isEqualTo(MADE.tar());
        }
        for (var reader : readers) {
            reader.close();
        }
        Deadline.until("there is room again", () -> isWhole());
        assertBounded(400 * MIB);
    }

    @Test
    void tenThousandIdleConnectionsDisturbNobodyAndEnd() throws Exception {
        var system = ManagementFactory.getPlatformMXBean(UnixOperatingSystemMXBean.class);
        assumeTrue(
                system.getMaxFileDescriptorCount() > IDLE + 1_000,
                "too few file descriptors for 10,000 connections: raise ulimit -n");
        start("-Xmx160m", "-Dtarpon.gateway.idle=PT20S");
        var idle = new ArrayList<Socket>();
        for (int i = 0; i < IDLE; i++) {
            var socket = new Socket(gateway.getHost(), gateway.getPort());
            clients.add(socket);
            idle.add(socket);
        }
        for (int i = 0; i < READ_TO_THE_END; i++) {
            assertThat(isWhole()).isTrue();
        }
        for (var socket : idle) {
            socket.setSoTimeout((int) Duration.ofSeconds(60).toMillis());
            assertThat(socket.getInputStream().read()).as("the end").isNegative();
        }
        assertThat(isWhole()).isTrue();
        assertBounded(600 * MIB);
    }

    private void start(String... arguments) throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        gateway = URI.create("http://127.0.0.1:" + port + "/");
        var isExecutable = System.getProperty("tarpon.form", "").matches("native|(.*,)?loader-gateway(,.*)?");
        var command = new ArrayList<String>();
        command.add((isExecutable
                        ? Path.of("target", "loader-gateway-runner")
                        : Path.of(System.getProperty("java.home"), "bin", "java"))
                .toString());
        command.addAll(List.of(arguments));
        command.add("-Dquarkus.http.port=" + port);
        world.settings().forEach((key, value) -> command.add("-D" + key + "=" + value));
        if (!isExecutable) {
            command.addAll(List.of(
                    "-jar", Path.of("target", "quarkus-app", "quarkus-run.jar").toString()));
        }
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(folder.resolve("log").toFile()))
                .start();
        Deadline.until(Duration.ofSeconds(60), "the gateway is ready", () -> isReady());
    }

    private boolean isReady() {
        try {
            return RawClient.get(gateway, "/q/health/ready").status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isWhole() {
        try {
            var answer = RawClient.get(gateway, PATH);
            if (answer.status() == 200) {
                assertThat(answer.body()).isEqualTo(MADE.tar());
            }
            return answer.status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /// The process lives, never was short of memory, and never had more than so much of it.
    private void assertBounded(long bytes) throws IOException {
        assertThat(process.isAlive()).isTrue();
        assertThat(folder.resolve("log")).content().doesNotContain("OutOfMemory");
        var peak = Files.readAllLines(Path.of("/proc", Long.toString(process.pid()), "status")).stream()
                .filter(line -> line.startsWith("VmHWM:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                .sum();
        System.out.println("CrowdIT peak_mib=" + peak / MIB);
        assertThat(peak).isBetween(1L, bytes);
    }
}
