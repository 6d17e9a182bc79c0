package io.tarpon.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import io.tarpon.cluster.client.Http;
import io.tarpon.cluster.console.Console;
import io.tarpon.cluster.disk.ProcessFacts;
import io.tarpon.cluster.disk.StateFolder;
import io.tarpon.cluster.plan.ClusterPaths;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.ClusterStatus;
import io.tarpon.cluster.plan.Layout;
import io.tarpon.cluster.plan.LinkChange;
import io.tarpon.cluster.plan.LogPlace;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.plan.Roster;
import io.tarpon.cluster.plan.StoreKind;
import io.tarpon.cluster.process.Processes;
import io.tarpon.testkit.FakeService;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.NodeList;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The cluster's life with processes that only sleep, beside a service that answers for them.
class LocalClusterTest {
    private static final List<String> SLEEP = List.of("sleep", "600");

    private final Path scratch;
    private final FakeService service;
    private final Processes processes = new Processes(ProcessFacts.detacher());
    private final StateFolder state;
    private final LocalCluster cluster;

    LocalClusterTest(@TempDir Path scratch) throws IOException {
        this.scratch = scratch;
        var paths = new ClusterPaths(scratch.resolve("state"), scratch);
        state = StateFolder.open(paths);
        state.createFolders(ClusterPlan.folders(paths));
        cluster = cluster();
        service = new FakeService()
                .on("/q/health/ready", FakeService.text(200, "UP"))
                .on("/v1/nodes", FakeService.bytes(200, Json.bytes(new NodeList(1, List.of()))));
    }

    private LocalCluster cluster() {
        var silent = new PrintStream(OutputStream.nullOutputStream());
        return new LocalCluster(state, processes, new Http(), new Console(silent, silent, false, true));
    }

    @AfterEach
    void stop() {
        cluster.down();
        service.close();
    }

    /// All processes of a cluster, each asleep, written to the roster as `up` would.
    private Roster startAll() {
        var members = new ArrayList<Member>();
        for (var name : ClusterPlan.names(ClusterShape.USUAL)) {
            var url = name.equals(ClusterPlan.BROKER) ? service.url().substring("http://".length()) : service.url();
            members.add(processes.start(Member.of(name, url, SLEEP, Map.of()), state.freshOutput(name)));
            state.write(new Roster(members));
        }
        return new Roster(members);
    }

    private static void kill(Member member) {
        var handle = ProcessHandle.of(member.pid()).orElseThrow();
        handle.destroyForcibly();
        handle.onExit().join();
    }

    private static String stateOf(ClusterStatus status, String name) {
        return status.processes().stream()
                .filter(process -> process.name().equals(name))
                .findFirst()
                .orElseThrow()
                .state();
    }

    @Test
    void aDeadProcessIsShownAsExitedAndTheClusterAsDegraded() {
        var roster = startAll();
        assertThat(cluster.status().state()).isEqualTo("up");
        kill(roster.member("block-svc-2"));
        var status = cluster.status();
        assertThat(status.state()).isEqualTo("degraded");
        assertThat(stateOf(status, "block-svc-2")).isEqualTo("exited");
        assertThat(stateOf(status, "block-svc-1")).isEqualTo("up");
        assertThat(cluster.isRunning()).isTrue();
    }

    @Test
    void aProcessThatRunsButDoesNotAnswerIsStarting() {
        startAll();
        service.on("/q/health/ready", FakeService.text(503, "DOWN"));
        var status = cluster.status();
        assertThat(status.state()).isEqualTo("degraded");
        assertThat(stateOf(status, "shard-fn")).isEqualTo("starting");
        assertThat(stateOf(status, "kafka")).isEqualTo("up");
    }

    @Test
    void statusHasTheContractedShape() throws IOException {
        startAll();
        var json = Json.MAPPER.readTree(Json.bytes(cluster.status()));
        assertThat(names(json)).containsExactly("state", "gateway", "processes", "nodes");
        assertThat(names(json.get("processes").get(0)))
                .containsExactly("name", "pid", "url", "state", "form", "rssBytes");
        var node = Json.MAPPER.readTree(Json.bytes(new ClusterStatus.Node("node-1", "node-1", "zone-1", "up", 1, 2)));
        assertThat(names(node)).containsExactly("id", "host", "zone", "state", "blocks", "bytes");
        assertThat(json.get("processes").get(0).get("rssBytes").asLong()).isPositive();
    }

