package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// A cluster of which each process has a network namespace and a link of its own: fifty streams go on, every byte
/// right, while each service is restarted and while a node cannot be reached. What counts as an error of a stream is
/// said by [VerifiedStreams]. Minutes, so `-Dnightly`; `-Dpartition.seconds` for shorter or longer partitions than the
/// issue's.
@EnabledIfSystemProperty(named = "nightly", matches = ".*", disabledReason = "minutes, see -Dnightly")
@EnabledIf(
        value = "io.tarpon.system.NetnsIT#namespacesAreToBeHad",
        disabledReason = "network namespaces need Linux, root and iproute2")
class NetnsIT {
    private static final Pattern ID = Pattern.compile("/run/netns/tarpon-([0-9a-f]{8})-");
    private static final int NODES = 3;
    private static final int STREAMS = 50;
    private static final long BYTES_PER_SECOND = 512 << 10;
    private static final String NODE = "block-svc-2";

    /// Longer than the 5 s that the gateway waits for a node, and than those after which metadata-svc misses one.
    private static final Duration PARTITION = Duration.ofSeconds(Long.getLong("partition.seconds", 30));

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));
    private static List<URI> gateways = List.of();
    private static String node = "";
    private static String id = "";
    private static List<VerifiedStreams.Shard> shards = List.of();

    static boolean namespacesAreToBeHad() throws IOException, InterruptedException {
        try {
            return exit("unshare", "--net", "true") == 0 && exit("ip", "-V") == 0 && exit("nsenter", "-V") == 0;
        } catch (IOException e) {
            return false;
        }
    }

    private static int exit(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor();
    }

    @BeforeAll
    static void start() throws IOException {
        tarpon = new Tarpon(scratch.resolve("home"));
        tarpon.run("up", "--netns", "--nodes", Integer.toString(NODES), "--gateways", "2")
                .succeeded();
        var folder = Folders.plain(scratch.resolve("folder"), 5, 130, 60_000, 7);
        tarpon.run("ingest", folder.toString(), "--dataset", "linked", "--shard-size", "4MiB")
                .succeeded();
        gateways = List.of(URI.create(tarpon.url("loader-gateway")), URI.create(tarpon.url("loader-gateway-2")));
        node = tarpon.url(NODE);
        var name = ID.matcher(Files.readString(tarpon.home().resolve("cluster.json")));
        assertThat(name.find()).isTrue();
        id = name.group(1);
        shards = VerifiedStreams.Shard.of(tarpon, "linked");
        assertThat(shards).hasSizeGreaterThan(5);
    }

    @AfterAll
    static void stop() throws IOException {
        var before = id.isEmpty() ? List.of() : interfaces();
        tarpon.close();
        assertThat(before).as("a bridge and a link for each of 9 processes").hasSize(10);
        assertThat(interfaces()).as("what 'down' leaves").isEmpty();
    }

    /// The bridge and the links' ends on this machine.
    private static List<String> interfaces() throws IOException {
        try (var all = Files.list(Path.of("/sys/class/net"))) {
            return all.map(each -> each.getFileName().toString())
                    .filter(name -> name.startsWith("tp" + id))
                    .toList();
        }
    }

    @Test
    void everyServiceIsRestartedUnderFiftyStreams() {
        try (var streams = streams()) {
            for (var name : names()) {
                tarpon.run("restart", name).succeeded();
                awaitWhole();
                further(streams);
            }
            assertNothingWrong("every process restarted in turn", streams);
        }
    }

    @Test
    void aNodeThatNoGatewayReachesIsReadAround() {
        cut(
                "a node apart from both gateways",
                () -> {
                    assertThat(reached()).containsExactly("block-svc-1", "block-svc-3");
                    last(PARTITION);
                    assertThat(nodes()).as("nodes that are up").hasSize(NODES);
                },
                "apart",
                "loader-gateway",
                "loader-gateway-2",
                NODE);
    }

    @Test
    void aNodeThatNobodyReachesIsReadAround() {
        cut(
                "the link of a node down",
                () -> {
                    assertThat(reached()).isEmpty();
                    last(PARTITION);
                    assertThat(nodes()).as("nodes that are up").containsExactly("node-1", "node-3");
                },
                "down",
                NODE);
    }

    /// Those of whose namespaces there is a way to the node.
    private static List<String> reached() {
        return List.of("block-svc-1", "block-svc-3", "loader-gateway", "loader-gateway-2").stream()
                .filter(NetnsIT::reaches)
                .toList();
    }

    private static boolean reaches(String from) {
        var to = URI.create(node);
        var connect = "exec 3<>/dev/tcp/" + to.getHost() + "/" + to.getPort();
        try {
            return exit("nsenter", "--net=/run/netns/tarpon-" + id + "-" + from, "timeout", "3", "bash", "-c", connect)
                    == 0;
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// @param meanwhile lasts as long as the links are changed
    private static void cut(String what, Runnable meanwhile, String change, String... names) {
        try (var streams = streams()) {
            var before = readsOfNode();
            Deadline.until("reads of " + NODE, () -> readsOfNode() > before);
            link(change, names);
            try {
                meanwhile.run();
                further(streams);
            } finally {
                link("up", names);
            }
            awaitWhole();
            var after = readsOfNode();
            // The gateways leave a node alone for a while that did not answer.
            Deadline.until(Duration.ofMinutes(2), "reads of " + NODE + " again", () -> readsOfNode() > after);
            assertNothingWrong(what + " for " + PARTITION.toSeconds() + " s", streams);
        }
    }

    private static void link(String change, String... names) {
        var words = new ArrayList<>(List.of("link", change));
        words.addAll(List.of(names));
        tarpon.run(words.toArray(String[]::new)).succeeded();
    }

    private static double readsOfNode() {
        return Tarpon.metricAt(node, "tarpon_block_reads_total", "");
    }

    private static VerifiedStreams streams() {
        var streams = new VerifiedStreams(gateways, shards, STREAMS, BYTES_PER_SECOND);
        further(streams);
        return streams;
    }

    /// Waits until as many reads as there are streams came to their end.
    private static void further(VerifiedStreams streams) {
        var before = streams.reads();
        Deadline.until(Duration.ofMinutes(1), "reads: " + streams, () -> streams.reads() >= before + STREAMS);
    }

    private static void awaitWhole() {
        Tarpon.await(
                "every process and node up",
                () -> tarpon.status().get("state").asText().equals("up") && nodes().size() == NODES);
    }

    /// Those that metadata-svc has as up.
    private static List<String> nodes() {
        var nodes = new ArrayList<String>();
        for (var each : tarpon.status().get("nodes")) {
            if (each.get("state").asText().equals("up")) {
                nodes.add(each.get("id").asText());
            }
        }
        return nodes;
    }

    private static List<String> names() {
        var names = new ArrayList<String>();
        tarpon.status()
                .get("processes")
                .forEach(process -> names.add(process.get("name").asText()));
        return names;
    }

    private static void assertNothingWrong(String trouble, VerifiedStreams streams) {
        System.out.println(trouble + ": " + streams);
        assertThat(streams.errors()).isEmpty();
    }

    /// How long it lasts is what is tested.
    private static void last(Duration time) {
        Deadline.always(time, "time", () -> true);
    }
}
