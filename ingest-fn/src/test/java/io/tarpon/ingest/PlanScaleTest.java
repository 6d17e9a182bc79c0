package io.tarpon.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/// Memory that does not grow with a listing, in a JVM of its own.
class PlanScaleTest {
    private static final Pattern COST = Pattern.compile("(planned|grown|rebuilt) .*microseconds_per_object=([0-9.]+)");

    @Test
    void aHeapOf96MiBPlansAnyNumberOfObjects() throws Exception {
        // The records of 300,000 objects and their samples are twice the memory they are sorted in.
        var output = run("96m", "300000");
        assertThat(output)
                .contains("planned objects=300000 samples=150000 shards=69 kept=0 ")
                .contains("grown objects=329994 samples=164997 shards=76 kept=63 ")
                .contains("rebuilt objects=300000 samples=150000 shards=69 kept=0 ")
                .doesNotContainPattern("spool_left=[1-9]");
    }

    /// A few minutes: `-Dingest.scale=full`.
    @Test
    @EnabledIfSystemProperty(named = "ingest.scale", matches = "full")
    void twoMillionObjectsFitIn256MiBAndTakeFourTimesAsLongAsHalfAMillion() throws Exception {
        var output = run("256m", "500000", "500000", "1000000", "2000000");
        assertThat(output).contains("planned objects=2000000 samples=1000000");
        for (var what : List.of("planned", "grown", "rebuilt")) {
            var costs = costs(output, what);
            assertThat(costs.getLast()).as(what).isLessThan(1.5 * costs.get(1));
        }
        assertThat(costs(output, "grown").getLast())
                .as("growth beside planning anew")
                .isLessThan(3 * costs(output, "planned").getLast());
    }

    /// Microseconds per object, in the order of the runs.
    private static List<Double> costs(String output, String what) {
        return COST.matcher(output)
                .results()
                .filter(found -> found.group(1).equals(what))
                .map(found -> Double.parseDouble(found.group(2)))
                .toList();
    }

    private static String run(String heap, String... counts) throws Exception {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx" + heap, "-cp", System.getProperty("java.class.path")));
        command.add(PlanScale.class.getName());
        command.addAll(List.of(counts));
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        System.out.print(output);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
