package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// One folder, two clusters with nothing in common: the same shards, byte for byte.
@ExtendWith(SharedCluster.class)
class SameShardsIT {
    @TempDir
    Path scratch = Path.of("");

    @Test
    void twoStateFoldersGiveEqualShardDigests(Tarpon shared) throws IOException {
        var folder = Folders.plain(scratch.resolve("folder"), 3, 200, 30_000, 5);
        var first = digests(shared, folder);
        try (var other = new Tarpon(scratch.resolve("home"))) {
            other.run("up").succeeded();
            assertThat(first).hasSizeGreaterThan(1).isEqualTo(digests(other, folder));
        }
    }

    private static List<String> digests(Tarpon tarpon, Path folder) {
        tarpon.run("ingest", folder.toString(), "--dataset", "alike", "--shard-size", "4MiB")
                .succeeded();
        return tarpon.shards("alike").stream()
                .map(shard -> shard.get("sha256").asText())
                .toList();
    }
}
