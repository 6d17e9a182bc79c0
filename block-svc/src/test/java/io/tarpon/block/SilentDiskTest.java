package io.tarpon.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.block.disk.DataFolder;
import io.tarpon.block.index.BlockEntry;
import io.tarpon.block.index.BlockIndex;
import io.tarpon.testkit.Deadline;
import io.tarpon.wire.block.BlockId;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SilentDiskTest {
    private static final BlockId ID = new BlockId(1, 2);
    private static final Duration DEADLINE = Duration.ofMillis(100);

    @TempDir
    Path folder;

    @Test
    void blockOfADiskThatIsSilentIsStillKnownToBeHere() throws Exception {
        var index = BlockIndex.open(folder.resolve("index").toString());
        var data = DataFolder.open(folder.resolve("data"), 4);
        var share = new DiskShare(Clock.systemUTC(), 1 << 20, 0, 10, Duration.ZERO, DEADLINE, 1, 10, 1, 10, 1, 10);
        var disk = new Disk(data, index, share);
        try (var disks = new Disks()) {
            disks.add(disk);
            index.put(new BlockEntry(ID, 10, 1, false));
            assertThat(disks.holding(ID)).containsExactly(disk);
            try (var hung = new HungFolder(data.path())) {
                assertThat(hung).isNotNull();
                var asked = disk.reading()
                        .submit(
                                () -> {
                                    data.probe();
                                    return true;
                                },
                                _ -> {});
                Deadline.until("silent", () -> !disk.answers());

                assertThat(asked).isCompletedExceptionally();
                assertThat(disks.holding(ID)).as("those to ask").isEmpty();
                assertThat(disks.has(ID)).isTrue();
                assertThat(disks.has(new BlockId(1, 3))).isFalse();
            }
        }
    }
}
