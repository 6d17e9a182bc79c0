package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIf;
import org.junit.jupiter.api.io.TempDir;

/// The functions do not run until there is work, as KEDA would have it: an event waits in Kafka, then they are
/// started, work, are asked to end and end. What one has not done the next does.
@DisabledIf(
        value = "io.tarpon.system.Tarpon#onlyJvmsByDay",
        disabledReason = "executables are not under test; JVMs alone: -Dnightly")
class ScaleFromZeroIT {
    private static final int SIGTERM_EXIT = 143;
    private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));

    @BeforeAll
    static void start() {
        // JVMs as a user has them, for they are measured too.
        tarpon = new Tarpon(scratch.resolve("home"), Map.of("TARPON_JVM_OPTIONS", ""));
        tarpon.run("up").succeeded();
        ServiceProcess.stop(tarpon, "shard-fn");
        ServiceProcess.stop(tarpon, "ingest-fn");
    }

    @AfterAll
    static void stop() {
        tarpon.close();
    }

    @Test
    void anEventThatWaitedIsASealedShardSoonAfterTheFunctionsStart() throws Exception {
        var folder = Folders.plain(scratch.resolve("waits"), 4, 640, 100_000, 3);
        Uploads.put(tarpon, "waits", folder, 64 << 20);

        long began = System.nanoTime();
        try (var ingest = ServiceProcess.Recipe.of(tarpon, "ingest-fn").start();
                var shard = ServiceProcess.Recipe.of(tarpon, "shard-fn").start()) {
            var first = whenSealed("waits", 1, began);
            tarpon.awaitState("waits", "v1", "sealed");
            System.out.printf(
                    "scale from zero, %s: first of %d shards sealed %d ms after both functions were started%n",
                    Tarpon.FORM, tarpon.shards("waits@v1").size(), first.toMillis());
            assertThat(first).isLessThan(longestWait());
            assertThat(ingest.stop()).isEqualTo(SIGTERM_EXIT);
            assertThat(shard.stop()).isEqualTo(SIGTERM_EXIT);
        }
        tarpon.run("verify", "waits", "--source").succeeded();
    }

    @Test
    void whatIsNotDoneAtSigtermIsHandedBackAndDoneByTheNext() throws Exception {
        var folder = Folders.plain(scratch.resolve("many"), 4, 640, 100_000, 4);
        Uploads.put(tarpon, "many", folder, 8 << 20);
        try (var ingest = ServiceProcess.Recipe.of(tarpon, "ingest-fn").start()) {
            try (var shard = ServiceProcess.Recipe.of(tarpon, "shard-fn").start()) {
                whenSealed("many", 4, System.nanoTime());
                long asked = System.nanoTime();
                assertThat(shard.stop()).isEqualTo(SIGTERM_EXIT);
                assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(LONGEST_STOP);
            }
            assertThat(tarpon.state("many", "v1")).as("stopped in the middle").isEqualTo("building");
            try (var next = ServiceProcess.Recipe.of(tarpon, "shard-fn").start()) {
                tarpon.awaitState("many", "v1", "sealed");
                assertThat(next.stop()).isEqualTo(SIGTERM_EXIT);
            }
            assertThat(ingest.stop()).isEqualTo(SIGTERM_EXIT);
        }
        tarpon.run("verify", "many", "--source").succeeded();
        assertThat(tarpon.run("dlq", "ls", "--json").out()).doesNotContain("many");
    }

    @Test
    void anEventIsReadInEveryCompressionOfKafka() throws Exception {
        var folder = Folders.plain(scratch.resolve("small"), 2, 10, 1_000, 6);
        var codecs = List.of("none", "gzip", "snappy", "lz4", "zstd");
        for (var codec : codecs) {
            Uploads.put(tarpon, "by-" + codec, folder, 8 << 20, codec);
        }
        try (var ingest = ServiceProcess.Recipe.of(tarpon, "ingest-fn").start();
                var shard = ServiceProcess.Recipe.of(tarpon, "shard-fn").start()) {
            for (var codec : codecs) {
                tarpon.awaitState("by-" + codec, "v1", "sealed");
            }
            assertThat(ingest.stop()).isEqualTo(SIGTERM_EXIT);
            assertThat(shard.stop()).isEqualTo(SIGTERM_EXIT);
        }
    }

    /// Some four times what is measured, on two busy cores.
    private static Duration longestWait() {
        var executables = Tarpon.form("ingest-fn").equals("native")
                && Tarpon.form("shard-fn").equals("native");
        return Duration.ofSeconds(executables ? 8 : 30);
    }

    /// Waits until at least `shards` of the first version of a dataset are sealed; looks often, for this is measured.
    private static Duration whenSealed(String dataset, int shards, long began) {
        var metadata = tarpon.url("metadata-svc");
        Tarpon.await(
                shards + " sealed shards",
                Duration.ofMinutes(2),
                Duration.ofMillis(5),
                () -> sealedShards(metadata, dataset) >= shards);
        return Duration.ofNanos(System.nanoTime() - began);
    }

    private static int sealedShards(String metadata, String dataset) {
        int sealed = 0;
        for (var split : Tarpon.json(metadata + "/v1/datasets/" + dataset + "/versions/v1")
                .path("splits")) {
            sealed += split.get("sealedShards").asInt();
        }
        return sealed;
    }
}
