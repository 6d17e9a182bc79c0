package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every process that takes part in an ingest is killed once while that goes on, the block services in the middle of a
/// read; the result is that of an undisturbed run.
class KilledProcessIT {
    private static final int MEAN_BYTES = 60_000;
    private static final String EPOCH = "/e/calm/v1/train/7/0/0of1.tar";

    /// Planning takes a fraction of a second: it may be over before it is seen.
    private static final int TRIES = 5;

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

    /// While shard-fn is stopped no shard is sealed: what is read of the version then is its state at the kill.
    @ParameterizedTest
    @ValueSource(strings = {"shard-fn", "metadata-svc", "kafka", "block-svc-2"})
    void anIngestSurvivesTheDeathOfWhoWorksWhileItsShardsAreBuilt(String victim) throws Exception {
        var dataset = "killed-" + victim;
        var version = versionUrl(dataset);
        var builder = tarpon.pid("shard-fn");
        var ingest = ingest(dataset);
        Deadline.until(
                Duration.ofMinutes(1), "shards in work", () -> state(version).equals("building"));
        Tarpon.signal("STOP", builder);
        try {
            assertThat(state(version)).as("at the kill of " + victim).isEqualTo("building");
            tarpon.kill(victim);
        } finally {
            Tarpon.signal("CONT", builder);
        }
        tarpon.run("restart", victim).succeeded();
        assertEndsAsUndisturbed(ingest, dataset);
    }

    @Test
    void anIngestSurvivesTheDeathOfThePlanner() throws Exception {
        var planner = tarpon.pid("ingest-fn");
        for (int attempt = 1; ; attempt++) {
            var dataset = "killed-ingest-fn-" + attempt;
            var version = versionUrl(dataset);
            var ingest = ingest(dataset);
            Deadline.until(
                    Duration.ofMinutes(1),
                    "a version in work",
                    () -> !state(version).isEmpty());
            Tarpon.signal("STOP", planner);
            if (state(version).equals("planning")) {
                tarpon.kill("ingest-fn");
                assertThat(state(version)).as("at the kill").isEqualTo("planning");
                tarpon.run("restart", "ingest-fn").succeeded();
                assertEndsAsUndisturbed(ingest, dataset);
                return;
            }
            Tarpon.signal("CONT", planner);
            assertEndsAsUndisturbed(ingest, dataset);
            assertThat(attempt)
                    .as("planning was over each time it was looked at")
                    .isLessThan(TRIES);
        }
    }

    @Test
    void aReadSurvivesTheDeathOfABlockService() throws Exception {
        var bytes =
                tarpon.head(EPOCH).headers().firstValueAsLong("Content-Length").orElseThrow();
        var calm = digestOfTheRest(epoch(), MessageDigest.getInstance("SHA-256"));
        for (int number = 1; number <= 3; number++) {
            var victim = "block-svc-" + number;
            var disturbed = MessageDigest.getInstance("SHA-256");
            var in = epoch();
            // A reader holds the gateway back: most of the rest is still with the nodes.
            var early = in.readNBytes((int) (bytes / 8));
            assertThat(early).hasSize((int) (bytes / 8));
            tarpon.kill(victim);
            disturbed.update(early);
            assertThat(digestOfTheRest(in, disturbed)).as(victim).isEqualTo(calm);
            assertThat(tarpon.status().get("state").asText()).isEqualTo("degraded");
            tarpon.run("verify", "calm", "--source").succeeded();
            tarpon.run("restart", victim).succeeded();
        }
        assertThat(tarpon.status().get("state").asText()).isEqualTo("up");
    }

    private static String digestOfTheRest(InputStream in, MessageDigest digest) throws IOException {
        try (in) {
            in.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static InputStream epoch() throws IOException {
        return URI.create(tarpon.gateway() + EPOCH).toURL().openStream();
    }

    private static Tarpon.Running ingest(String dataset) throws IOException {
        return tarpon.start("ingest", folder.toString(), "--dataset", dataset, "--shard-size", "8MiB");
    }

    private static void assertEndsAsUndisturbed(Tarpon.Running ingest, String dataset) throws Exception {
        assertThat(ingest.waitFor(3, TimeUnit.MINUTES)).as(dataset).isTrue();
        assertThat(ingest.exitValue())
                .as(dataset + ": " + Tarpon.read(ingest.err()))
                .isZero();
        assertThat(digests(dataset)).as(dataset).isEqualTo(digests);
    }

    /// Asked of metadata-svc itself: the command is a process of its own and would be too late.
    private static String versionUrl(String dataset) {
        return tarpon.url("metadata-svc") + "/v1/datasets/" + dataset + "/versions/v1";
    }

    /// Empty where there is no such version.
    private static String state(String versionUrl) {
        return Tarpon.json(versionUrl).path("state").asText();
    }

    private static List<String> digests(String dataset) {
        var digests = new ArrayList<String>();
        for (var shard : tarpon.run("ls", dataset, "--json").succeeded().json().get("shards")) {
            digests.add(shard.get("sha256").asText());
        }
        return digests;
    }
}
