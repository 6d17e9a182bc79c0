package io.tarpon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.json.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The command as a process: exit codes, and what goes to which stream.
class CommandLineTest {
    @TempDir
    Path scratch = Path.of("");

    private record Result(int exit, String out, String err) {}

    private Result tarpon(String... arguments) throws IOException, InterruptedException {
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                "io.tarpon.cli.Tarpon"));
        command.addAll(List.of(arguments));
        var out = scratch.resolve("out");
        var err = scratch.resolve("err");
        var builder = new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("TARPON_HOME", scratch.resolve("home").toString());
        var process = builder.start();
        try {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    @Test
    void wrongUseIsTwoWithTheNextStepAndNothingOnStandardOutput() throws Exception {
        for (var wrong : List.of(
                new String[] {},
                new String[] {"fly"},
                new String[] {"status", "--verbose"},
                new String[] {"show"},
                new String[] {"ingest", "/tmp"},
                new String[] {"ingest", "/tmp", "--dataset", "d", "--seed", "x"},
                new String[] {"cat", "demo", "train", "0", "--json"},
                new String[] {"up", "--store", "tape"},
                new String[] {"up", "--metadata-replicas", "0"},
                new String[] {"up", "--metadata-replicas", "6"},
                new String[] {"up", "--metadata-replicas", "some"},
                new String[] {"up", "--nodes", "0"},
                new String[] {"up", "--gateways", "9"},
                new String[] {"link", "down"},
                new String[] {"link", "sideways", "block-svc-1"},
                new String[] {"link", "slow", "block-svc-1"},
                new String[] {"link", "slow", "block-svc-1", "--rate", "fast"},
                new String[] {"retry", "demo"},
                new String[] {"cancel", "demo@latest"},
                new String[] {"rm", "demo@latest"},
                new String[] {"rm", "demo@1"},
                new String[] {"dlq"},
                new String[] {"dlq", "retry"},
                new String[] {"dlq", "retry", "tarpon.plans.dlq/0/1", "--all"},
                new String[] {"dlq", "ls", "--limit", "0"},
                new String[] {"metadata"},
                new String[] {"metadata", "restore"},
                new String[] {"metadata", "move"},
                new String[] {"metadata", "move", "etcd"},
                new String[] {"metadata", "move", "local", "--replicas", "3"},
                new String[] {"metadata", "move", "kafka", "--replicas", "6"},
                new String[] {"chaos"},
                new String[] {"chaos", "--minutes", "0"},
                new String[] {"chaos", "--minutes", "1", "--here", "--store", "s3"},
                new String[] {"chaos", "--minutes", "1", "--target", "everything"},
                new String[] {"logs", "kafak"},
                new String[] {"logs", "-n", "0"},
                new String[] {"demo", "--dataset", "No Such Name"})) {
            var result = tarpon(wrong);
            assertThat(result.exit()).as(String.join(" ", wrong) + result.err()).isEqualTo(2);
            assertThat(result.out()).isEmpty();
            assertThat(result.err()).startsWith("tarpon: ").contains("next: ").doesNotContain("\u001b");
        }
    }

    @Test
    void notRunningIsThree() throws Exception {
        for (var command : List.of(
                List.of("ls"),
                List.of("retry", "demo@v1"),
                List.of("cancel", "demo@v1"),
                List.of("rm", "demo"),
                List.of("rm", "demo@v1"),
                List.of("gc", "--dry-run"),
                List.of("metadata", "snapshot"),
                List.of("dlq", "ls"),
                List.of("dlq", "show", "tarpon.plans.dlq/0/1"),
                List.of("dlq", "retry", "--all"),
                List.of("chaos", "--minutes", "1", "--here"),
                List.of("show", "demo"),
                List.of("verify", "demo@v1"),
                List.of("restart", "kafka"),
                List.of("logs"),
                List.of("url", "demo"),
                List.of("cat", "demo", "train", "0"),
                List.of("ingest", "/tmp", "--dataset", "demo"))) {
            var result = tarpon(command.toArray(String[]::new));
            assertThat(result.exit()).as(command + result.err()).isEqualTo(3);
            assertThat(result.out()).isEmpty();
            assertThat(result.err()).contains("no local cluster is running").contains("./tarpon up");
        }
        var status = tarpon("status", "--json");
        assertThat(status.exit()).isEqualTo(3);
        assertThat(Json.MAPPER.readTree(status.out()))
                .isEqualTo(Json.MAPPER.readTree("{\"state\":\"down\",\"gateway\":null,\"processes\":[],\"nodes\":[]}"));
        assertThat(status.err()).isEmpty();
    }

    @Test
    void aLogThatIsNotThereIsNotMoved() throws Exception {
        var result = tarpon("metadata", "move", "kafka");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).contains("nothing to move").contains("./tarpon up --metadata-replicas 3");
    }

    @Test
    void downIsDoneWhereNothingRuns() throws Exception {
        var result = tarpon("down", "--json");
        assertThat(result.exit()).isZero();
        assertThat(Json.MAPPER.readTree(result.out()).get("stopped").asInt()).isZero();
    }

    @Test
    void aStateFolderOfAnotherFormatFailsWithBothFormats() throws Exception {
        Files.createDirectories(scratch.resolve("home"));
        Files.writeString(scratch.resolve("home/format"), "TARPON-STATE 9\n");
        var result = tarpon("up");
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err())
                .contains("home/format")
                .contains("TARPON-STATE 9")
                .contains("TARPON-STATE 1");
    }

    @Test
    void demoOfAFolderThatIsNotThereFailsBeforeAnythingStarts() throws Exception {
        var empty = Files.createDirectories(scratch.resolve("empty"));
        for (var folder :
                List.of(scratch.resolve("no\u001b[31msuch"), empty, Files.writeString(scratch.resolve("f"), ""))) {
            var result = tarpon("demo", folder.toString(), "--once");
            assertThat(result.exit()).as(result.err()).isEqualTo(1);
            assertThat(result.err()).contains("next: ").doesNotContain("\u001b");
        }
        assertThat(scratch.resolve("home/cluster.json")).doesNotExist();
    }

    @Test
    void helpIsForPeopleAndWithoutColoursWherePiped() throws Exception {
        var result = tarpon("ingest", "--help");
        assertThat(result.exit()).isZero();
        assertThat(result.out()).contains("--shards-multiple-of").doesNotContain("\u001b");
    }
}
