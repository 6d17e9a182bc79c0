package io.tarpon.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.Roster;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChaosRunTest {
    @Test
    void everyDatasetAndEveryFolderOfARunHasACommandThatRemovesIt(@TempDir Path scratch) {
        var silent = new PrintStream(OutputStream.nullOutputStream());
        var paths = new ClusterPaths(scratch.resolve("it's state"), scratch);
        var context = Context.of(new Console(silent, silent, false, true), paths);
        var commands = new ChaosRun(context, new Roster(List.of()), 1, Duration.ofMinutes(1)).leave();
        assertThat(commands.subList(0, 3))
                .doesNotHaveDuplicates()
                .allMatch(command -> command.matches("[.]/tarpon rm chaos-[a-z0-9]+-[123]"));
        assertThat(commands.subList(3, commands.size()))
                .containsExactly("./tarpon gc", "rm -r '" + scratch + "/it'\\''s state/chaos'");
    }
}
