package io.tarpon.ingest;

import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.metadata.DatasetSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Plans generated listings of growing size and prints what that took. Arguments: counts of objects. Run it with
/// `-Xmx256m`.
final class PlanScale {
    private static final long SORT_MEMORY = 48 << 20;

    private PlanScale() {}

    public static void main(String[] args) throws Exception {
        System.out.printf(
                Locale.ROOT,
                "machine: %d processors, java %s, heap %d MiB%n",
                Runtime.getRuntime().availableProcessors(),
                Runtime.version(),
                Runtime.getRuntime().maxMemory() >> 20);
        for (var count : args) {
            var folder = Files.createTempDirectory("plan-scale");
            try {
                measure(Long.parseLong(count), folder);
            } finally {
                delete(folder);
            }
        }
    }

    private static void measure(long objects, Path folder) throws Exception {
        var spool = new SpoolArea(folder.resolve("spool"), 8L << 30);
        try (var store = DirectoryStore.open(folder.resolve("store"))) {
            var peakBytes = new AtomicLong();
            var watcher = Thread.ofVirtual().start(() -> watch(spool, peakBytes));
            long start = System.nanoTime();
            var plan = new PlanFreezing(store, spool, SORT_MEMORY, 50_000)
                    .freeze(
                            GeneratedSource.images(objects),
                            new DatasetName("scale"),
                            new VersionId(1),
                            DatasetSpec.of("generated"));
            double seconds = (System.nanoTime() - start) / 1e9;
            watcher.interrupt();
            System.out.printf(
                    Locale.ROOT,
                    "planned objects=%d samples=%d shards=%d seconds=%.2f microseconds_per_object=%.2f spool_peak_mib=%d spool_left=%d%n",
                    plan.inputs().found(),
                    plan.samples(),
                    plan.shards(),
                    seconds,
                    seconds * 1e6 / objects,
                    peakBytes.get() >> 20,
                    spool.usedBytes());
        }
    }

    private static void watch(SpoolArea spool, AtomicLong peakBytes) {
        while (!Thread.currentThread().isInterrupted()) {
            peakBytes.accumulateAndGet(spool.usedBytes(), Math::max);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static void delete(Path folder) throws Exception {
        try (var paths = Files.walk(folder)) {
            for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
