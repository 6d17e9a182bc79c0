package io.tarpon.metadata.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.metadata.image.HeapStore;
import io.tarpon.metadata.image.Image;
import io.tarpon.metadata.image.RandomHistory;
import io.tarpon.testkit.Jvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A process that saves its image again and again is killed, and another goes on, until all is replayed. Each finds
/// what was said to be saved, or what was saved since, whole.
class KilledViewTest {
    private static final int COMMANDS = 1_000;
    private static final int KILLS = 4;

    @TempDir
    Path temp;

    @Test
    void whatWasSavedIsThereAfterAKill() throws Exception {
        var entries = RandomHistory.of(1, COMMANDS);
        var libraries = Files.createDirectories(temp.resolve("lib"));
        var random = new Random();
        var saved = 0L;
        for (int kill = 0; kill < KILLS; kill++) {
            var command = Jvm.command(
                    KilledViewTest.class,
                    List.of("-Xmx256m", "--enable-native-access=ALL-UNNAMED"),
                    temp.resolve("view").toString(),
                    libraries.toString());
            var process = new ProcessBuilder(command)
                    .redirectError(temp.resolve("stderr").toFile())
                    .start();
            try (var said =
                    new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
                for (int lines = 1 + random.nextInt(entries.size() / KILLS); lines > 0; lines--) {
                    var line = said.readLine();
                    assertThat(line)
                            .as(Files.readString(temp.resolve("stderr")))
                            .isNotNull();
                    saved = Long.parseLong(line);
                }
                process.destroyForcibly().waitFor();
            }
            try (var view = RocksView.open(temp.resolve("view"), libraries, 1 << 20)) {
                var image = new Image(view);
                assertThat(image.revision()).as("kill %d", kill).isGreaterThanOrEqualTo(saved);
                var whole = new Image(new HeapStore());
                entries.subList(0, (int) image.revision()).forEach(whole::replay);
                assertThat(image.digest()).as("kill %d", kill).isEqualTo(whole.digest());
            }
        }
    }

    /// The process: replays one entry after another from where the view is, and says each revision that is saved.
    public static void main(String[] args) throws IOException {
        var entries = RandomHistory.of(1, COMMANDS);
        try (var view = RocksView.open(Path.of(args[0]), Path.of(args[1]), 1 << 20)) {
            var image = new Image(view);
            while (image.revision() < entries.size()) {
                image.replay(entries.get((int) image.revision()));
                image.save();
                System.out.println(image.revision());
            }
        }
    }
}
