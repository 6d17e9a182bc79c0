package io.tarpon.ingest;

import io.tarpon.ingest.disk.SpoolArea;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.metadata.DatasetSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/// Plans generated listings of growing size and prints what that took: anew; grown by a tenth, with a few changes; and
/// grown from a parent in which every file is another now. Arguments: counts of objects. Run it with `-Xmx256m`.
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
            var lineage = new Lineage(store, spool, DatasetSpec.of("generated"));
            var first = timed("planned", spool, () -> lineage.anew(GeneratedSource.images(objects), SORT_MEMORY));
            timed("grown", spool, () -> lineage.grow(first, GeneratedSource.grownImages(objects), SORT_MEMORY));
            timed("rebuilt", spool, () -> lineage.grow(first, GeneratedSource.otherImages(objects), SORT_MEMORY));
        }
    }

    private static Lineage.Made timed(String what, SpoolArea spool, Callable<Lineage.Made> planning) throws Exception {
        var peakBytes = new AtomicLong();
        var watcher = Thread.ofVirtual().start(() -> watch(spool, peakBytes));
        long start = System.nanoTime();
        var made = planning.call();
        double seconds = (System.nanoTime() - start) / 1e9;
        watcher.interrupt();
        var plan = made.plan();
        System.out.printf(
                Locale.ROOT,
                "%s objects=%d samples=%d shards=%d kept=%d seconds=%.2f microseconds_per_object=%.2f"
                        + " spool_peak_mib=%d spool_left=%d%n",
                what,
                plan.inputs().found(),
                plan.samples(),
                plan.shards(),
                plan.kept(),
                seconds,
                seconds * 1e6 / plan.inputs().found(),
                peakBytes.get() >> 20,
                spool.usedBytes());
        return made;
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
