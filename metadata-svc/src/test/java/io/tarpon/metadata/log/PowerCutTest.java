package io.tarpon.metadata.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.tarpon.metadata.disk.StateFolder;
import io.tarpon.metadata.entry.MetadataLog;
import io.tarpon.testkit.Jvm;
import io.tarpon.testkit.power.DiskTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The power goes while entries are appended; of what the disk may keep then, some states are opened. RocksDB writes by
/// native code, so its calls are recorded once and done again on a disk that forgets. It forces its folder once after
/// it made a manifest and renamed what names it, so it needs a file system that keeps the order of names: where the
/// second was kept and the first lost, it does not open, and says so.
class PowerCutTest {
    private static final int CUTS = 80;
    private static final String LIBRARY = "librocksdbjni-linux64.so";

    @TempDir
    Path scratch;

    @Test
    void whatWasAcknowledgedIsThereAndWhatIsThereIsWhole() throws Exception {
        assumeTrue(
                DiskTrace.isPossible(), "strace is not there, or may not look into processes: apt-get install strace");
        var folder = Files.createDirectories(scratch.resolve("traced")).toRealPath();
        var sayings = scratch.toRealPath().resolve("acknowledged");
        var trace = DiskTrace.of(
                Jvm.command(
                        AppendingProcess.class,
                        List.of(
                                "-Xmx64m",
                                "--enable-native-access=ALL-UNNAMED",
                                // Else 60 MB of it are written under the trace.
                                "-Djava.library.path=" + library()),
                        folder.resolve("state").toString(),
                        sayings.toString(),
                        Files.createDirectories(scratch.resolve("lib")).toString()),
                folder,
                sayings,
                scratch);
        assertThat(trace.saidBefore(trace.steps())).hasSize(AppendingProcess.ENTRIES);

        var seed = System.nanoTime();
        System.out.println("power cuts of seed " + seed + ", steps " + trace.steps());
        var random = new Random(seed);
        var lost = 0;
        for (int cut = 0; cut < CUTS; cut++) {
            var step = random.nextInt(trace.steps() + 1);
            var left = scratch.resolve("left-" + cut);
            var disk = trace.diskBefore(step);
            disk.journaled();
            disk.leave(left, random);
            var as = "seed " + seed + " cut " + cut + " before step " + step;
            lost += AppendingProcess.ENTRIES - opens(left.resolve("state"), trace.saidBefore(step), as);
        }
        assertThat(lost).as("entries that no cut took").isPositive();
    }

    /// Returns how many entries there are.
    private int opens(Path state, List<String> acknowledged, String as) throws IOException {
        try (var opened = StateFolder.open(state);
                var log = LocalLog.open(
                        opened.log(), scratch.resolve("lib"), 16, MetadataLog.MAX_ENTRY_BYTES, Duration.ofMinutes(1))) {
            assertThat(log.end()).as(as).isGreaterThanOrEqualTo(acknowledged.size());
            var numbers = new HashSet<Integer>();
            for (long position = 0; position < log.end(); position++) {
                var entry = Entries.first(log, position);
                int number = entry[0];
                assertThat(entry).as(as).isEqualTo(AppendingProcess.entry(number));
                assertThat(numbers.add(number)).as(as).isTrue();
            }
            for (var line : acknowledged) {
                var words = line.split(" ", -1);
                var entry = Entries.first(log, Long.parseLong(words[0]) - 1);
                assertThat((int) entry[0]).as(as).isEqualTo(Integer.parseInt(words[1]));
            }
            assertThat(log.append(AppendingProcess.entry(0))).as(as).isEqualTo(numbers.size() + 1);
            return numbers.size();
        }
    }

    /// RocksDB's library, where the system's loader finds it.
    private Path library() throws IOException {
        var folder = Files.createDirectories(scratch.resolve("native"));
        try (var in = Objects.requireNonNull(getClass().getClassLoader().getResourceAsStream(LIBRARY), LIBRARY)) {
            Files.copy(in, folder.resolve("librocksdbjni.so"));
        }
        return folder;
    }
}
