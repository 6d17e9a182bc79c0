package io.tarpon.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.Context;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.process.Processes;
import io.tarpon.testkit.FakeService;
import io.tarpon.wire.http.Problem;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.letter.LettersPutBack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// On a cluster of one process that only sleeps, beside a service that answers as ingest-fn.
@Timeout(60)
class DlqRetryTest {
    private static final String RETRY = "/v1/dead-letters/retry";
    private static final String FROM = RETRY + "?from=tarpon.plans.dlq%2F0%2F2-9";
    private static final LettersPutBack FIRST =
            new LettersPutBack(List.of("tarpon.plans.dlq/0/0"), List.of(), "tarpon.plans.dlq/0/2-9");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final Context context;
    private final FakeService service;

    DlqRetryTest(@TempDir Path scratch) throws IOException {
        var paths = new ClusterPaths(scratch.resolve("state"), scratch);
        service = new FakeService().on(RETRY, FakeService.bytes(200, Json.bytes(FIRST)));
        var console = new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(OutputStream.nullOutputStream()),
                false,
                true);
        context = Context.of(console, paths);
        context.state().createFolders(ClusterPlan.folders(paths));
        context.state().makeToken();
        var member = Member.of(ClusterPlan.INGEST, service.url(), List.of("sleep", "600"), Map.of());
        var processes = new Processes(ProcessFacts.detacher());
        context.state()
                .write(new Roster(
                        List.of(processes.start(member, context.state().freshOutput(ClusterPlan.INGEST)))));
    }

    @AfterEach
    void stop() {
        context.cluster().down();
        service.close();
    }

    private int retryAll() {
        var retry = new DlqRetry();
        new CommandLine(retry).parseArgs("--all");
        return retry.run(context);
    }

    private String output() {
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aSweepThatStandsStillEndsTheCommandAndWhatWasPutBackIsSaid() {
        var still = new LettersPutBack(List.of(), List.of(), FIRST.next());
        service.on(FROM, FakeService.bytes(200, Json.bytes(still)));
        assertThat(catchThrowableOfType(CommandFailure.class, this::retryAll))
                .hasMessageContaining("tarpon.plans.dlq/0/2-9");
        assertThat(service.requests()).containsExactly("POST " + RETRY, "POST " + FROM);
        assertThat(output()).contains("put back 1;");
    }

    @Test
    void whatWasPutBackBeforeAFailureIsSaid() {
        var problem = Problem.of(ProblemType.NOT_READY, "not looked through in time");
        service.on(FROM, FakeService.bytes(503, Json.bytes(problem)));
        assertThat(catchThrowableOfType(CommandFailure.class, this::retryAll)).hasMessage("not looked through in time");
        assertThat(output()).contains("put back 1;");
    }

    @Test
    void allStepsTogetherAreTheResult() {
        var last = new LettersPutBack(List.of("tarpon.plans.dlq/0/3"), List.of(), null);
        service.on(FROM, FakeService.bytes(200, Json.bytes(last)));
        assertThat(retryAll()).isZero();
        assertThat(output()).contains("put back 2;");
    }
}