    private static List<String> names(JsonNode node) {
        var names = new ArrayList<String>();
        node.fieldNames().forEachRemaining(names::add);
        return names;
    }

    @Test
    void downStopsEveryProcessAndASecondDownFindsNothing() {
        var roster = startAll();
        assertThat(cluster.down())
                .isEqualTo(ClusterPlan.names(ClusterShape.USUAL).size());
        assertThat(roster.members()).noneMatch(processes::isAlive);
        assertThat(cluster.down()).isZero();
        assertThat(cluster.status()).isEqualTo(ClusterStatus.down());
    }

    @Test
    void aPausedProcessIsStoppedToo() {
        var roster = startAll();
        cluster.pause("block-svc-1");
        cluster.pause("kafka");
        assertThat(cluster.ended()).isEmpty();
        var started = Instant.now();
        assertThat(cluster.down()).isEqualTo(roster.members().size());
        assertThat(roster.members()).noneMatch(processes::isAlive);
        assertThat(Duration.between(started, Instant.now())).isLessThan(Duration.ofSeconds(20));
    }

    @Test
    void aPausedProcessGoesOnWhereItWas() throws IOException {
        var roster = startAll();
        var pid = roster.member("shard-fn").pid();
        cluster.pause("shard-fn");
        awaitState(pid, true);
        cluster.resume("shard-fn");
        awaitState(pid, false);
        assertThat(processes.isAlive(roster.member("shard-fn"))).isTrue();
    }

