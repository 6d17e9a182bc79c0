package io.tarpon.system;

import static io.tarpon.system.Program.example;
import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.Digests;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// An epoch is a URL: stock clients and the examples read it, whoever is killed meanwhile. What needs packages
/// of several GiB runs with `-Dnightly`.
class EpochIT {
    private static final int SAMPLES = 604;
    private static final int MEAN_BYTES = 60_000;
    private static final String EPOCH = "/e/pictures/v1/train/7/0/0of1.tar";
    private static final Pattern CURSOR = Pattern.compile("cursor (\\d+)\n");

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));
    private static CompletableFuture<Python> python = new CompletableFuture<>();
    private static String whole = "";
    private static long bytes;

    @BeforeAll
    static void anEpochReadUndisturbed() throws Exception {
        python = Python.webdataset(scratch.resolve("python"));
        tarpon = new Tarpon(scratch.resolve("home"));
        tarpon.run("up").succeeded();
        var folder = Folders.plain(scratch.resolve("folder"), 4, SAMPLES / 4, MEAN_BYTES, 5);
        // Many blocks, one of a shard: each node owns some that the gateway's own node lacks.
        tarpon.run("ingest", folder.toString(), "--dataset", "pictures", "--shard-size", "2MiB")
                .succeeded();
        var head = tarpon.head(EPOCH).headers();
        assertThat(head.firstValueAsLong("Tarpon-Samples")).hasValue(SAMPLES);
        bytes = head.firstValueAsLong("Content-Length").orElseThrow();
        whole = Digests.sha256Hex(tarpon.get(EPOCH).body());
    }

    @AfterAll
    static void stop() {
        tarpon.close();
    }

    @Test
    void curlContinuesAHalfDownloadedEpoch() throws Exception {
        var file = scratch.resolve("half.tar");
        var download = curl(file, "--limit-rate", "24M");
        awaitBytes(file, bytes / 3);
        download.kill();
        assertThat(file)
                .as("half-way")
                .satisfies(half -> assertThat(Files.size(half)).isBetween(1L, bytes - 1));
        curl(file, "-C", "-").await().succeeded();
        assertThat(Digests.sha256Hex(Files.readAllBytes(file))).isEqualTo(whole);
    }

    @Test
    void aResponseGoesOnThroughTheDeathOfBlockServices() throws Exception {
        var file = scratch.resolve("killed.tar");
        var victims = List.of("block-svc-2", "block-svc-3");
        var pids = victims.stream().map(tarpon::pid).toList();
        var remote = sent("remote");
        var store = sent("store");
        var download = curl(file, "--limit-rate", "8M");
        for (int i = 0; i < victims.size(); i++) {
            awaitBytes(file, (i + 1) * bytes / 5);
            ProcessHandle.of(pids.get(i)).orElseThrow().destroyForcibly();
        }
        assertThat(download.isRunning()).as("killed in the middle").isTrue();
        download.await().succeeded();
        assertThat(Digests.sha256Hex(Files.readAllBytes(file))).isEqualTo(whole);
        assertThat(sent("remote")).as("from the nodes, while they lived").isGreaterThan(remote);
        assertThat(sent("store")).as("in their place").isGreaterThan(store);
        assertThat(tarpon.status().get("state").asText()).isEqualTo("degraded");
        for (var victim : victims) {
            tarpon.run("restart", victim).succeeded();
        }
    }

    @Test
    void theReaderOfTheExamplesGoesOnThroughTheDeathAndRestartOfTheGateway() throws Exception {
        var said = scratch.resolve("resume.err");
        var reader = new ProcessBuilder("python3", example("resume.py"), tarpon.gateway() + EPOCH)
                .redirectError(said.toFile())
                .start();
        var read = new ByteArrayOutputStream();
        // It is held back by its pipe: most bytes are still to come when the gateway dies.
        read.write(reader.getInputStream().readNBytes((int) (bytes / 4)));
        tarpon.kill("loader-gateway");
        tarpon.run("restart", "loader-gateway").succeeded();
        reader.getInputStream().transferTo(read);
        assertThat(reader.waitFor()).as(Files.readString(said)).isZero();
        assertThat(Files.readString(said)).contains("again from byte");
        assertThat(Digests.sha256Hex(read.toByteArray())).isEqualTo(whole);
    }

    @Test
    void theCurlExampleCountsEverySample() throws Exception {
        var ran = run(example("curl.sh"), "pictures", "v1", "train", "7", "0");
        assertThat(ran.printed()).contains(whole).contains(SAMPLES + " samples of " + SAMPLES);
    }

    @Test
    void thePlainExampleCountsEverySample() throws Exception {
        assertThat(run("python3", example("plain.py"), "--dataset", "pictures").printed())
                .contains(SAMPLES + " samples of " + SAMPLES + ", " + 2 * SAMPLES + " members");
    }

    @Test
    void stockWebDatasetReadsEveryRanksEpochOverTheUrlsOfItsWorkers() throws Exception {
        var command = python.get().command();
        var counted = new ArrayList<Integer>();
        for (var rank : List.of("0", "1")) {
            var ran = run(
                    command, example("webdataset_epoch.py"), "--dataset", "pictures", "--world", "2", "--rank", rank);
            System.out.print(ran.printed());
            counted.add(Integer.valueOf(
                    find(Pattern.compile("(\\d+) different"), ran.printed()).group(1)));
        }
        // 37 whole steps of 2 ranks with a batch of 8.
        assertThat(counted).containsExactly(296, 296);
    }

    @Test
    void aRunKilledInTheMiddleGoesOnInMoreProcessesAndSeesEverySampleOnce() throws Exception {
        killedAndContinued(python.get().command(), "processes.py");
    }

    @Test
    @EnabledIfSystemProperty(named = "nightly", matches = ".*", disabledReason = "torch is 5 GiB, see -Dnightly")
    void nightlyADdpRunKilledInTheMiddleGoesOnInMoreProcessesAndSeesEverySampleOnce() throws Exception {
        var torch = python.get();
        torch.install("torch==2.15.0");
        killedAndContinued(torch.command(), "torch_ddp.py");
    }

    @Test
    @EnabledIfSystemProperty(named = "nightly", matches = ".*", disabledReason = "tensorflow is 1 GiB, see -Dnightly")
    void nightlyTfDataReadsEverySampleOnce() throws Exception {
        var tensorflow = Python.in(scratch.resolve("tensorflow"), "tensorflow-cpu==2.21.0");
        var ran = run(
                tensorflow.command(), example("tfdata.py"), "--dataset", "pictures", "--field", "bin", "--batch", "4");
        assertThat(ran.printed()).contains(SAMPLES + " samples of " + SAMPLES + ", " + SAMPLES + " different ones");
    }

    private static void killedAndContinued(String python, String example) throws Exception {
        var checkpoint = scratch.resolve(example + ".checkpoint").toString();
        var script = List.of(python, example(example), "--dataset", "pictures", "--checkpoint", checkpoint);
        var first = new ArrayList<>(script);
        first.addAll(List.of("--world", "2", "--step-seconds", "0.1"));
        var killed = Program.start(first, Map.of("TARPON_URL", tarpon.gateway()));
        Tarpon.await("a third of the epoch", Duration.ofMinutes(5), () -> {
            assertThat(killed.isRunning()).as(killed.printed()).isTrue();
            return cursor(killed) > SAMPLES / 3;
        });
        killed.kill();
        assertThat(cursor(killed)).as(killed.printed()).isLessThan(SAMPLES);

        var second = new ArrayList<>(script);
        second.addAll(List.of("--world", "3"));
        var printed = run(second.toArray(String[]::new)).printed();
        System.out.println(printed.lines().toList().getLast());
        assertThat(printed)
                .contains("every sample of the epoch was seen exactly once: " + SAMPLES + ", in 2, then 3 processes");
    }

    @Test
    void anEpochInPiecesThatIsKilledInTheMiddleRepeatsAtMostOnePiece() throws Exception {
        var script = List.of(
                python.get().command(),
                example("pieces.py"),
                "--dataset",
                "pictures",
                "--checkpoint",
                scratch.resolve("pieces.checkpoint").toString(),
                "--pieces",
                "10");
        var first = new ArrayList<>(script);
        first.addAll(List.of("--step-seconds", "0.2"));
        var killed = Program.start(first, Map.of("TARPON_URL", tarpon.gateway()));
        Tarpon.await("the middle of the fourth piece", Duration.ofMinutes(5), () -> {
            assertThat(killed.isRunning()).as(killed.printed()).isTrue();
            return killed.printed().contains("piece 4 of 10\n")
                    && keys(killed.printed()).size() > 3 * 64 + 24;
        });
        killed.kill();
        var before = keys(killed.printed());
        var after = keys(run(script.toArray(String[]::new)).printed());

        assertThat(before).doesNotHaveDuplicates().hasSizeLessThan(SAMPLES);
        assertThat(after).doesNotHaveDuplicates();
        var seen = new HashSet<>(before);
        seen.addAll(after);
        assertThat(seen).as("every sample").hasSize(SAMPLES);
        var repeated = before.size() + after.size() - SAMPLES;
        System.out.println(repeated + " of " + SAMPLES + " samples came twice, a piece has 64 at most");
        // 76 steps of 8 samples in 10 pieces.
        assertThat(repeated).isBetween(0, 64);
    }

    private static double sent(String from) {
        return tarpon.metric("loader-gateway", "tarpon_gateway_bytes_total", "from=\"" + from + "\"");
    }

    private static List<String> keys(String printed) {
        return printed.lines()
                .filter(line -> line.startsWith("class-"))
                .flatMap(line -> Stream.of(line.split(" ")))
                .toList();
    }

    private static long cursor(Program program) {
        return CURSOR.matcher(program.printed())
                .results()
                .mapToLong(line -> Long.parseLong(line.group(1)))
                .max()
                .orElse(0);
    }

    private static Program.Ran run(String... command) throws IOException, InterruptedException {
        return Program.start(List.of(command), Map.of("TARPON_URL", tarpon.gateway()))
                .await()
                .succeeded();
    }

    private static Program curl(Path file, String... options) throws IOException {
        var command = new ArrayList<>(List.of("curl", "-fsS", "-o", file.toString()));
        command.addAll(List.of(options));
        command.add(tarpon.gateway() + EPOCH);
        return Program.start(command);
    }

    private static void awaitBytes(Path file, long wanted) {
        Tarpon.await(
                wanted + " bytes", () -> Files.exists(file) && file.toFile().length() >= wanted);
    }

    private static MatchResult find(Pattern pattern, String text) {
        return pattern.matcher(text).results().findFirst().orElseThrow(() -> new AssertionError(text));
    }
}
