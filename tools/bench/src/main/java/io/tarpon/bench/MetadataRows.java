package io.tarpon.bench;

import io.tarpon.bench.lab.Etcd;
import io.tarpon.bench.lab.Lab;
import io.tarpon.bench.load.HttpConnection;
import io.tarpon.bench.load.Load;
import io.tarpon.bench.load.Request;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.ClusterShape;
import io.tarpon.cluster.plan.Member;
import io.tarpon.cluster.process.BrokerTool;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetSpec;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Look-ups and commits of metadata-svc, one and 64 in flight, beside etcd. A look-up reads a version, a commit
/// registers another specification of a dataset: an entry of the log, on the disk before the answer; where the log is
/// in Kafka, acknowledged by the one broker, whose CPU counts too, and which leaves the disk to the kernel. Each client
/// has a dataset, or a key, of its own.
final class MetadataRows {
    private static final int MANY = 64;
    private static final int WARM_UP_RUNS = 40;
    /// So many runs in a row that are no faster, by so much, than the best before.
    private static final int STEADY_RUNS = 3;

    private static final double RISING = 1.03;
    private static final int ONE_BY_ONE = 5_000;
    /// Of the entry of such a commit, nearly.
    private static final int ENTRY_BYTES = 512;

    private static final String PADDING = "x".repeat(120);

    private final Bench bench;
    private final Lab lab;
    private final Member metadata;
    /// Whose CPU counts.
    private final List<Member> ours;
    private final Optional<Member> etcd;
    private final String authorization;

    private MetadataRows(Bench bench, Lab lab, Member metadata, List<Member> ours, Optional<Member> etcd) {
        this.ours = ours;
        this.bench = bench;
        this.lab = lab;
        this.metadata = metadata;
        this.etcd = etcd;
        this.authorization = "Authorization: " + lab.context().state().token().headerValue() + "\r\n";
    }

    static List<BenchRow> metadata(Bench bench, Set<String> selected) throws IOException {
        var home = bench.work().folder("metadata");
        bench.note("metadata: starting metadata-svc");
        try (var lab = Lab.open(bench.console(), home.resolve("state"), bench.product())) {
            var plan = lab.plan(false);
            lab.start(plan.member(ClusterPlan.BROKER));
            var metadata = lab.start(plan.member(ClusterPlan.METADATA));
            return new MetadataRows(bench, lab, metadata, List.of(metadata), etcd(bench, lab, home)).rows(selected);
        }
    }

    /// One of several replicas, the others of which do not run.
    static List<BenchRow> sharedLog(Bench bench, Set<String> selected) throws IOException {
        var home = bench.work().folder("metadata-kafka");
        bench.note("metadata: starting metadata-svc over a log in Kafka");
        try (var lab = Lab.open(bench.console(), home.resolve("state"), bench.product())) {
            var plan = lab.plan(false, ClusterShape.USUAL.withMetadataReplicas(2));
            var broker = lab.start(plan.member(ClusterPlan.BROKER));
            var metadata = lab.start(plan.member(ClusterPlan.METADATA));
            var measured = new MetadataRows(bench, lab, metadata, List.of(metadata, broker), etcd(bench, lab, home));
            var rows = new ArrayList<>(measured.rows(selected));
            rows.add(measured.latency());
            return rows;
        }
    }

    private static Optional<Member> etcd(Bench bench, Lab lab, Path home) {
        return bench.tools().etcd().installed().map(program -> Etcd.start(lab, program, home.resolve("etcd")));
    }

    private List<BenchRow> rows(Set<String> selected) throws IOException {
        prepare();
        var rows = new ArrayList<BenchRow>();
        var commits = ours.size() == 1 ? BenchNames.COMMITS : BenchNames.SHARED_COMMITS;
        for (int clients : new int[] {1, MANY}) {
            if (ours.size() == 1 && selected.contains(BenchNames.LOOKUPS)) {
                bench.note(BenchNames.LOOKUPS + ": " + clients + " in flight");
                rows.add(row(
                        BenchNames.LOOKUPS + "/" + clients,
                        clients,
                        MetadataRows::lookups,
                        client -> () -> Etcd.get(key(client)),
                        clients == MANY ? Goal.atLeast(Goal.Figure.TARPON, 20_000) : null));
            }
            if (selected.contains(commits)) {
                var goal = clients == MANY && commits.equals(BenchNames.SHARED_COMMITS)
                        ? Goal.atLeast(Goal.Figure.RATIO, 1)
                        : null;
                bench.note(commits + ": " + clients + " in flight");
                rows.add(row(commits + "/" + clients, clients, this::commits, MetadataRows::puts, goal));
            }
        }
        return rows;
    }

