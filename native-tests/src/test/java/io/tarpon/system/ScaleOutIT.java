package io.tarpon.system;

import static org.assertj.core.api.Assertions.assertThat;

import io.tarpon.testkit.Deadline;
import io.tarpon.wire.event.Events;
import io.tarpon.wire.event.TarponEvent.ShardSealed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.utils.Utils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two ingest-fn and two shard-fn work at once; one of each is killed in the middle and another one comes. Each process
/// has two consumers, so with two of a kind each consumer has one of the four partitions of uploads, and three of the
/// twelve of plans.
class ScaleOutIT {
    private static final int CONSUMERS = 4;
    private static final int UPLOAD_PARTITIONS = 4;
    private static final long SHARD_BYTES = 256 << 10;

    /// So few are sealed when a builder is killed that most are not.
    private static final int SEALED_BEFORE = 4;

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    static Path scratch = Path.of("");

    private static Tarpon tarpon = new Tarpon(Path.of(""));
    private static Path folder = Path.of("");
    private static String metadata = "";

    @BeforeAll
    static void start() throws IOException {
        tarpon = new Tarpon(scratch.resolve("home"));
        tarpon.run("up").succeeded();
        metadata = tarpon.url("metadata-svc");
        folder = Folders.plain(scratch.resolve("folder"), 3, 100, 20_000, 21);
        Files.writeString(tarpon.home().resolve("directory-roots"), folder.toRealPath() + "\n");
    }

    @AfterAll
    static void stop() {
        tarpon.close();
    }

    @Test
    void allVersionsSealByThemselvesThoughOneOfEachKindDiesInTheMiddleAndAnotherComes() throws Exception {
        try (var broker = new Broker(tarpon);
                var otherPlanner = another("ingest-fn", 2).start();
                var otherBuilder = another("shard-fn", 2).start()) {
            otherPlanner.ready();
            otherBuilder.ready();
            broker.awaitShares("ingest-fn", "tarpon.uploads", CONSUMERS);
            broker.awaitShares("shard-fn", "tarpon.plans", CONSUMERS);

            var calm = oneOfEachPartition("calm");
            upload(broker, calm);
            awaitSealed(calm);
            for (var planner : List.of(tarpon.url("ingest-fn"), otherPlanner.url())) {
                assertThat(planned(planner)).as("samples planned by " + planner).isPositive();
            }
            for (var builder : List.of(tarpon.url("shard-fn"), otherBuilder.url())) {
                assertThat(built(builder)).as("shards built by " + builder).isPositive();
            }

            long firstBuilder = tarpon.pid("shard-fn");
            var datasets = new ArrayList<>(oneOfEachPartition("first"));
            datasets.addAll(oneOfEachPartition("second"));
            try (var nextPlanner = another("ingest-fn", 3).start()) {
                nextPlanner.ready();
                killAPlannerInTheMiddle(broker, datasets, otherPlanner);
                try (var nextBuilder = killABuilderInTheMiddle(datasets, otherBuilder, firstBuilder)) {
                    awaitSealed(datasets);
                    assertThat(planned(nextPlanner.url()))
                            .as("samples planned by who came")
                            .isPositive();
                    assertThat(built(nextBuilder.url()))
                            .as("shards built by who came")
                            .isPositive();
                }
            }
            datasets.addAll(calm);
            assertNothingIsLostOrTwice(broker, datasets);
        }
    }

    /// The next one is there already: it has no partition as long as each of the others has one. While the store is
    /// away no plan can be written: what is read of a version then is its state at the kill.
    private static void killAPlannerInTheMiddle(Broker broker, List<String> datasets, ServiceProcess victim)
            throws IOException {
        broker.awaitShares("ingest-fn", "tarpon.uploads", CONSUMERS + CONSUMERS / 2);
        var store = tarpon.home().resolve("store");
        var away = Files.move(store, store.resolveSibling("store-away"));
        try {
            upload(broker, datasets);
            Deadline.until(
                    "a plan in work of each partition", () -> inState("planning", datasets) == UPLOAD_PARTITIONS);
            victim.close();
            assertThat(inState("planning", datasets)).as("at the kill").isEqualTo(UPLOAD_PARTITIONS);
            assertThat(inState("", datasets)).as("waiting at the kill").isEqualTo(datasets.size() - UPLOAD_PARTITIONS);
        } finally {
            Files.move(away, store);
        }
    }

