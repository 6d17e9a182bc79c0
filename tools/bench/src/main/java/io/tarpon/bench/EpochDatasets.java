package io.tarpon.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;

/// Datasets that the rows of epochs and batches read, and the URLs of their epochs.
final class EpochDatasets {
    static final String LARGE = "mean-100k";
    static final String SMALL = "mean-10k";

    /// As many samples as are cheap to make.
    static final String MANY = "many";

    /// Of no row: read until a new gateway's code is compiled.
    static final String WARM = "warm";

    /// Of `SMALL`, in a run that is not quick.
    static final int SMALL_SAMPLES = 100_000;

    private static final long SEED = 7;
    private static final AtomicLong NEXT_EPOCH = new AtomicLong();

    private EpochDatasets() {}

    /// Those which the selected benchmarks need.
    static List<LabDataset> of(BenchSettings settings, Set<String> selected) {
        var shardBytes = LabDataset.shardBytes(settings);
        var datasets = new ArrayList<LabDataset>();
        if (selected.contains(BenchNames.EPOCH_LARGE)) {
            datasets.add(new LabDataset(LARGE, settings.scaled(10_000), 100 << 10, shardBytes, true));
        }
        var ofBatches = selected.contains(BenchNames.BATCH_ORDERED) || selected.contains(BenchNames.BATCH_LINK);
        if (selected.contains(BenchNames.EPOCH_SMALL) || ofBatches) {
            datasets.add(new LabDataset(SMALL, settings.scaled(SMALL_SAMPLES), 10 << 10, shardBytes, true));
        }
        if (selected.contains(BenchNames.FIRST_BYTE) || selected.contains(BenchNames.RESUME)) {
            datasets.add(new LabDataset(MANY, manySamples(settings), 1 << 10, shardBytes, false));
        }
        datasets.add(new LabDataset(WARM, 500, 20 << 10, shardBytes, false));
        return datasets;
    }

    static int manySamples(BenchSettings settings) {
        return settings.scaled(250_000);
    }

    /// The whole epoch for one rank, by the default shuffle.
    static String epoch(String dataset, long epoch) {
        return "/e/" + dataset + "/v1/train/" + SEED + "/" + epoch + "/0of1.tar";
    }

    /// An epoch that this process has not asked for yet.
    static String nextEpoch(String dataset) {
        return epoch(dataset, NEXT_EPOCH.incrementAndGet());
    }
}
