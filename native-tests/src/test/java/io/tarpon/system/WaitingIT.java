package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// `tarpon epochs` says who waits for whom: to the same training, a slow step and a slow store look different.
class WaitingIT {
    private static final int SAMPLES = 604;

    /// A stream is then larger than all buffers between the gateway and its reader.
    private static final int MEAN_BYTES = 200_000;

    private static final String SLOW_STEP_SECONDS = "0.5";

    /// Of one connection to the store.
    private static final long SLOW_BYTES_PER_SECOND = 100_000;

    /// Waited so long, a stream says for whom.
    private static final double TELLING_SECONDS = 2;

    private static final int FAR_ABOVE = 5;

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));
    private static CompletableFuture<Python> python = new CompletableFuture<>();
    private static CompletableFuture<SlowLink> link = new CompletableFuture<>();

    @BeforeAll
    static void aClusterBehindALinkToItsStore() throws IOException {
        python = Python.webdataset(scratch.resolve("python"));
        tarpon = new Tarpon(scratch.resolve("home"));
        tarpon.run("up", "--store", "s3").succeeded();
        link = CompletableFuture.completedFuture(SlowLink.toTheStoreOf(tarpon));
    }

    @AfterAll
    static void stop() {
        link.thenAccept(SlowLink::close);
        tarpon.close();
    }

    @Test
    void aTrainingWithASlowStepIsWaitedForAndItsStreamsAreGoneWhenItIsKilled() throws Exception {
        ingest("warm", 6);
        Program.start(List.of("curl", "-fsS", "-o", "/dev/null", tarpon.gateway() + "/e/warm/v1/train/7/0/0of1.tar"))
                .await()
                .succeeded();
        var training = train("warm", "--step-seconds", SLOW_STEP_SECONDS);

        awaitWaiting(training, "warm", "waitedOnClient", "waitedOnStorage");

        assertThat(table("a slow step")).contains("GPU is busy").doesNotContain("GPU starves");
        training.kill();
        Tarpon.await("the end of its streams", () -> streams("warm").isEmpty());
    }

    @Test
    void aTrainingOverASlowStoreWaits() throws Exception {
        // What is ingested is on no node before it is read.
        ingest("cold", 7);
        link.get().bytesPerSecond(SLOW_BYTES_PER_SECOND);
        var training = train("cold");
        try {
            awaitWaiting(training, "cold", "waitedOnStorage", "waitedOnClient");

            assertThat(table("a slow store")).contains("GPU starves").doesNotContain("GPU is busy");
        } finally {
            link.get().bytesPerSecond(0);
        }
        assertThat(training.await().succeeded().printed())
                .contains("every sample of the epoch was seen exactly once: " + SAMPLES);
    }

    private static void ingest(String dataset, long seed) throws IOException {
        var folder = Folders.plain(scratch.resolve(dataset), 4, SAMPLES / 4, MEAN_BYTES, seed);
        // Many blocks, one of a shard.
        tarpon.run("ingest", folder.toString(), "--dataset", dataset, "--shard-size", "1MiB")
                .succeeded();
    }

    private static Program train(String dataset, String... options) throws Exception {
        var command = new ArrayList<>(List.of(
                python.get().command(),
                Program.example("processes.py"),
                "--dataset",
                dataset,
                "--checkpoint",
                scratch.resolve(dataset + ".checkpoint").toString()));
        command.addAll(List.of(options));
        return Program.start(command, Map.of("TARPON_URL", tarpon.gateway()));
    }

    /// Until each stream of the training has sent something and waited long enough to tell, and all of them far more
    /// for one than for the other.
    private static void awaitWaiting(Program training, String dataset, String one, String other) {
        var streams = new ArrayList<JsonNode>();
        Tarpon.await("its four streams, waiting", Duration.ofMinutes(3), () -> {
            assertThat(training.isRunning()).as(training.printed()).isTrue();
            streams.clear();
            streams.addAll(streams(dataset));
            return streams.size() == 4
                    && streams.stream()
                            .allMatch(stream -> stream.get("samples").asLong() > 0
                                    && stream.get(one).asDouble() > TELLING_SECONDS)
                    && waited(streams, one) > FAR_ABOVE * waited(streams, other);
        });
        assertThat(streams)
                .extracting(stream -> stream.get("rank") + "of" + stream.get("world") + " " + stream.get("worker")
                        + "of" + stream.get("workers"))
                .containsExactlyInAnyOrder("0of2 0of2", "0of2 1of2", "1of2 0of2", "1of2 1of2");
        assertThat(streams)
                .as("in the middle")
                .allMatch(stream ->
                        stream.get("samples").asLong() < stream.get("ofSamples").asLong());
    }

    private static List<JsonNode> streams(String dataset) {
        var streams = new ArrayList<JsonNode>();
        for (var stream : tarpon.run("epochs", "--json").succeeded().json().get("epochs")) {
            if (stream.get("dataset").asText().equals(dataset)) {
                streams.add(stream);
            }
        }
        return streams;
    }

    private static double waited(List<JsonNode> streams, String whom) {
        return streams.stream()
                .mapToDouble(stream -> stream.get(whom).asDouble())
                .sum();
    }

    /// What a person sees.
    private static String table(String of) {
        var table = tarpon.run("epochs", "--once").succeeded().out();
        System.out.println("tarpon epochs, " + of + ":\n" + table);
        return table;
    }
}
