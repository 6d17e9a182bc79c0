package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// A minute of random trouble for three replicas of metadata-svc and the broker under commands; `-Dnightly` runs it,
/// for it takes long and is never twice the same.
@EnabledIfSystemProperty(named = "nightly", matches = ".*")
class MetadataChaosIT {
    @TempDir
    Path scratch = Path.of("");

    @Test
    void inTheEndTheReplicasAgreeNoCommandIsLostAndEveryEventWasToldOnce() throws Exception {
        var tarpon = new Tarpon(Files.createDirectories(scratch.resolve("home")));
        var result = tarpon.run("chaos", "--target", "metadata", "--minutes", "1", "--json");
        System.out.println(result.err());
        var found = result.json();
        assertThat(found.get("wrong")).as(result.out()).isEmpty();
        assertThat(result.exit()).isZero();
        assertThat(found.get("commands").get("sealed").asInt()).isPositive();
        assertThat(found.get("events").get("duplicates").asInt()).isZero();
        assertThat(found.get("replicas")).hasSize(3);
        assertThat(StreamSupport.stream(found.get("replicas").spliterator(), false)
                        .map(replica -> text(replica, "revision") + " " + text(replica, "digest"))
                        .distinct())
                .hasSize(1);
    }

    private static String text(JsonNode node, String field) {
        return node.get(field).asText();
    }
}
