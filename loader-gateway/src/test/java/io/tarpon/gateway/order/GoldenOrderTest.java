package io.tarpon.gateway.order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// Order `p1` is what it was: other bytes behind the URL of an epoch would break every run that resumes.
class GoldenOrderTest {
    private static final String NOT_CHECKED = "PYTHON'S ORDER WAS NOT CHECKED: no python3 on PATH";

    @Test
    void everyVectorIsWhatItWas() throws IOException {
        assertThat(GoldenOrders.lines())
                .hasSizeGreaterThan(400)
                .allSatisfy(line -> assertThat(GoldenOrders.recomputed(line)).isEqualTo(line));
    }

    @Test
    void theImplementationInPythonAgrees() throws Exception {
        var script = Path.of("..", "native-tests", "src", "test", "python", "p1.py");
        assertThat(script).exists();
        var command = new ProcessBuilder(
                        "python3",
                        "-B",
                        script.toString(),
                        Path.of("src", "test", "resources", GoldenOrders.FILE).toString())
                .redirectErrorStream(true);
        if (!pythonIsOnPath()) {
            System.out.println(NOT_CHECKED);
        }
        assumeTrue(pythonIsOnPath(), NOT_CHECKED);
        var process = command.start();
        var printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(printed).isZero();
        assertThat(printed).contains(GoldenOrders.lines().size() + " vectors, 0 differ");
    }

    private static boolean pythonIsOnPath() {
        for (var folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
            if (Files.isExecutable(Path.of(folder, "python3"))) {
                return true;
            }
        }
        return false;
    }
}
