package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tarpon.wire.block.BlockId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// What was removed and collected is nowhere any more, and nothing else is touched.
@ExtendWith(SharedCluster.class)
class RemovalIT {
    private static final int MEAN_BYTES = 30_000;

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));

    @BeforeAll
    static void use(Tarpon shared) {
        tarpon = shared;
    }

    private static Path ingested(String dataset, long seed) throws IOException {
        var folder = Folders.plain(scratch.resolve(dataset), 3, 60, MEAN_BYTES, seed);
        tarpon.run("ingest", folder.toString(), "--dataset", dataset, "--shard-size", "1MiB")
                .succeeded();
        // Read once, so that its blocks are on the nodes.
        tarpon.run("verify", dataset).succeeded();
        return folder;
    }

    /// File names of the blocks of a version's shards.
    private static Set<String> blocks(List<JsonNode> shards) {
        var names = new HashSet<String>();
        for (var shard : shards) {
            for (int block = 0; block < shard.get("blocks").size(); block++) {
                names.add(BlockId.of(shard.get("sha256").asText(), block).hex() + ".blk");
            }
        }
        return names;
    }

    private static List<String> onDisks(Set<String> blocks) throws IOException {
        return Folders.find(tarpon.home().resolve("blocks"), ".blk").stream()
                .filter(file -> blocks.contains(file.substring(file.lastIndexOf('/') + 1)))
                .toList();
    }

    @Test
    void aRemovedDatasetLeavesNothingInStoreAndDataDirectoriesAndTheOthersVerify() throws IOException {
        ingested("stays", 1);
        ingested("goes", 2);
        var blocks = blocks(tarpon.shards("goes@v1"));
        var staying = blocks(tarpon.shards("stays@v1"));
        assertThat(onDisks(blocks)).isNotEmpty();

        // What other tests removed goes first.
        tarpon.run("gc").succeeded();
        var dry = tarpon.run("gc", "--dry-run", "--json").succeeded().json();
        assertThat(dry.get("objects").asLong()).isZero();
        assertThat(tarpon.run("rm", "goes", "--json")
                        .succeeded()
                        .json()
                        .get("removed")
                        .asInt())
                .isEqualTo(1);
        assertThat(tarpon.run("ls", "--json").succeeded().out()).doesNotContain("goes");
        Tarpon.await(
                "the gateway to notice",
                () -> tarpon.get("/d/goes/v1/train/shard-000000.tar").statusCode() == 410);

        var collected = tarpon.run("gc", "--json").succeeded().json();
        assertThat(collected.get("waiting")).isEmpty();
        assertThat(collected.get("objects").asLong()).isPositive();
        assertThat(collected.get("blocks").asLong()).isPositive();
        assertThat(Folders.find(tarpon.home().resolve("store"), "goes")).isEmpty();
        assertThat(onDisks(blocks)).isEmpty();
        assertThat(onDisks(staying)).isNotEmpty();
        tarpon.run("verify", "stays", "--source").succeeded();
        assertThat(tarpon.get("/d/goes/v1/train/shard-000000.tar").statusCode()).isEqualTo(410);

        var again = tarpon.run("gc", "--json").succeeded().json();
        assertThat(again.get("objects").asLong()).isZero();
        assertThat(tarpon.run("rm", "goes@v1", "--json")
                        .succeeded()
                        .json()
                        .get("removed")
                        .asInt())
                .isZero();
    }

    @Test
    void shardsThatAGrownVersionSharesOutliveTheirFirstVersion() throws IOException {
        var folder = ingested("grown", 3);
        Folders.more(folder, 1000, 40, MEAN_BYTES, 4);
        tarpon.run("ingest", folder.toString(), "--dataset", "grown", "--shard-size", "1MiB", "--grow")
                .succeeded();
        tarpon.run("verify", "grown@v2").succeeded();
        var shared = blocks(tarpon.shards("grown@v1"));
        tarpon.run("rm", "grown@v1").succeeded();
        tarpon.run("gc").succeeded();
        tarpon.run("verify", "grown@v2", "--source").succeeded();
        assertThat(onDisks(shared)).isNotEmpty();

        tarpon.run("rm", "grown").succeeded();
        var collected = tarpon.run("gc", "--json").succeeded().json();
        assertThat(collected.get("waiting")).isEmpty();
        assertThat(Folders.find(tarpon.home().resolve("store"), "grown")).isEmpty();
        assertThat(onDisks(shared)).isEmpty();
    }

    @Test
    void aVersionInWorkIsNotRemovedButCancelled() throws IOException {
        var folder = Folders.plain(scratch.resolve("worked"), 2, 50, MEAN_BYTES, 5);
        tarpon.kill("shard-fn");
        tarpon.run("ingest", folder.toString(), "--dataset", "worked", "--no-wait")
                .succeeded();
        Tarpon.await("a version in work", () -> tarpon.state("worked", "v1").equals("building"));
        var refused = tarpon.run("rm", "worked@v1");
        assertThat(refused.exit()).isEqualTo(1);
        assertThat(refused.err()).contains("cancel");
        assertThat(tarpon.run("cancel", "worked@v1", "--json")
                        .succeeded()
                        .json()
                        .get("cancelled")
                        .asInt())
                .isEqualTo(1);
        assertThat(tarpon.run("show", "worked@v1", "--json")
                        .succeeded()
                        .json()
                        .get("reason")
                        .asText())
                .isEqualTo("cancelled");
        tarpon.run("restart", "shard-fn").succeeded();
        tarpon.run("rm", "worked@v1").succeeded();
    }
}
