package io.tarpon.gateway.epoch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What a hundred open epochs hold on a heap of 64 MiB, in a process of their own.
class EpochMemoryTest {
    private static final long KIB_MORE = 1_024;
    private static final int WHOLE = 97;
    private static final int RESUMED = 3;

    @TempDir
    Path folder;

    @Test
    void aHundredOpenEpochsHoldNoMoreHeapWhenTheyAreTenTimesAsLong() throws Exception {
        var million = heapKib(1);
        var tenMillion = heapKib(10);
        assertThat(tenMillion - million)
                .as("KiB of heap for 9,000,000 samples more: shards and blocks, 1/8 byte a sample")
                .isLessThan(KIB_MORE);
    }

    private long heapKib(int millions) throws IOException, InterruptedException {
        var log = folder.resolve(millions + ".log");
        var process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:MaxDirectMemorySize=32m",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EpochCrowd.class.getName(),
                        folder.resolve("crowd-" + millions).toString(),
                        Integer.toString(millions),
                        Integer.toString(WHOLE),
                        Integer.toString(RESUMED))
                .redirectErrorStream(true)
                .redirectOutput(Redirect.to(log.toFile()))
                .start();
        try {
            var ended = process.waitFor(5, TimeUnit.MINUTES);
            assertThat(ended).as("ends in time: " + Files.readString(log)).isTrue();
        } finally {
            process.destroyForcibly();
        }
        var printed = Files.readString(log);
        assertThat(process.exitValue()).as(printed).isZero();
        assertThat(printed).contains("samples=" + millions + "000000").contains("open=" + (WHOLE + RESUMED));
        var heap = Pattern.compile("^heap-kib=(\\d+)$", Pattern.MULTILINE).matcher(printed);
        assertThat(heap.find()).as(printed).isTrue();
        return Long.parseLong(heap.group(1));
    }
}
