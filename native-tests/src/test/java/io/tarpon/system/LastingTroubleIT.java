package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// Trouble that lasts minutes, in the middle of a build of some 60 shards, costs time and never work: the version seals
/// by itself once it is over, and no message became a dead letter. `-Dnightly` runs it, for what it shows is that
/// nothing gives up after minutes; `-Dtrouble.seconds` makes each trouble shorter or longer than the issue's.
@EnabledIfSystemProperty(named = "nightly", matches = ".*")
class LastingTroubleIT {
    private static final Duration OUTAGE = lasting(180);
    private static final Duration REFUSAL = lasting(60);

    private static final int SEALED_BEFORE = 5;
    private static final int LEFT_AT_LEAST = 10;
    private static final Duration LOOK = Duration.ofMillis(5);

    @TempDir
    Path scratch = Path.of("");

    private static Duration lasting(long seconds) {
        return Duration.ofSeconds(Long.getLong("trouble.seconds", seconds));
    }

    @Test
    void metadataThatStandsStillForMinutesOnlyDelaysAVersion() throws Exception {
        try (var tarpon = up()) {
            long pid = tarpon.pid("metadata-svc");
            long builder = begin(tarpon, "stands");
            signal("-STOP", pid);
            signal("-CONT", builder);
            try {
                last(OUTAGE);
            } finally {
                signal("-CONT", pid);
            }
            sealsByItself(tarpon, "stands");
        }
    }

    @Test
    void metadataThatIsGoneForMinutesOnlyDelaysAVersion() throws Exception {
        try (var tarpon = up()) {
            long builder = begin(tarpon, "gone");
            tarpon.kill("metadata-svc");
            signal("-CONT", builder);
            last(OUTAGE);
            tarpon.run("restart", "metadata-svc").succeeded();
            sealsByItself(tarpon, "gone");
        }
    }

    @Test
    void aFunctionWhoseTokenIsRefusedWaitsForTheRightOne() throws Exception {
        try (var tarpon = up()) {
            var recipe = ServiceProcess.Recipe.of(tarpon, "shard-fn");
            var _ = begin(tarpon, "refused");
            tarpon.kill("shard-fn");
            var token = scratch.resolve("token");
            Files.writeString(token, "0".repeat(64) + "\n");
            Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
            try (var shard =
                    recipe.with(Map.of("tarpon.token-file", token.toString())).start()) {
                last(REFUSAL);
                assertThat(tarpon.state("refused", "v1")).isEqualTo("building");
                var right = Files.copy(
                        tarpon.home().resolve("token"), scratch.resolve("right"), StandardCopyOption.COPY_ATTRIBUTES);
                Files.move(right, token, StandardCopyOption.ATOMIC_MOVE);
                sealsByItself(tarpon, "refused");
                shard.stop();
            }
        }
    }

    @Test
    void aStoreThatIsAwayOnlyDelaysAVersion() throws Exception {
        try (var tarpon = up("--store", "s3")) {
            long builder = begin(tarpon, "away");
            tarpon.kill("s3");
            signal("-CONT", builder);
            last(REFUSAL);
            tarpon.run("restart", "s3").succeeded();
            sealsByItself(tarpon, "away");
        }
    }

    @Test
    void aBrokerThatIsStartedAgainOnlyDelaysAVersion() throws Exception {
        try (var tarpon = up()) {
            long builder = begin(tarpon, "broker");
            tarpon.kill("kafka");
            signal("-CONT", builder);
            last(REFUSAL);
            tarpon.run("restart", "kafka").succeeded();
            sealsByItself(tarpon, "broker");
        }
    }

    private Tarpon up(String... options) {
        var tarpon = new Tarpon(scratch.resolve("home"));
        var words = new String[options.length + 1];
        words[0] = "up";
        System.arraycopy(options, 0, words, 1, options.length);
        tarpon.run(words).succeeded();
        return tarpon;
    }

    /// Returns in the middle of the build, with some shards sealed and many not, and with shard-fn stopped there: on a
    /// busy machine the rest is built before a trouble is made. Returns the process, which goes on with SIGCONT.
    private long begin(Tarpon tarpon, String dataset) throws IOException, InterruptedException {
        var folder = Folders.plain(scratch.resolve(dataset), 4, 1_000, 75_000, 14);
        var metadata = tarpon.url("metadata-svc");
        long builder = tarpon.pid("shard-fn");
        tarpon.run("ingest", folder.toString(), "--dataset", dataset, "--shard-size", "5MiB", "--no-wait")
                .succeeded();
        Tarpon.await("sealed shards", Duration.ofMinutes(2), LOOK, () -> sealed(metadata, dataset) >= SEALED_BEFORE);
        signal("-STOP", builder);
        int planned = planned(metadata, dataset);
        int sealed = sealed(metadata, dataset);
        System.out.printf("%s: trouble begins with %d of %d shards sealed%n", dataset, sealed, planned);
        assertThat(planned - sealed).as("shards that are left").isGreaterThan(LEFT_AT_LEAST);
        return builder;
    }

    private static void sealsByItself(Tarpon tarpon, String dataset) {
        long over = System.nanoTime();
        tarpon.awaitState(dataset, "v1", "sealed");
        System.out.printf(
                "%s: sealed %d s after the trouble was over%n",
                dataset, Duration.ofNanos(System.nanoTime() - over).toSeconds());
        tarpon.run("verify", dataset, "--source").succeeded();
        assertThat(tarpon.run("dlq", "ls", "--json").succeeded().out()).doesNotContain(dataset);
        assertThat(tarpon.versions(dataset)).containsExactly("v1 sealed");
    }

    private static int sealed(String metadata, String dataset) {
        return sum(metadata, dataset, "sealedShards");
    }

    private static int planned(String metadata, String dataset) {
        return sum(metadata, dataset, "shards");
    }

    private static int sum(String metadata, String dataset, String field) {
        int sum = 0;
        for (var split : Tarpon.json(metadata + "/v1/datasets/" + dataset + "/versions/v1")
                .path("splits")) {
            sum += split.get(field).asInt();
        }
        return sum;
    }

    /// How long it lasts is what is tested.
    private static void last(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }

    private static void signal(String signal, long pid) throws IOException, InterruptedException {
        var kill = new ProcessBuilder("kill", signal, Long.toString(pid)).start();
        assertThat(kill.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(kill.exitValue()).isZero();
    }
}
