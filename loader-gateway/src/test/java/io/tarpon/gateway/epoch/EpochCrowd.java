package io.tarpon.gateway.epoch;

import com.sun.management.OperatingSystemMXBean;
import io.tarpon.gateway.body.Body;
import io.tarpon.gateway.body.Segment;
import io.tarpon.gateway.catalog.Indexes;
import io.tarpon.gateway.catalog.Projection;
import io.tarpon.gateway.catalog.SealedSplit;
import io.tarpon.gateway.catalog.ShardLayouts;
import io.tarpon.gateway.catalog.SplitLayouts;
import io.tarpon.gateway.catalog.SplitShards;
import io.tarpon.gateway.disk.SumsFolder;
import io.tarpon.gateway.disk.UnnamedFiles;
import io.tarpon.gateway.fixture.LargeSplit;
import io.tarpon.gateway.order.Share;
import io.tarpon.gateway.order.Shuffle;
import io.tarpon.gateway.order.Tail;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.http.ProblemType;
import io.tarpon.wire.http.TarponException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/// Opens epochs of one large split at once, of which no bytes are there, and prints what that took in time and heap.
/// Some are whole, each of a seed of its own; the others go on from the middle of one, which needs the sums of all of
/// its samples. All are read for a while and stay open.
///
/// Arguments: a folder, millions of samples, whole epochs, epochs that go on.
public final class EpochCrowd {
    private static final int SHARDS_PER_MILLION = 10;
    private static final int SAMPLES = 100_000;
    private static final int READ = 5_000;
    private static final int LOOKS = 10;
    private static final long LAYOUT_FILES = 4L << 30;
    private static final long PLAN_FILES = 64L << 20;

    private final ExecutorService layoutThread = Executors.newSingleThreadExecutor();
    private final ExecutorService storeThreads = Executors.newFixedThreadPool(8);
    private final ExecutorService planThreads = Executors.newFixedThreadPool(2);
    private final List<Iterator<Segment>> open = new ArrayList<>();
    private final EpochBodies bodies;
    private final SealedSplit split;

    private EpochCrowd(Path folder, DirectoryStore store, LargeSplit large, int shards) throws IOException {
        var heap = Runtime.getRuntime().maxMemory();
        var files = UnnamedFiles.open(folder.resolve("layouts"), LAYOUT_FILES);
        var indexes = new Indexes(store, storeThreads, heap / 20);
        var single = new ShardLayouts(indexes, storeThreads, heap / 10, Optional.of(files));
        var layouts = new SplitLayouts(indexes, single, layoutThread, heap / 5, Optional.of(files));
        var sums = Optional.of(SumsFolder.open(folder.resolve("sums"), PLAN_FILES));
        this.bodies = new EpochBodies(layouts, new EpochPlans(planThreads, heap / 20, sums), planThreads);
        var builder = new SplitShards.Builder(large.version(), large.split(), shards);
        for (int number = 0; number < shards; number++) {
            builder.add(large.shard(number));
        }
        this.split = SealedSplit.of(large.version(), builder.build());
    }

    public static void main(String[] arguments) throws IOException {
        var folder = Path.of(arguments[0]);
        var shards = Integer.parseInt(arguments[1]) * SHARDS_PER_MILLION;
        var whole = Integer.parseInt(arguments[2]);
        var resumed = Integer.parseInt(arguments[3]);
        try (var store = DirectoryStore.open(Files.createDirectories(folder.resolve("store")))) {
            var crowd = new EpochCrowd(folder, store, new LargeSplit(store, "large", shards, SAMPLES), shards);
            crowd.run(whole, resumed);
        }
        System.exit(0);
    }

    private void run(int whole, int resumed) {
        print("samples", split.shards().samples());
        var began = Clock.now();
        var first = body(0, true);
        began = began.print("load");
        read(first, 0);
        for (int seed = 1; seed < whole; seed++) {
            read(body(seed, true), 0);
        }
        began = began.print("whole");
        for (int seed = 0; seed < resumed; seed++) {
            var body = body(-1 - seed, false);
            read(body, body.content().length() / 2);
        }
        began.print("resumed");
        print("peak-heap-kib", peakHeap() >> 10);
        print("heap-kib", usedHeap() >> 10);
        print("open", open.size());
    }

    /// Asks again while the answer is that it is not ready.
    private Body body(int number, boolean fromStart) {
        var share = new Share(0, Share.ALL, Tail.KEEP, 1, 1, 0, 1, 0);
        var ask = new EpochBodies.Ask(number & Integer.MAX_VALUE, 0, share, Shuffle.GLOBAL, Projection.ALL);
        while (true) {
            try {
                return bodies.open(split, ask, fromStart).join();
            } catch (CompletionException e) {
                if (!(e.getCause() instanceof TarponException problem) || problem.type() != ProblemType.NOT_READY) {
                    throw e;
                }
            }
        }
    }

    private void read(Body body, long from) {
        var segments = body.content().open(from, body.content().length()).join();
        for (int i = 0; i < READ; i++) {
            if (segments.next().length() < 1) {
                throw new IllegalStateException("an empty segment");
            }
        }
        open.add(segments);
    }

    /// The least of a second's looks: other threads may still be ending what they did for the epochs.
    private static long usedHeap() {
        var least = Long.MAX_VALUE;
        for (int look = 0; look < LOOKS; look++) {
            System.gc();
            least = Math.min(
                    least,
                    ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
            LockSupport.parkNanos(1_000_000_000 / LOOKS);
        }
        return least;
    }

    /// The most that was found in use after a collection of the old generation.
    private static long peakHeap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(MemoryPoolMXBean::isCollectionUsageThresholdSupported)
                .mapToLong(pool -> pool.getPeakUsage().getUsed())
                .sum();
    }

    /// Time that passes, and time of processors that this process takes.
    private record Clock(long wall, long processors) {
        static Clock now() {
            var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            return new Clock(System.nanoTime(), system.getProcessCpuTime());
        }

        Clock print(String what) {
            var now = now();
            EpochCrowd.print(what + "-ms", (now.wall - wall) / 1_000_000);
            EpochCrowd.print(what + "-cpu-ms", (now.processors - processors) / 1_000_000);
            return now;
        }
    }

    private static void print(String what, long value) {
        System.out.printf(Locale.ROOT, "%s=%d%n", what, value);
    }
}
