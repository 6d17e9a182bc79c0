package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Stock `webdataset` from PyPI reads every sample once over HTTP. Where Python or PyPI is not to be had, the
/// script says so by name and the test is reported as skipped.
class WebDatasetIT {
    private static final int NOT_TO_BE_HAD = 77;

    @TempDir
    Path scratch = Path.of("");

    @Test
    void stockWebDatasetReadsEverySampleOnce() throws Exception {
        try (var tarpon = new Tarpon(scratch.resolve("home"))) {
            var demo = tarpon.run("demo", "--json").succeeded().json();
            for (var split : demo.get("splits")) {
                int shards = split.get("shards").asInt();
                var urls = demo.get("gateway").asText() + "/d/demo/"
                        + demo.get("version").asText() + "/" + split.get("name").asText() + "/shard-{000000.."
                        + String.format("%06d", shards - 1) + "}.tar";
                var script = new ProcessBuilder(
                                Path.of(System.getProperty("tarpon.product"), "native-tests/webdataset.sh")
                                        .toString(),
                                urls,
                                split.get("samples").asText())
                        .redirectErrorStream(true)
                        .start();
                var printed = new String(script.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(script.waitFor(5, TimeUnit.MINUTES)).isTrue();
                System.out.println(printed);
                assumeTrue(script.exitValue() != NOT_TO_BE_HAD, printed);
                assertThat(script.exitValue()).as(printed).isZero();
            }
        }
    }
}
