package io.tarpon.cli.disk;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.cluster.console.Console;
import io.tarpon.wire.Digests;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoImagesTest {
    @TempDir
    static Path scratch = Path.of("");

    private static final Console SILENT = new Console(
            new PrintStream(OutputStream.nullOutputStream()),
            new PrintStream(OutputStream.nullOutputStream()),
            false,
            true);

    private static SortedMap<String, String> made = new TreeMap<>();

    @BeforeAll
    static void make() throws IOException {
        DemoImages.make(scratch.resolve("one"), SILENT);
        made = digests(scratch.resolve("one"));
    }

    private static SortedMap<String, String> digests(Path folder) throws IOException {
        var digests = new TreeMap<String, String>();
        try (var files = Files.walk(folder)) {
            for (var file : files.filter(Files::isRegularFile).toList()) {
                digests.put(folder.relativize(file).toString(), Digests.sha256Hex(Files.readAllBytes(file)));
            }
        }
        return digests;
    }

    @Test
    void thereAreAFewThousandLabelledPicturesInSplits() {
        assertThat(made.keySet())
                .hasSize(6000)
                .allMatch(name -> name.matches("(train|val)/[a-z]+/[0-9]{6}\\.(jpg|cls)"));
        assertThat(made.keySet()).filteredOn(name -> name.endsWith(".jpg")).hasSize(3000);
        assertThat(made.keySet()).filteredOn(name -> name.startsWith("val/")).hasSize(1000);
    }

    @Test
    void everyPictureIsAJpegAndNoTwoAreEqual() throws IOException {
        int read = 0;
        for (var name : made.keySet()) {
            if (name.endsWith(".jpg") && read++ % 10 == 0) {
                var picture = ImageIO.read(scratch.resolve("one").resolve(name).toFile());
                assertThat(picture.getWidth()).isEqualTo(128);
            }
        }
        assertThat(made.entrySet().stream()
                        .filter(entry -> entry.getKey().endsWith(".jpg"))
                        .map(entry -> entry.getValue()))
                .doesNotHaveDuplicates();
    }

    @Test
    void aSetThatWasNotFinishedIsMadeAgainAndIsTheSame() throws IOException {
        var two = scratch.resolve("two");
        Files.createDirectories(two.resolve("train/circle"));
        Files.writeString(two.resolve("train/circle/000000.jpg"), "cut sh");
        DemoImages.make(two, SILENT);
        assertThat(digests(two)).isEqualTo(made);
    }

    @Test
    void aSetThatWasFinishedIsLeftAlone() throws IOException {
        var three = scratch.resolve("three");
        Files.createDirectories(three);
        Files.writeString(scratch.resolve("three.done"), "");
        DemoImages.make(three, SILENT);
        assertThat(three).isEmptyDirectory();
    }
}
