package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every process is killed once in the middle of an ingest, the block services also in the middle of a read; the result
/// is that of an undisturbed run.
class KilledProcessIT {
    private static final int MEAN_BYTES = 60_000;

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));
    private static Path folder = Path.of("");
    private static List<String> digests = List.of();

    @BeforeAll
    static void anUndisturbedRun() throws IOException {
        tarpon = new Tarpon(scratch.resolve("home"));
        tarpon.run("up").succeeded();
        folder = Folders.plain(scratch.resolve("folder"), 5, 400, MEAN_BYTES, 99);
        tarpon.run("ingest", folder.toString(), "--dataset", "calm", "--shard-size", "8MiB")
                .succeeded();
        digests = digests("calm");
        assertThat(digests).hasSizeGreaterThan(5);
    }

    @AfterAll
    static void stop() {
        tarpon.close();
    }

    @Test
    void anIngestSurvivesTheDeathOfEachProcess() throws Exception {
        for (var victim : List.of("shard-fn", "metadata-svc", "ingest-fn", "block-svc-2", "kafka", "loader-gateway")) {
            var dataset = "killed-" + victim;
            var ingest = tarpon.start("ingest", folder.toString(), "--dataset", dataset, "--shard-size", "8MiB");
            Tarpon.await("a version in work", () -> inWork(dataset));
            tarpon.kill(victim);
            tarpon.run("restart", victim).succeeded();
            assertThat(ingest.waitFor(3, TimeUnit.MINUTES)).as(victim).isTrue();
            assertThat(ingest.exitValue())
                    .as(victim + ": " + Tarpon.read(ingest.err()))
                    .isZero();
            assertThat(digests(dataset)).as(victim).isEqualTo(digests);
        }
    }

    @Test
    void aReadSurvivesTheDeathOfABlockService() throws Exception {
        for (int number = 1; number <= 3; number++) {
            var victim = "block-svc-" + number;
            var reading = tarpon.start("verify", "calm", "--source");
            tarpon.kill(victim);
            assertThat(reading.waitFor(3, TimeUnit.MINUTES)).isTrue();
            assertThat(reading.exitValue())
                    .as(Tarpon.read(reading.out()) + Tarpon.read(reading.err()))
                    .isZero();
            assertThat(tarpon.status().get("state").asText()).isEqualTo("degraded");
            tarpon.run("restart", victim).succeeded();
        }
        assertThat(tarpon.status().get("state").asText()).isEqualTo("up");
    }

    private static boolean inWork(String dataset) {
        var listing = tarpon.run("ls", "--json");
        return listing.exit() == 0 && states(listing.json(), dataset).stream().anyMatch("building"::equals)
                || listing.exit() == 0
                        && states(listing.json(), dataset).stream().anyMatch("sealed"::equals);
    }

    private static List<String> states(JsonNode listing, String dataset) {
        var states = new java.util.ArrayList<String>();
        for (var each : listing.get("datasets")) {
            if (each.get("dataset").asText().equals(dataset)) {
                each.get("versions")
                        .forEach(version -> states.add(version.get("state").asText()));
            }
        }
        return states;
    }

    private static List<String> digests(String dataset) {
        var digests = new java.util.ArrayList<String>();
        for (var shard : tarpon.run("ls", dataset, "--json").succeeded().json().get("shards")) {
            digests.add(shard.get("sha256").asText());
        }
        return digests;
    }
}