    /// While both builders are stopped no shard is sealed: what is read of the versions then is their state at the
    /// kill. The other one goes on once the next is there, so that both find what the dead one left.
    private static ServiceProcess killABuilderInTheMiddle(List<String> datasets, ServiceProcess victim, long other)
            throws IOException {
        Deadline.until(Duration.ofMinutes(1), "some sealed", () -> sum("sealedShards", datasets) >= SEALED_BEFORE);
        Tarpon.signal("STOP", victim.pid());
        Tarpon.signal("STOP", other);
        try {
            int sealed = sum("sealedShards", datasets);
            int left = sum("shards", datasets) - sealed;
            System.out.printf("a builder dies with %d shards sealed and %d planned and left%n", sealed, left);
            assertThat(inState("building", datasets)).as("at the kill").isPositive();
            assertThat(left).as("shards left at the kill").isGreaterThan(SEALED_BEFORE);
            victim.close();
            var next = another("shard-fn", 3).start();
            next.ready();
            return next;
        } finally {
            Tarpon.signal("CONT", other);
        }
    }

    private static void assertNothingIsLostOrTwice(Broker broker, List<String> datasets) throws Exception {
        for (var dataset : datasets) {
            tarpon.run("verify", dataset, "--source").succeeded();
        }
        for (var each : tarpon.run("ls", "--all", "--json").json().get("datasets")) {
            assertThat(each.get("versions")).as(each.get("dataset").asText()).hasSize(1);
        }
        assertThat(broker.records("tarpon.uploads.dlq")).isZero();
        assertThat(broker.records("tarpon.plans.dlq")).isZero();
        int shards = sum("shards", datasets);
        Deadline.until("told of all shards", () -> timesSealed(broker).size() == shards);
        assertThat(timesSealed(broker))
                .allSatisfy((shard, times) -> assertThat(times).as(shard).isEqualTo(1));
    }

    /// How often `tarpon.events` tells of each shard that it is sealed.
    private static Map<String, Integer> timesSealed(Broker broker) throws IOException {
        var times = new TreeMap<String, Integer>();
        for (var value : broker.values("tarpon.events")) {
            if (Events.decode(value).data() instanceof ShardSealed sealed) {
                times.merge(sealed.subject(), 1, Integer::sum);
            }
        }
        return times;
    }

    private static ServiceProcess.Recipe another(String service, int number) throws IOException {
        return ServiceProcess.Recipe.of(tarpon, service).beside(tarpon, service + "-" + number);
    }

    private static void upload(Broker broker, List<String> datasets) throws IOException {
        for (var dataset : datasets) {
            Uploads.put(broker, dataset, folder, SHARD_BYTES);
        }
    }

    /// Names of datasets whose uploads go each to a partition of its own, as Kafka's producers choose it by the key.
    private static List<String> oneOfEachPartition(String prefix) {
        var names = new HashMap<Integer, String>();
        for (int i = 0; names.size() < UPLOAD_PARTITIONS; i++) {
            var name = prefix + "-" + i;
            var hash = Utils.toPositive(Utils.murmur2(name.getBytes(StandardCharsets.UTF_8)));
            names.putIfAbsent(hash % UPLOAD_PARTITIONS, name);
        }
        return List.copyOf(names.values());
    }

    private static void awaitSealed(List<String> datasets) {
        Tarpon.await("sealed " + datasets, PATIENCE, () -> inState("sealed", datasets) == datasets.size());
    }

    /// Asked of metadata-svc itself: the command is a process of its own and would be too late.
    private static int inState(String state, List<String> datasets) {
        return (int) datasets.stream()
                .filter(dataset ->
                        Tarpon.json(versionUrl(dataset)).path("state").asText().equals(state))
                .count();
    }

    private static int sum(String field, List<String> datasets) {
        int sum = 0;
        for (var dataset : datasets) {
            for (var split : Tarpon.json(versionUrl(dataset)).path("splits")) {
                sum += split.get(field).asInt();
            }
        }
        return sum;
    }

    private static String versionUrl(String dataset) {
        return metadata + "/v1/datasets/" + dataset + "/versions/v1";
    }

    private static double planned(String url) {
        return Tarpon.metricAt(url, "tarpon_ingest_planned_samples_total", "");
    }

    private static double built(String url) {
        return Tarpon.metricAt(url, "tarpon_shard_built_total", "result=\"sealed\"");
    }
}