    private BenchRow row(
            String name,
            int clients,
            IntFunction<Supplier<Request>> tarpon,
            IntFunction<Supplier<Request>> reference,
            @Nullable Goal goal)
            throws IOException {
        var theirs = etcd.map(server -> contender(server, List.of(server), clients, reference))
                .orElse(null);
        var outcome = Duel.run(bench.settings().rounds(), contender(metadata, ours, clients, tarpon), theirs);
        return Row.ofRequests(name, "per s").rate(outcome, bench.tools().etcd().as(", JSON over HTTP"), goal);
    }

    /// Half of all commits, one after the other, have their answer in this time; so has half of bare records of such a
    /// size that the same broker acknowledges. Servers are warm from the rows before.
    private BenchRow latency() throws IOException {
        var name = BenchNames.SHARED_COMMITS + "/p50";
        bench.note(name);
        var count = bench.settings().scaled(ONE_BY_ONE);
        var requests = commits(0);
        Times ours;
        try (var connection = HttpConnection.open(metadata.url())) {
            ours = Times.of(count, _ -> {
                var begun = System.nanoTime();
                connection.exchange(requests.get());
                return System.nanoTime() - begun;
            });
        }
        var theirs = new BrokerTool(lab.context().state().paths(), lab.roster())
                .produceTimes("bench.produce", count, ENTRY_BYTES).stream()
                        .mapToLong(Long::longValue)
                        .toArray();
        return BenchRow.of(
                name,
                "ms",
                ours.millis(0.5),
                new Times(theirs).millis(0.5),
                "a record, acks=all",
                null,
                Goal.atMost(Goal.Figure.RATIO, 3));
    }

    private Duel.Contender contender(
            Member server, List<Member> paid, int clients, IntFunction<Supplier<Request>> requests) {
        return round -> {
            if (round == 0) {
                warm(server, paid, requests);
            }
            return run(server, paid, clients, requests, bench.settings().runTime());
        };
    }

    /// Load until a run brings no more than the best before it: a JVM compiles what commits run through for the better
    /// part of a minute, where two processors are all that it and its client have.
    private void warm(Member server, List<Member> paid, IntFunction<Supplier<Request>> requests) throws IOException {
        var best = 0.0;
        var noBetter = 0;
        for (int runs = 0; runs < WARM_UP_RUNS && noBetter < STEADY_RUNS; runs++) {
            var time = bench.settings().warmUp().dividedBy(4);
            var rate = run(server, paid, MANY, requests, time).rate();
            noBetter = rate > best * RISING ? 0 : noBetter + 1;
            best = Math.max(best, rate);
        }
    }

    /// @param paid whose CPU is counted
    private static Sample run(
            Member server, List<Member> paid, int clients, IntFunction<Supplier<Request>> requests, Duration time)
            throws IOException {
        var window = new CpuWindow(paid);
        var result = Load.run(server.url(), clients, time, requests, window::begin);
        return window.end((double) result.requests(), result.seconds());
    }

    /// A version to look up for each client, and a key.
    private void prepare() throws IOException {
        var state = lab.context().state();
        try (var client = new MetadataClient(URI.create(metadata.url()), state.token())) {
            for (int number = 0; number < MANY; number++) {
                client.begin(new DatasetName(key(number)), new BeginVersion(key(number), spec(0)));
            }
        }
        if (etcd.isPresent()) {
            try (var connection = HttpConnection.open(etcd.get().url())) {
                for (int number = 0; number < MANY; number++) {
                    connection.exchange(Etcd.put(key(number), PADDING));
                }
            }
        }
    }

    private static String key(int client) {
        return "bench-" + client;
    }

    private static DatasetSpec spec(long seed) {
        return new DatasetSpec("raw", "none", DatasetSpec.DEFAULT_SHARD_BYTES, 1, seed, 2, false, "allow");
    }

    private static Supplier<Request> lookups(int client) {
        var request = Request.document("/v1/datasets/" + key(client) + "/versions/v1");
        return () -> request;
    }

    /// Each with a seed that the dataset has not had, for what changes nothing is no commit.
    private Supplier<Request> commits(int client) {
        var seed = new long[] {System.nanoTime() & Long.MAX_VALUE};
        return () -> Request.send(
                "PUT", "/v1/datasets/" + key(client), authorization, Json.text(spec(++seed[0] & Long.MAX_VALUE)));
    }

    private static Supplier<Request> puts(int client) {
        var count = new long[] {System.nanoTime()};
        return () -> Etcd.put(key(client), count[0]++ + PADDING);
    }
}
