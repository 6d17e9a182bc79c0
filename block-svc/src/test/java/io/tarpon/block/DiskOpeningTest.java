package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import io.tarpon.testkit.power.PowerCutDisk;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A data folder that fails in a way that is no [java.io.IOException].
class DiskOpeningTest {
    private static final DiskShare SHARE = new DiskShare(
            Clock.systemUTC(), 1 << 20, 0, 10, Duration.ZERO, Duration.ofSeconds(20), 1, 10, 1, 10, 1, 10);

    @TempDir
    Path folder;

    @Test
    void folderThatFailsUnexpectedlyStopsNoNodeThatHasAnotherAndIsTriedAgain() throws Exception {
        // Nobody can ask this disk for its free space: it throws an unchecked exception.
        var odd = Files.createDirectories(new PowerCutDisk().root().resolve("odd"));
        var temporary = Files.createDirectories(odd.resolve("tmp"));
        var good = folder.resolve("good");
        try (var disks = new Disks();
                var opening = new DiskOpening(disks, Files.createDirectories(folder.resolve("indexes")), 4, SHARE)) {
            opening.open(List.of(odd, good), Duration.ofSeconds(20));

            assertThat(disks.all()).extracting(disk -> disk.folder().path()).containsExactly(good);
            for (var attempt = 0; attempt < 2; attempt++) {
                // Each attempt deletes what a crash left.
                var left = temporary.resolve("left-" + attempt);
                Files.createFile(left);
                Deadline.until("tried again", () -> Files.notExists(left));
            }
        }
    }
}
