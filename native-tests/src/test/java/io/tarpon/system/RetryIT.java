package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What failed says why, and can be tried again: versions by `retry`, messages by `dlq retry`.
@ExtendWith(SharedCluster.class)
class RetryIT {
    private static final String UPLOADS = "tarpon.uploads";

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));

    @BeforeAll
    static void use(Tarpon shared) {
        tarpon = shared;
    }

    @Test
    void aVersionWhoseSourceChangedFailsWithTheObjectNamedAndIsSealedByRetry() throws IOException {
        var folder = Folders.plain(scratch.resolve("changes"), 2, 60, 20_000, 21);
        tarpon.kill("shard-fn");
        tarpon.run("ingest", folder.toString(), "--dataset", "changes", "--shard-size", "512KiB", "--no-wait")
                .succeeded();
        Tarpon.await("a frozen plan", () -> tarpon.state("changes", "v1").equals("building"));
        Files.write(folder.resolve("class-1/item-7.bin"), new byte[777]);
        tarpon.run("restart", "shard-fn").succeeded();
        tarpon.awaitState("changes", "v1", "failed");
        var shown = tarpon.run("show", "changes@v1", "--json").succeeded().json();
        assertThat(shown.get("reason").asText()).contains("class-1/item-7.bin");

        var retried = tarpon.run("retry", "changes@v1", "--json").succeeded().json();
        assertThat(retried.get("retried").asInt()).isEqualTo(1);
        assertThat(retried.get("version").get("version").asText()).isEqualTo("v1");
        assertThat(retried.get("version").get("state").asText()).isEqualTo("sealed");
        tarpon.run("verify", "changes@v1", "--source").succeeded();

        var refused = tarpon.run("retry", "changes@v1");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("sealed").contains("next: ");
    }

    @Test
    void aPoisonMessageIsADeadLetterWithItsBytesAndCanBePutBack() throws IOException {
        var poison = "{\"Records\": [{\"eventSource\": \"aws:s3\", tail";
        try (var broker = new Broker(tarpon)) {
            broker.send(UPLOADS, Optional.of("who"), poison.getBytes(StandardCharsets.UTF_8));
            broker.awaitConsumed(UPLOADS, "ingest-fn");
        }
        Tarpon.await("a dead letter", () -> uploadLetters().size() == 1);
        var letter = uploadLetters().get(0);
        var id = letter.get("id").asText();
        assertThat(letter.get("topic").asText()).isEqualTo(UPLOADS);
        assertThat(letter.get("key").asText()).isEqualTo("who");
        assertThat(letter.get("reason").asText()).isNotBlank();
        assertThat(letter.get("retriedAt").isNull()).isTrue();
        assertThat(tarpon.run("dlq", "ls").succeeded().out()).contains(id).contains("REASON");
        assertThat(tarpon.run("dlq", "show", id).succeeded().out()).contains(poison);
        assertThat(tarpon.run("dlq", "show", id, "--raw").succeeded().out()).isEqualTo(poison);
        assertThat(tarpon.run("status", "--json")
                        .json()
                        .get("deadLetters")
                        .get("count")
                        .asInt())
                .isPositive();

        assertThat(tarpon.run("dlq", "retry", id, "--json")
                        .succeeded()
                        .json()
                        .get("retried")
                        .asInt())
                .isEqualTo(1);
        // Poison stays poison: it comes back as another letter.
        Tarpon.await("the letter's return", () -> uploadLetters().size() == 2);
        var letters = uploadLetters();
        assertThat(letters.get(0).get("retriedAt").isNull()).isTrue();
        assertThat(letters.get(1).get("id").asText()).isEqualTo(id);
        assertThat(letters.get(1).get("retriedAt").isNull()).isFalse();

        var unknown = tarpon.run("dlq", "show", "tarpon.uploads.dlq/0/999999");
        assertThat(unknown.exit()).isEqualTo(1);
        assertThat(tarpon.run("dlq", "show", "nonsense").exit()).isEqualTo(2);
    }

    /// Newest first. Other tests have letters of their own, in the other topic.
    private static JsonNode uploadLetters() {
        return tarpon.run("dlq", "ls", "--topic", "tarpon.uploads.dlq", "--json")
                .succeeded()
                .json();
    }
}
