package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.tar.UstarReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// A version that grows from another keeps its shards, stores them once, and moves no sample between splits.
@ExtendWith(SharedCluster.class)
class GrowthIT {
    private static final int MEAN_BYTES = 20_000;
    private static final String SPLITS = "train=0.8,val=0.2";

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));

    @BeforeAll
    static void use(Tarpon shared) {
        tarpon = shared;
    }

    private static void ingest(Path folder, String dataset, String... more) {
        var arguments = new ArrayList<>(List.of("ingest", folder.toString(), "--dataset", dataset));
        arguments.addAll(List.of("--shard-size", "1MiB", "--splits", SPLITS));
        arguments.addAll(List.of(more));
        tarpon.run(arguments.toArray(String[]::new)).succeeded();
    }

    /// The split of each member, by name.
    private static Map<String, String> splits(String dataset, String version) throws IOException {
        var splits = new TreeMap<String, String>();
        for (var shard : tarpon.shards(dataset + "@" + version)) {
            var url = shard.get("url").asText();
            var body = tarpon.get(url.substring(tarpon.gateway().length())).body();
            try (var tar = new UstarReader(new ByteArrayInputStream(body))) {
                for (var member = tar.next(); member.isPresent(); member = tar.next()) {
                    var split = url.substring(0, url.lastIndexOf('/'));
                    splits.put(member.get().name(), split.substring(split.lastIndexOf('/') + 1));
                }
            }
        }
        return splits;
    }

    private static List<String> digests(String ref) {
        return tarpon.shards(ref).stream()
                .map(shard -> shard.get("sha256").asText())
                .toList();
    }

    private static List<String> tars(String dataset) throws IOException {
        return Folders.find(tarpon.home().resolve("store"), dataset + "/").stream()
                .filter(name -> name.contains(".tar"))
                .toList();
    }

    @Test
    void newSamplesGoIntoNewShardsAndTheOldOnesAreStoredOnce() throws IOException {
        var folder = Folders.plain(scratch.resolve("adds"), 3, 80, MEAN_BYTES, 11);
        ingest(folder, "adds");
        var before = digests("adds@v1");
        var splits = splits("adds", "v1");
        Folders.more(folder, 5000, 60, MEAN_BYTES, 12);
        ingest(folder, "adds", "--grow");
        var after = digests("adds@v2");
        assertThat(after).containsAll(before).hasSizeGreaterThan(before.size());
        assertThat(tars("adds")).as("one copy of each shard").hasSize(after.size());
        assertThat(splits("adds", "v2")).containsAllEntriesOf(splits).hasSizeGreaterThan(splits.size());
        tarpon.run("verify", "adds@v2", "--source").succeeded();
        tarpon.run("verify", "adds@v1").succeeded();
    }

    @Test
    void onlyShardsWithChangedOrRemovedObjectsAreBuiltAgain() throws IOException {
        var folder = Folders.plain(scratch.resolve("edits"), 3, 80, MEAN_BYTES, 13);
        ingest(folder, "edits");
        var before = digests("edits@v1");
        Files.write(folder.resolve("class-1/item-7.bin"), new byte[12_345]);
        Files.delete(folder.resolve("class-2/item-9.bin"));
        Files.delete(folder.resolve("class-2/item-9.cls"));
        ingest(folder, "edits", "--grow");
        var kept = new ArrayList<>(digests("edits@v2"));
        kept.retainAll(before);
        assertThat(kept).hasSizeGreaterThanOrEqualTo(before.size() - 2).hasSizeLessThan(before.size());
        tarpon.run("verify", "edits@v2", "--source").succeeded();
    }

    @Test
    void growthOfAnUnchangedFolderGivesTheSameVersionBack() throws IOException {
        var folder = Folders.plain(scratch.resolve("same"), 2, 40, MEAN_BYTES, 14);
        ingest(folder, "same");
        var again = tarpon.run(
                        "ingest",
                        folder.toString(),
                        "--dataset",
                        "same",
                        "--shard-size",
                        "1MiB",
                        "--splits",
                        SPLITS,
                        "--grow",
                        "--json")
                .succeeded()
                .json();
        assertThat(again.get("version").asText()).isEqualTo("v1");
    }
}
