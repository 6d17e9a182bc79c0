package io.tarpon.metadata;

import static io.tarpon.metadata.Fixtures.DEMO;
import static io.tarpon.metadata.Fixtures.SPEC;
import static io.tarpon.metadata.Fixtures.TRAIN;
import static io.tarpon.metadata.Fixtures.plan;
import static io.tarpon.metadata.Fixtures.seal;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.Jvm;
import io.tarpon.testkit.RawClient;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import io.tarpon.wire.http.WriteToken;
import io.tarpon.wire.metadata.BeginVersion;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The packaged service in little memory, and more askers than it has room for.
class ListCrowdIT {
    private static final String TOKEN = "crowd-token-0123456789abcdef";
    private static final int SHARDS = 64;
    private static final int ASKERS = 400;

    /// One after the other on a connection: more than the kernel takes of what nobody reads.
    private static final int QUESTIONS = 20;

    private static final int SMALL_BUFFER = 4 << 10;
    private static final int ROUNDS = 20;

    @TempDir
    Path folder;

    private final List<RawClient> askers = new ArrayList<>();
    private Process process;
    private URI service;

    @AfterEach
    void stop() throws Exception {
        for (var asker : askers) {
            asker.close();
        }
        process.destroyForcibly();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void fourHundredWhoAskForListsAndDoNotReadThemTakeNoMemoryAndNobodysPlace() throws Exception {
        start("-Xmx96m", "-XX:+UseSerialGC", "-Dtarpon.metadata.read-wait=PT0.2S", "-Dtarpon.metadata.read-hold=PT1S");
        try (var client = new MetadataClient(service, new WriteToken(TOKEN))) {
            var version = client.begin(DEMO, new BeginVersion("crowd", SPEC)).version();
            client.plan(DEMO, version, plan("crowd", SHARDS, 0));
            for (int shard = 0; shard < SHARDS; shard++) {
                client.seal(
                        new ShardRef(DEMO, version, TRAIN, new ShardName(shard)), seal(shard, "crowd" + shard, 7_000));
            }
            var path = "/v1/datasets/demo/versions/" + version + "/splits/train/shards?limit=10000";
            for (int i = 0; i < ASKERS; i++) {
                var asker = new RawClient(service, SMALL_BUFFER);
                askers.add(asker);
                for (int question = 0; question < QUESTIONS; question++) {
                    asker.send("GET", path);
                }
            }
            var refused = 0;
            for (int round = 0; round < ROUNDS; round++) {
                assertThat(client.version(DEMO, version).samples()).isPositive();
                refused += insistOnTheList(client, version);
            }
            assertThat(refused).as("lists that were refused meanwhile").isPositive();
            assertThat(client.begin(DEMO, new BeginVersion("after", SPEC))
                            .version()
                            .number())
                    .isEqualTo(2);
        }
        assertThat(process.isAlive()).isTrue();
        assertThat(folder.resolve("log"))
                .content()
                .doesNotContain("OutOfMemory")
                .doesNotContain("ERROR");
    }

    /// How often it was refused before it was had.
    private static int insistOnTheList(MetadataClient client, VersionId version) throws IOException {
        var refusals = new int[1];
        Deadline.until(Duration.ofSeconds(60), "a list", () -> {
            try {
                assertThat(client.shards(DEMO, version, TRAIN, Optional.empty(), 10_000)
                                .shards())
                        .hasSize(SHARDS);
                return true;
            } catch (TarponException e) {
                assertThat(e.type()).isEqualTo(ProblemType.OVERLOADED);
                refusals[0]++;
                return false;
            }
        });
        return refusals[0];
    }

    /// With no broker, which it does not need.
    private void start(String... options) throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        service = URI.create("http://127.0.0.1:" + port + "/");
        var token = Files.writeString(folder.resolve("token"), TOKEN + "\n");
        var command = new ArrayList<>(List.of(Jvm.program("java")));
        command.addAll(List.of(options));
        command.addAll(List.of(
                "--enable-native-access=ALL-UNNAMED",
                "-Dquarkus.http.port=" + port,
                "-Dtarpon.token-file=" + token,
                "-Dtarpon.metadata.dir=" + folder.resolve("state"),
                "-Dkafka.bootstrap.servers=127.0.0.1:1",
                "-jar",
                Path.of("target", "quarkus-app", "quarkus-run.jar").toString()));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(folder.resolve("log").toFile()))
                .start();
        Deadline.until(Duration.ofSeconds(60), "the service is ready", this::isReady);
    }

    private boolean isReady() {
        try {
            return RawClient.get(service, "/q/health/ready").status() == 200;
        } catch (IOException e) {
            return false;
        }
    }
}
