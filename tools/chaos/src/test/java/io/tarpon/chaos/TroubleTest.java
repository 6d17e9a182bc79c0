package io.tarpon.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.process.Processes;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// On a cluster of processes that only sleep.
class TroubleTest {
    private final Findings findings = new Findings();
    private final Context context;
    private final Roster roster;

    TroubleTest(@TempDir Path scratch) {
        var silent = new PrintStream(OutputStream.nullOutputStream());
        var paths = new ClusterPaths(scratch.resolve("state"), scratch);
        context = Context.of(new Console(silent, silent, false, true), paths);
        context.state().createFolders(ClusterPlan.folders(paths));
        var processes = new Processes(ProcessFacts.detacher());
        var members = new ArrayList<Member>();
        for (var name : List.of("metadata-svc", "shard-fn")) {
            var member = Member.of(name, "http://127.0.0.1:1", List.of("sleep", "600"), Map.of());
            members.add(processes.start(member, context.state().freshOutput(name)));
        }
        roster = new Roster(members);
        context.state().write(roster);
    }

    @AfterEach
    void stop() {
        context.cluster().down();
    }

    @Test
    void aProcessThatEndedByItselfIsWrittenDown() {
        var trouble = new Trouble(context.cluster(), new Random(1), findings);
        assertThat(trouble.foundEnded()).isFalse();
        assertThat(findings.all()).isEmpty();
        var handle = ProcessHandle.of(roster.member("shard-fn").pid()).orElseThrow();
        handle.destroyForcibly();
        handle.onExit().join();
        assertThat(trouble.foundEnded()).isTrue();
        assertThat(findings.all()).containsExactly("ended by itself: shard-fn");
    }

    @Test
    void onlyTheChosenAreStruck() {
        var trouble = new Trouble(
                context.cluster(),
                new Random(1),
                findings,
                member -> member.isMetadata() ? 1 : 0,
                Duration.ofMillis(1));
        assertThat(trouble.faults()).extracting(Trouble.Faults::process).containsExactly("metadata-svc");
    }
}
