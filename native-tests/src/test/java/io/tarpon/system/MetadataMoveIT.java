package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The metadata log of a cluster goes into Kafka and back under data that stays readable, and a snapshot of it begins
/// another cluster over the same objects.
class MetadataMoveIT {
    private static final String METADATA = "metadata-svc";

    @TempDir
    Path scratch = Path.of("");

    @Test
    void logMovesWithEveryRevisionAndASnapshotOfItIsAnotherBeginning() throws Exception {
        var first = Folders.plain(scratch.resolve("first"), 2, 40, 20_000, 41);
        var second = Folders.plain(scratch.resolve("second"), 2, 40, 20_000, 42);
        Path snapshot;
        try (var tarpon = new Tarpon(scratch.resolve("home"))) {
            tarpon.run("up").succeeded();
            ingest(tarpon, first, "first");
            movesToKafka(tarpon);
            ingest(tarpon, second, "second");
            hasMoreReplicasAndIsMovedWhileDown(tarpon);
            verify(tarpon, first, "first");
            verify(tarpon, second, "second");

            var written =
                    tarpon.run("metadata", "snapshot", "--json").succeeded().json();
            assertThat(written.get("entries").asLong()).isPositive();
            snapshot =
                    tarpon.home().resolve("store").resolve(written.get("name").asText());
            assertThat(Files.size(snapshot)).isEqualTo(written.get("bytes").asLong());
            var refused = tarpon.run("metadata", "restore", snapshot.toString());
            assertThat(refused.exit()).isEqualTo(1);
            assertThat(refused.err()).contains("this cluster runs");
        }
        restoresIntoANewHome(snapshot, first, second);
    }

    private static void movesToKafka(Tarpon tarpon) {
        var before = digest(tarpon, METADATA);
        var listed = tarpon.run("ls", "--all", "--json").succeeded().json();
        var gateway = tarpon.pid("loader-gateway");
        var moved = move(tarpon, "kafka");
        assertThat(moved.get("log").asText()).isEqualTo("kafka");
        assertThat(moved.get("replicas").asInt()).isEqualTo(1);
        assertThat(moved.get("begin").asLong()).isZero();
        assertThat(moved.get("copied").asLong()).isEqualTo(moved.get("revision").asLong());
        assertThat(moved.get("revision")).isEqualTo(before.get("revision"));
        assertThat(digest(tarpon, METADATA)).as("what is known").isEqualTo(before);
        assertThat(tarpon.pid("loader-gateway")).as("who waited").isEqualTo(gateway);
        assertThat(tarpon.run("ls", "--all", "--json").succeeded().json()).isEqualTo(listed);
        assertThat(tarpon.home().resolve("metadata/TOPIC")).exists();
    }

    private static void hasMoreReplicasAndIsMovedWhileDown(Tarpon tarpon) {
        assertThat(move(tarpon, "kafka", "--replicas", "2").get("copied").asLong())
                .as("it was there")
                .isZero();
        Tarpon.await("two replicas that know the same", () -> {
            var one = digest(tarpon, METADATA);
            return !one.isEmpty() && one.equals(digest(tarpon, METADATA + "-2"));
        });
        tarpon.run("down").succeeded();
        var moved = move(tarpon, "local");
        assertThat(moved.get("log").asText()).isEqualTo("local");
        assertThat(moved.get("replicas").asInt()).isEqualTo(1);
        assertThat(moved.get("copied").asLong()).isEqualTo(moved.get("revision").asLong());
        assertThat(tarpon.status().get("state").asText()).isEqualTo("down");
        tarpon.run("up").succeeded();
        assertThat(digest(tarpon, METADATA).get("revision").asLong())
                .isGreaterThanOrEqualTo(moved.get("revision").asLong());
    }

    private void restoresIntoANewHome(Path snapshot, Path first, Path second) throws IOException {
        try (var other = new Tarpon(scratch.resolve("other"))) {
            // Makes the folder.
            other.run("status");
            copy(scratch.resolve("home/store"), other.home().resolve("store"));
            var restored = other.run("metadata", "restore", snapshot.toString(), "--json")
                    .succeeded()
                    .json();
            assertThat(restored.get("revision").asLong()).isPositive();
            other.run("up").succeeded();
            verify(other, first, "first");
            verify(other, second, "second");
            var third = Folders.plain(scratch.resolve("third"), 1, 30, 20_000, 43);
            ingest(other, third, "third");
            other.run("metadata", "snapshot").succeeded();
            other.run("down").succeeded();
            var again = other.run("metadata", "restore", snapshot.toString());
            assertThat(again.exit()).isEqualTo(1);
            assertThat(again.err()).contains("holds metadata of revision");
            other.run("up").succeeded();
            verify(other, third, "third");
        }
    }

    private static void ingest(Tarpon tarpon, Path folder, String dataset) {
        tarpon.run("ingest", folder.toString(), "--dataset", dataset, "--shard-size", "512KiB")
                .succeeded();
        verify(tarpon, folder, dataset);
    }

    private static void verify(Tarpon tarpon, Path folder, String dataset) {
        var checked =
                tarpon.run("verify", dataset, "--source", "--json").succeeded().json();
        try {
            assertThat(checked.get("members").asLong()).isEqualTo(Folders.count(folder));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static JsonNode move(Tarpon tarpon, String... arguments) {
        var command = new ArrayList<>(List.of("metadata", "move"));
        command.addAll(List.of(arguments));
        command.add("--json");
        return tarpon.run(command.toArray(String[]::new)).succeeded().json();
    }

    private static JsonNode digest(Tarpon tarpon, String replica) {
        return Tarpon.json(tarpon.url(replica) + "/v1/digest");
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var files = Files.walk(from)) {
            for (var file : files.toList()) {
                var target = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
    }
}
