package io.tarpon.bench;

import io.tarpon.bench.lab.Etcd;
import io.tarpon.bench.lab.Lab;
import io.tarpon.bench.load.Load;
import io.tarpon.bench.load.Request;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Member;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetSpec;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/// Look-ups and commits of metadata-svc, one and 64 in flight, beside etcd. A look-up reads a version, a commit
/// registers another specification of a dataset: an entry of the log, on the disk before the answer. Each
/// client has a dataset, or a key, of its own.
final class MetadataRows {
    private static final int MANY = 64;
    private static final String PADDING = "x".repeat(120);

    private final Bench bench;
    private final Lab lab;
    private final Member metadata;
    private final Optional<Member> etcd;
    private final String authorization;

    private MetadataRows(Bench bench, Lab lab, Member metadata, Optional<Member> etcd) {
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
            var etcd = bench.tools().etcd().installed().map(program -> Etcd.start(lab, program, home.resolve("etcd")));
            return new MetadataRows(bench, lab, metadata, etcd).rows(selected);
        }
    }

    private List<BenchRow> rows(Set<String> selected) throws IOException {
        prepare();
        var rows = new ArrayList<BenchRow>();
        for (int clients : new int[] {1, MANY}) {
            if (selected.contains(BenchNames.LOOKUPS)) {
                bench.note(BenchNames.LOOKUPS + ": " + clients + " in flight");
                rows.add(row(
                        BenchNames.LOOKUPS + "/" + clients,
                        clients,
                        MetadataRows::lookups,
                        client -> () -> Etcd.get(key(client))));
            }
            if (selected.contains(BenchNames.COMMITS)) {
                bench.note(BenchNames.COMMITS + ": " + clients + " in flight");
                rows.add(row(BenchNames.COMMITS + "/" + clients, clients, this::commits, MetadataRows::puts));
            }
        }
        return rows;
    }

    private BenchRow row(
            String name, int clients, IntFunction<Supplier<Request>> tarpon, IntFunction<Supplier<Request>> reference)
            throws IOException {
        var theirs = etcd.map(server -> contender(server, clients, reference)).orElse(null);
        var outcome = Duel.run(bench.settings().rounds(), contender(metadata, clients, tarpon), theirs);
        return Row.ofRequests(name, "per s").rate(outcome, bench.tools().etcd().as(", JSON over HTTP"), null);
    }

    private Duel.Contender contender(Member server, int clients, IntFunction<Supplier<Request>> requests) {
        return round -> {
            if (round == 0) {
                run(server, clients, requests, bench.settings().warmUp().dividedBy(2));
            }
            return run(server, clients, requests, bench.settings().runTime());
        };
    }

    private static Sample run(Member server, int clients, IntFunction<Supplier<Request>> requests, Duration time)
            throws IOException {
        var window = new CpuWindow(List.of(server));
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
            try (var connection =
                    io.tarpon.bench.load.HttpConnection.open(etcd.get().url())) {
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
