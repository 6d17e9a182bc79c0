package io.tarpon.bench;

import io.tarpon.bench.load.HttpConnection;
import io.tarpon.bench.load.Load;
import io.tarpon.bench.load.Request;
import io.tarpon.bench.load.TarBlocks;
import io.tarpon.cluster.plan.Member;
import io.tarpon.wire.tar.Ustar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Whole epochs, globally shuffled, by one plain GET each, beside nginx with the same samples in their shards, one
/// after the other. Every request asks for another epoch.
final class EpochRows {
    private final Bench bench;
    private final ReadLab lab;

    EpochRows(Bench bench, ReadLab lab) {
        this.bench = bench;
        this.lab = lab;
    }

    List<BenchRow> large() throws IOException {
        return rows(BenchNames.EPOCH_LARGE, EpochDatasets.LARGE, 2.3);
    }

    List<BenchRow> small() throws IOException {
        return rows(BenchNames.EPOCH_SMALL, EpochDatasets.SMALL, 5.5);
    }

    private List<BenchRow> rows(String name, String dataset, double mostCpu) throws IOException {
        requireAllSamples(dataset);
        var nginx = nginx(dataset);
        var rows = new ArrayList<BenchRow>();
        var hot = lab.allFrom(lab.local(), "local", () -> Loads.duel(bench.settings(), epochs(dataset), nginx));
        var goal = Goal.atMost(Goal.Figure.CPU_RATIO, mostCpu);
        rows.addAll(Row.ofBytes(name).rateAndCosts(hot, nginxName(), goal));
        var first = Duel.run(
                bench.settings().rounds(),
                round -> first(dataset),
                nginx.<Duel.Contender>map(
                                timed -> round -> timed.run(bench.settings().runTime()))
                        .orElse(null));
        rows.addAll(Row.ofBytes(name + "/first").rateAndCosts(first, nginxName(), null));
        return rows;
    }

    private String nginxName() {
        return bench.tools().nginx().as(", sendfile of shards");
    }

    private Loads.Timed epochs(String dataset) {
        var servers = lab.serversBehind(lab.local());
        return Loads.of(lab.local().url(), servers, 1, client -> () -> whole(dataset), Load.Result::bytes);
    }

    private Optional<Loads.Timed> nginx(String dataset) {
        var shards = lab.shards(dataset).stream()
                .map(shard -> Request.get(shard.path(), shard.bytes()))
                .toList();
        return lab.nginxFiles()
                .map(files ->
                        Loads.of(files.url(), List.of(files), 1, client -> Loads.cycle(shards), Load.Result::bytes));
    }

    /// Another epoch than any before.
    private Request whole(String dataset) {
        return Request.get(EpochDatasets.nextEpoch(dataset), length(dataset));
    }

    /// The samples of all shards without the zero blocks at their ends, and two of its own.
    private long length(String dataset) {
        return lab.shards(dataset).stream()
                        .mapToLong(shard -> shard.bytes() - Ustar.END_BYTES)
                        .sum()
                + Ustar.END_BYTES;
    }

    /// A gateway that just started and has its code compiled by another dataset's epochs reads this one's: it opens
    /// every block and checks every CRC.
    private Sample first(String dataset) throws IOException {
        var gateway = lab.freshLocal();
        try {
            Load.run(gateway.url(), 1, bench.settings().warmUp(), client -> () -> whole(EpochDatasets.WARM), () -> {});
            return lab.allFrom(gateway, "local", () -> oneEpoch(gateway, dataset));
        } finally {
            lab.stop(gateway);
        }
    }

    private Sample oneEpoch(Member gateway, String dataset) throws IOException {
        try (var connection = HttpConnection.open(gateway.url())) {
            var window = new CpuWindow(lab.serversBehind(gateway));
            window.begin();
            var began = System.nanoTime();
            long bytes = connection.exchange(whole(dataset));
            return window.end((double) bytes, (System.nanoTime() - began) / 1e9);
        }
    }

    /// Fails unless an epoch has the samples of the shards, each of them and no other.
    private void requireAllSamples(String dataset) throws IOException {
        var ofEpoch = new TarBlocks();
        var ofShards = new TarBlocks();
        try (var connection = HttpConnection.open(lab.local().url())) {
            connection.exchange(whole(dataset), ofEpoch::add);
            for (var shard : lab.shards(dataset)) {
                connection.exchange(Request.get(shard.path(), shard.bytes()), ofShards::add);
            }
        }
        if (ofEpoch.sum() != ofShards.sum()) {
            throw new IOException("an epoch of " + dataset + " has WRONG BYTES");
        }
    }
}