    private static void awaitState(long pid, boolean paused) {
        var deadline = Instant.now().plusSeconds(20);
        while (ProcessFacts.isPaused(pid) != paused) {
            assertThat(Instant.now()).isBefore(deadline);
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void aKilledProcessIsAmongThoseThatEndedUntilItIsStartedAgain() {
        var roster = startAll();
        cluster.kill("metadata-svc");
        var deadline = Instant.now().plusSeconds(20);
        while (processes.isAlive(roster.member("metadata-svc"))) {
            assertThat(Instant.now()).isBefore(deadline);
            java.util.concurrent.locks.LockSupport.parkNanos(5_000_000);
        }
        assertThat(cluster.ended()).containsExactly("metadata-svc");
        assertThat(cluster.restart("metadata-svc").killed()).isFalse();
        assertThat(cluster.ended()).isEmpty();
    }

    @Test
    void anotherStoreThanTheChosenOneIsRefusedBeforeAnythingStarts() {
        state.choose(ClusterShape.USUAL);
        assertThat(catchThrowableOfType(
                        CommandFailure.class, () -> cluster.up(ClusterShape.USUAL.withStore(StoreKind.S3))))
                .hasMessageContaining("--store s3");
        assertThat(cluster.isRunning()).isFalse();
        assertThat(state.roster()).isEmpty();
    }

    @Test
    void anotherNumberOfReplicasThanRunIsRefusedAndNothingIsChosen() {
        startAll();
        assertThat(catchThrowableOfType(
                        CommandFailure.class, () -> cluster.up(ClusterShape.USUAL.withMetadataReplicas(3))))
                .hasMessage("this cluster runs with --metadata-replicas 1, not 3");
        assertThat(state.metadataReplicas()).isEqualTo(1);
        assertThat(cluster.ended()).isEmpty();
    }

    @Test
    void anotherLayoutThanRunsIsRefusedAndNothingIsChosen() {
        startAll();
        var wanted = ClusterShape.USUAL.withLayout(Layout.USUAL.withNodes(5).withNetns(true));
        assertThat(catchThrowableOfType(CommandFailure.class, () -> cluster.up(wanted)))
                .hasMessage("this cluster runs with --nodes 3 --gateways 1 --no-netns, not --nodes 5 --gateways 1"
                        + " --netns");
        assertThat(state.shape().layout()).isEqualTo(Layout.USUAL);
        assertThat(cluster.ended()).isEmpty();
    }

    @Test
    void onLoopbackNoProcessHasALinkToTakeDown() {
        startAll();
        assertThat(catchThrowableOfType(
                        CommandFailure.class, () -> cluster.change(new LinkChange.Down(), List.of("block-svc-1"))))
                .hasMessageContaining("have no links");
        assertThat(catchThrowableOfType(
                                CommandFailure.class,
                                () -> cluster.change(new LinkChange.Down(), List.of("block-svc-9")))
                        .exitCode())
                .isEqualTo(CommandFailure.USAGE);
    }

    /// With a metadata-svc that sleeps as a service, and ends as a job.
    private Roster startAllWith(String job) {
        var roster = startAll();
        var script = "case \"$*\" in *' move '*) " + job + ";; *) exec sleep 600;; esac";
        var command = List.of("sh", "-c", script, "-Dtarpon.metadata.dir=/x");
        var sleeping = roster.member("metadata-svc");
        processes.stop(sleeping, Duration.ZERO);
        var replica = processes.start(
                Member.of("metadata-svc", service.url(), command, Map.of()), state.freshOutput("metadata-svc"));
        var changed = roster.with(replica);
        state.choose(ClusterShape.USUAL);
        state.write(changed);
        return changed;
    }

    @Test
    void aJobRunsWhileNoReplicaDoesAndTheOthersStay() {
        var before = startAllWith(
                "echo copied done=2 total=7;" + " echo moved log=kafka revision=7 begin=1 copied=6 bytes=99");
        var result =
                cluster.run("moving", List.of("move", "kafka"), state.shape().withLog(LogPlace.KAFKA));
        assertThat(result.numbers()).isEqualTo(Map.of("revision", 7L, "begin", 1L, "copied", 6L, "bytes", 99L));
        assertThat(state.shape().log()).isEqualTo(LogPlace.KAFKA);
        var after = cluster.running();
        assertThat(after.member("metadata-svc").pid())
                .isNotEqualTo(before.member("metadata-svc").pid());
        assertThat(after.member("metadata-svc").command()).contains("-Dtarpon.metadata.log=kafka");
        assertThat(after.members().stream().filter(member -> !member.isMetadata()))
                .containsExactlyElementsOf(before.members().stream()
                        .filter(member -> !member.isMetadata())
                        .toList());
        assertThat(cluster.ended()).isEmpty();
    }

    @Test
    void aJobThatFailsLeavesTheClusterAsItWas() {
        startAllWith("echo metadata-svc: topic t is of another log; exit 1");
        var failure = catchThrowableOfType(
                CommandFailure.class,
                () -> cluster.run(
                        "moving", List.of("move", "kafka"), state.shape().withLog(LogPlace.KAFKA)));
        assertThat(failure).hasMessage("topic t is of another log");
        assertThat(state.shape()).isEqualTo(ClusterShape.USUAL);
        assertThat(cluster.ended()).isEmpty();
        assertThat(cluster.running().member("metadata-svc").command()).doesNotContain("-Dtarpon.metadata.log=kafka");
    }

    @Test
    void aJobThatIsAloneNeedsAClusterThatIsDown() {
        startAll();
        assertThat(catchThrowableOfType(
                        CommandFailure.class,
                        () -> cluster.runAlone("restoring", List.of("restore", "/x"), state.shape())))
                .hasMessageContaining("this cluster runs");
    }

    @Test
    void aJobNeedsTheBroker() {
        var roster = startAllWith("exit 9");
        kill(roster.member(ClusterPlan.BROKER));
        assertThat(catchThrowableOfType(
                        CommandFailure.class,
                        () -> cluster.run(
                                "moving",
                                List.of("move", "kafka"),
                                state.shape().withLog(LogPlace.KAFKA))))
                .hasMessageContaining("the broker of this cluster does not run");
        assertThat(cluster.running().member("metadata-svc")).isEqualTo(roster.member("metadata-svc"));
    }

    @Test
    void whereNothingRunsItSaysSoWithExitCodeThree() {
        assertThat(catchThrowableOfType(CommandFailure.class, cluster::running).exitCode())
                .isEqualTo(CommandFailure.NOT_RUNNING);
        assertThat(catchThrowableOfType(CommandFailure.class, () -> cluster.restart("kafka"))
                        .exitCode())
                .isEqualTo(CommandFailure.NOT_RUNNING);
    }

    @Test
    void aRosterFromBeforeARebootIsNoCluster() {
        var self = ProcessHandle.current();
        state.write(new Roster(
                List.of(Member.of("kafka", "127.0.0.1:1", SLEEP, Map.of()).startedAs(self.pid(), 1_000_000_000_000L))));
        assertThat(cluster.isRunning()).isFalse();
        assertThat(cluster.status().state()).isEqualTo("down");
        assertThat(cluster.down()).isZero();
        assertThat(self.isAlive()).isTrue();
    }

    @Test
    void restartGivesADeadProcessANewPidAndLeavesTheOthers() {
        var roster = startAll();
        kill(roster.member("ingest-fn"));
        var restarted = cluster.restart("ingest-fn").member();
        assertThat(restarted.pid()).isNotEqualTo(roster.member("ingest-fn").pid());
        assertThat(cluster.status().state()).isEqualTo("up");
        assertThat(cluster.running()).isEqualTo(roster.with(restarted));
    }

    @Test
    void whatRanBeforeNeedNotBeReadyForUp() {
        var roster = startAll();
        service.on("/q/health/ready", FakeService.text(503, "waits for a source"))
                .on("/q/health/live", FakeService.text(200, "UP"));
        assertThat(cluster.up()).isEqualTo(roster);
        assertThat(service.requests()).doesNotContain("GET /q/health/ready");
    }

    @Test
    void whatUpStartsIsWaitedForUntilItIsReady() {
        var roster = startAll();
        kill(roster.member("shard-fn"));
        service.on("/q/health/ready", FakeService.text(503, "DOWN"), FakeService.text(200, "UP"))
                .on("/q/health/live", FakeService.text(200, "UP"));
        var pid = cluster.up().member("shard-fn").pid();
        assertThat(pid).isNotEqualTo(roster.member("shard-fn").pid());
        assertThat(service.requests().stream().filter("GET /q/health/ready"::equals))
                .hasSize(2);
    }

    @Test
    void restartOfTheOnlyProcessThatRunsLosesNone() {
        var roster = startAll();
        roster.members().stream()
                .filter(member -> !member.name().equals("kafka"))
                .forEach(LocalClusterTest::kill);
        var restarted = cluster.restart("kafka").member();
        assertThat(cluster.running().member("kafka")).isEqualTo(restarted);
    }

    @Test
    void restartOfAnUnknownNameIsWrongUseAndStopsNothing() {
        var roster = startAll();
        var failure = catchThrowableOfType(CommandFailure.class, () -> cluster.restart("block-svc-9"));
        assertThat(failure.exitCode()).isEqualTo(CommandFailure.USAGE);
        assertThat(roster.members()).allMatch(processes::isAlive);
    }

    @Test
    void aProcessThatEndsWhileStartingIsSaidWithItsLastWords() throws IOException {
        var roster = startAll();
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        state.write(roster.with(new Member(
                "shard-fn",
                "http://127.0.0.1:" + port,
                List.of("bash", "-c", "echo; echo the disk is on fire; exit 1"),
                Map.of(),
                "jvm",
                roster.member("shard-fn").pid(),
                roster.member("shard-fn").startedMillis())));
        var failure = catchThrowableOfType(CommandFailure.class, () -> cluster.restart("shard-fn"));
        assertThat(failure).hasMessage("shard-fn ended while starting: the disk is on fire");
        assertThat(failure.next()).contains("./tarpon logs shard-fn");
        assertThat(stateOf(cluster.status(), "shard-fn")).isEqualTo("exited");
    }

    @Test
    void aPortThatAnotherProgramTookIsSaid() {
        var roster = startAll();
        service.on("/q/health/ready", FakeService.text(503, "not one of ours"));
        var member = roster.member("shard-fn");
        state.write(roster.with(new Member(
                "shard-fn", member.url(), List.of("false"), Map.of(), "jvm", member.pid(), member.startedMillis())));
        var failure = catchThrowableOfType(CommandFailure.class, () -> cluster.restart("shard-fn"));
        assertThat(failure).hasMessageContaining("another program has taken its port " + member.port());
        assertThat(failure.next()).contains("./tarpon down");
    }

    @Test
    void aPathThatCannotBeUsedIsRefusedBeforeAnythingStarts() throws IOException {
        var odd = StateFolder.open(new ClusterPaths(scratch.resolve("a,b"), scratch));
        var silent = new PrintStream(OutputStream.nullOutputStream());
        var refused = new LocalCluster(odd, processes, new Http(), new Console(silent, silent, false, true));
        assertThat(catchThrowableOfType(CommandFailure.class, refused::up)).hasMessageContaining("a,b");
        try (var files = Files.list(odd.paths().state())) {
            assertThat(files.map(file -> file.getFileName().toString())).containsExactly("format");
        }
    }
}
