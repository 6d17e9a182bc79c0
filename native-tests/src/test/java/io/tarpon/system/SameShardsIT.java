package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One folder, two clusters with nothing in common: the same shards, byte for byte.
class SameShardsIT {
    @TempDir
    Path scratch = Path.of("");

    @Test
    void twoStateFoldersGiveEqualShardDigests() throws IOException {
        var folder = Folders.plain(scratch.resolve("folder"), 3, 200, 30_000, 5);
        var first = digests("first", folder);
        var second = digests("second", folder);
        assertThat(first).hasSizeGreaterThan(1).isEqualTo(second);
    }

    private List<String> digests(String home, Path folder) {
        try (var tarpon = new Tarpon(scratch.resolve(home))) {
            tarpon.run("up").succeeded();
            tarpon.run("ingest", folder.toString(), "--dataset", "same", "--shard-size", "4MiB")
                    .succeeded();
            var digests = new ArrayList<String>();
            for (var shard :
                    tarpon.run("ls", "same", "--json").succeeded().json().get("shards")) {
                digests.add(shard.get("sha256").asText());
            }
            return digests;
        }
    }
}
