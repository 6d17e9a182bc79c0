package io.tarpon.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

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
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.DatasetRecord;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.VersionRecord;
import io.tarpon.wire.metadata.VersionState;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/// On a cluster of one process that only sleeps, beside a service that answers as metadata-svc.
class RmTest {
    private static final DatasetName DEMO = new DatasetName("demo");
    private static final String GET = "GET /v1/datasets/demo";
    private static final String DELETE = "DELETE /v1/datasets/demo";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ClusterPaths paths;
    private final FakeService service;

    RmTest(@TempDir Path scratch) throws IOException {
        paths = new ClusterPaths(scratch.resolve("state"), scratch);
        service = new FakeService()
                .on(
                        "/v1/datasets/demo",
                        FakeService.bytes(
                                200,
                                Json.bytes(new DatasetRecord(
                                        DEMO,
                                        new VersionId(3),
                                        null,
                                        List.of(
                                                version(1, VersionState.REMOVED),
                                                version(2, VersionState.SEALED),
                                                version(3, VersionState.SEALED))))));
        var state = context(null).state();
        state.createFolders(ClusterPlan.folders(paths));
        state.makeToken();
        var member = Member.of(ClusterPlan.METADATA, service.url(), List.of("sleep", "600"), Map.of());
        var processes = new Processes(ProcessFacts.detacher());
        state.write(new Roster(List.of(processes.start(member, state.freshOutput(ClusterPlan.METADATA)))));
    }

    @AfterEach
    void stop() {
        context(null).cluster().down();
        service.close();
    }

    /// @param answer of the person at the terminal; null where there is none
    private Context context(@Nullable String answer) {
        var console = new Console(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(OutputStream.nullOutputStream()),
                false,
                true,
                answer == null ? null : new BufferedReader(new StringReader(answer)));
        return Context.of(console, paths);
    }

    private static VersionRecord version(int number, VersionState state) {
        return new VersionRecord(
                DEMO,
                new VersionId(number),
                state,
                9,
                "r",
                null,
                null,
                null,
                null,
                null,
                null,
                DatasetSpec.of("file:///data"),
                Inputs.NONE,
                List.of(),
                Instant.EPOCH,
                null);
    }

    private int rm(@Nullable String answer, String... arguments) {
        var rm = new Rm();
        new CommandLine(rm).parseArgs(arguments);
        return rm.run(context(answer));
    }

    @Test
    void aPersonIsAskedAndAnythingButYesIsNo() {
        for (var no : new String[] {"", "\n", "n\n", "yesterday\n"}) {
            assertThat(rm(no, "demo")).as(no).isEqualTo(CommandFailure.FAILED);
        }
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("remove demo with all 2 versions? [y/N]");
        assertThat(service.requests()).isNotEmpty().containsOnly(GET);
    }

    @Test
    void yesRemovesTheDataset() {
        assertThat(rm(" Y\n", "demo")).isZero();
        assertThat(service.requests()).contains(DELETE);
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("removed demo@v2, demo@v3");
    }

    @Test
    void aScriptIsNotAsked() {
        assertThat(rm(null, "demo")).isZero();
        assertThat(service.requests()).contains(DELETE);
    }

    @Test
    void aNamedVersionIsRemovedWithoutAQuestion() {
        service.on(
                "/v1/datasets/demo/versions/v2", FakeService.bytes(200, Json.bytes(version(2, VersionState.SEALED))));
        assertThat(rm(null, "demo@v2")).isZero();
        assertThat(service.requests()).containsExactly(GET + "/versions/v2", DELETE + "/versions/v2");
    }
}
