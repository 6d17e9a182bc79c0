package io.tarpon.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Roster;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetadataTrialTest {
    private final Context context;

    MetadataTrialTest(@TempDir Path scratch) {
        var silent = new PrintStream(OutputStream.nullOutputStream());
        context = Context.of(
                new Console(silent, silent, false, true), new ClusterPaths(scratch.resolve("state"), scratch));
    }

    private static Roster roster(String... names) {
        return new Roster(Stream.of(names)
                .map(name -> Member.of(name, "http://127.0.0.1:1", List.of("sleep", "600"), Map.of()))
                .toList());
    }

    @Test
    void aClusterWithOneReplicaIsRefused() {
        var failure = catchThrowableOfType(
                CommandFailure.class,
                () -> new MetadataTrial(context, roster("kafka", "metadata-svc"), 1, Duration.ofMinutes(1)));
        assertThat(failure).hasMessageContaining("one replica of metadata-svc");
        assertThat(failure.next()).contains("--metadata-replicas 3");
    }

    @Test
    void whatItLeavesBehindIsRemovedByName() {
        var trial =
                new MetadataTrial(context, roster("kafka", "metadata-svc", "metadata-svc-2"), 1, Duration.ofMinutes(1));
        assertThat(trial.leave())
                .hasSize(5)
                .endsWith("./tarpon gc")
                .allMatch(
                        command -> command.equals("./tarpon gc") || command.matches("\\./tarpon rm chaos-[a-z0-9-]+"));
    }
}
