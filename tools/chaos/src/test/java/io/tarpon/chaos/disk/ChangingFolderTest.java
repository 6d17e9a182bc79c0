package io.tarpon.chaos.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.wire.Digests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChangingFolderTest {
    @TempDir
    Path scratch = Path.of("");

    private static Map<String, String> found(Path folder) throws IOException {
        var found = new TreeMap<String, String>();
        try (var files = Files.walk(folder)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                found.put(folder.relativize(file).toString(), Digests.sha256Hex(Files.readAllBytes(file)));
            }
        }
        return found;
    }

    @Test
    void itKnowsWhatItHoldsAfterEveryChange() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var folder = ChangingFolder.make(scratch.resolve("f"), new Random(seed));
        for (int change = 0; change < 10; change++) {
            assertThat(folder.contents()).as("seed " + seed).isEqualTo(found(folder.path()));
            var before = folder.contents();
            folder.change();
            assertThat(folder.contents()).as("seed " + seed).isNotEqualTo(before);
        }
    }

    @Test
    void oneSeedMakesOneFolder() {
        var one = ChangingFolder.make(scratch.resolve("one"), new Random(7));
        var other = ChangingFolder.make(scratch.resolve("other"), new Random(7));
        one.change();
        other.change();
        assertThat(one.contents()).isEqualTo(other.contents()).isNotEmpty();
    }
}
