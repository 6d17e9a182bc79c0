package io.tarpon.bench;

import io.tarpon.bench.disk.FileTree;
import io.tarpon.bench.disk.WorkFolder;
import io.tarpon.bench.load.HttpConnection;
import io.tarpon.bench.load.Request;
import io.tarpon.cluster.plan.Member;
import io.tarpon.wire.gateway.ShardsDocument;
import io.tarpon.wire.tar.Ustar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A cold epoch from an object store that is far away, read through a gateway that fetches by plan and one that does
/// not.
/// A dataset is cold once, so each run has its own: the same files in another order.
final class ColdEpochRows {
    private static final String SWITCH = "tarpon.gateway.prefetch.plan";
    private static final int MEAN_FILE_BYTES = 100 << 10;
    private static final int SHARDS = 4;
    private static final double MB = 1e6;

    private final Bench bench;
    private final FarLab far;
    private final Member planned;
    private final Member unplanned;

    private ColdEpochRows(Bench bench, FarLab far) {
        this.bench = bench;
        this.far = far;
        this.planned = far.gatewayWith("loader-gateway-plan", Map.of(SWITCH, "true"));
        this.unplanned = far.gatewayWith("loader-gateway-no-plan", Map.of(SWITCH, "false"));
    }

    static List<BenchRow> cold(Bench bench) throws IOException {
        bench.work().requireRoom(bench.settings().quick() ? 2L << 30 : 16L << 30, BenchNames.EPOCH_COLD);
        bench.note(BenchNames.EPOCH_COLD + ": starting a cluster on S3 and making datasets");
        try (var far = FarLab.open(bench, "cold-epoch")) {
            return new ColdEpochRows(bench, far).rows();
        }
    }

    private List<BenchRow> rows() throws IOException {
        var datasets = datasets(2 * bench.settings().rounds() + 2);
        bench.note(BenchNames.EPOCH_COLD + ": reading");
        // The last two warm what is no block: connections, compiled code, the client.
        read(planned, datasets.removeLast());
        read(unplanned, datasets.removeLast());
        var shares = new ArrayList<Double>();
        var outcome = Duel.run(
                bench.settings().rounds(),
                round -> {
                    var before = far.carried();
                    var sample = read(planned, datasets.get(2 * round));
                    shares.add((far.carried() - before) / sample.work());
                    return sample;
                },
                round -> read(unplanned, datasets.get(2 * round + 1)));
        return List.of(
                new Row(BenchNames.EPOCH_COLD, "MB/s", MB, "", 0)
                        .rate(outcome, "the same without prefetch", Goal.atLeast(Goal.Figure.RATIO, 2)),
                BenchRow.of(
                        BenchNames.EPOCH_COLD + "/store-bytes",
                        "read/epoch",
                        Series.median(
                                shares.stream().mapToDouble(Double::doubleValue).toArray()),
                        null,
                        null,
                        null,
                        Goal.atMost(Goal.Figure.TARPON, 1.01)));
    }

    private record Dataset(String name, long epochBytes) {}

    private List<Dataset> datasets(int count) throws IOException {
        long bytes = bench.settings().quick() ? 64L << 20 : 256L << 20;
        var tree = new FileTree((int) (bytes / MEAN_FILE_BYTES), MEAN_FILE_BYTES);
        var folder = bench.work().folder("cold-epoch/tree");
        tree.write(folder);
        var source = Datasets.folder(far.lab(), folder);
        var datasets = new ArrayList<Dataset>();
        for (int number = 0; number < count; number++) {
            var name = "cold-" + number;
            Datasets.ingest(far.lab(), source, name, bytes / SHARDS, tree.files(), number);
            datasets.add(new Dataset(name, epochBytes(name)));
        }
        WorkFolder.delete(folder);
        return datasets;
    }

    private long epochBytes(String dataset) {
        var lab = far.lab();
        return lab.context().gateway(lab.roster()).shards(dataset, "v1", "train").stream()
                        .mapToLong(ShardsDocument.Shard::bytes)
                        .map(shard -> shard - Ustar.END_BYTES)
                        .sum()
                + Ustar.END_BYTES;
    }

    private static Sample read(Member gateway, Dataset dataset) throws IOException {
        var began = System.nanoTime();
        try (var connection = HttpConnection.open(gateway.url())) {
            long bytes =
                    connection.exchange(Request.get(EpochDatasets.nextEpoch(dataset.name()), dataset.epochBytes()));
            return new Sample((double) bytes, (System.nanoTime() - began) / 1e9, 0, 0);
        }
    }
}
