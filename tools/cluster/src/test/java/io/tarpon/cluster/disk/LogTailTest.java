package io.tarpon.cluster.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTailTest {
    @TempDir
    Path scratch = Path.of("");

    @Test
    void theLastLinesComeWhole() throws IOException {
        var file = scratch.resolve("a.log");
        var lines = IntStream.range(0, 20_000).mapToObj(number -> "línea " + number + " é".repeat(20));
        Files.writeString(file, lines.collect(Collectors.joining("\n")) + "\n");
        assertThat(Files.size(file)).isGreaterThan(2L * LogTail.TAIL_BYTES);
        var tail = new LogTail(file).last(10_000);
        assertThat(tail).hasSizeBetween(3_000, 9_999).allMatch(line -> line.startsWith("línea "));
        assertThat(tail.getLast()).startsWith("línea 19999 ");
        assertThat(new LogTail(file).last(2)).hasSize(2);
    }

    @Test
    void aFileThatIsNotThereHasNoLines() throws IOException {
        assertThat(new LogTail(scratch.resolve("none")).last(5)).isEmpty();
        assertThat(new LogTail(scratch.resolve("none")).lastWords()).isEmpty();
    }

    @Test
    void lastWordsAreTheCauseNotAFrameOfItsTrace() throws IOException {
        var file = scratch.resolve("b.out");
        Files.writeString(
                file, "ok\nCaused by: java.net.BindException: in use\n\tat a.B.c(B.java:1)\n\t... 3 more\n\n");
        assertThat(new LogTail(file).lastWords()).contains("Caused by: java.net.BindException: in use");
    }
}
