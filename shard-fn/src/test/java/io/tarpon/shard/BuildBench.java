package io.tarpon.shard;

import com.sun.management.OperatingSystemMXBean;
import io.tarpon.shard.assembly.AssemblyLimits;
import io.tarpon.shard.assembly.ShardAssembly;
import io.tarpon.store.directory.DirectorySource;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/// `BuildBench FOLDER [files] [rounds]`: 50,000 files of mean 20 KiB in page cache, `tar -cf` and this service's build
/// in turn; prints the ratio of their times.
/// The build is the whole of it but Kafka: plans read and checked, shards of 256 MiB, digests, index, fsync, seal over
/// HTTP.
public final class BuildBench {
    private static final int MEAN_BYTES = 20 << 10;
    private static final long SHARD_BYTES = 256L << 20;
    private final Path folder;
    private final Path tree;
    private final OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private BuildBench(Path folder) {
        this.folder = folder;
        this.tree = folder.resolve("tree");
    }

    public static void main(String[] args) throws Exception {
        var bench = new BuildBench(Path.of(args[0]).toAbsolutePath());
        int files = args.length > 1 ? Integer.parseInt(args[1]) : 50_000;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        bench.makeTree(files);
        bench.run(rounds);
    }

    private void makeTree(int files) throws IOException {
        var random = new Random(1);
        for (int i = 0; i < files; i++) {
            var file = tree.resolve("class%03d/%06d.jpg".formatted(i % 100, i));
            int size = MEAN_BYTES / 4 + random.nextInt(MEAN_BYTES * 3 / 2);
            if (!Files.exists(file)) {
                Files.createDirectories(file.getParent());
                var bytes = new byte[size];
                random.nextBytes(bytes);
                Files.write(file, bytes);
            }
        }
    }

    private void run(int rounds) throws Exception {
        System.out.printf(
                Locale.ROOT,
                "machine cpus=%d java=%s heap=%dMiB os=%s %s%n",
                Runtime.getRuntime().availableProcessors(),
                Runtime.version(),
                Runtime.getRuntime().maxMemory() >> 20,
                System.getProperty("os.name"),
                System.getProperty("os.version"));
        var ratios = new ArrayList<Double>();
        for (int round = 0; round < rounds; round++) {
            double tar = tar();
            double ours = build(round);
            if (round > 0) {
                ratios.add(tar / ours);
            }
            System.out.printf(
                    Locale.ROOT,
                    "round=%d tarSeconds=%.2f buildSeconds=%.2f ratio=%.2f%n",
                    round,
                    tar,
                    ours,
                    tar / ours);
        }
        System.out.printf(
                Locale.ROOT,
                "ratios without the first round: median=%.2f least=%.2f most=%.2f load=%.1f (goal 0.50)%n",
                median(ratios),
                Collections.min(ratios),
                Collections.max(ratios),
                system.getSystemLoadAverage());
    }

    private static double median(List<Double> values) {
        var sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    private double tar() throws Exception {
        var out = folder.resolve("reference.tar");
        Files.deleteIfExists(out);
        long start = System.nanoTime();
        var tar = new ProcessBuilder("tar", "-cf", out.toString(), "-C", tree.toString(), ".")
                .inheritIO()
                .start();
        if (tar.waitFor() != 0) {
            throw new IOException("tar failed");
        }
        double seconds = (System.nanoTime() - start) / 1e9;
        Files.delete(out);
        return seconds;
    }

    private double build(int round) throws Exception {
        var root = folder.resolve("store-" + round);
        int shards = Integer.getInteger("shards", 2);
        var limits = new AssemblyLimits(
                Integer.getInteger("readers", 64), Integer.getInteger("ahead", 32) * (1L << 20), shards);
        try (var store = DirectoryStore.open(root);
                var source = new DirectorySource(tree);
                var standIn = new MetadataStandIn();
                var metadata = standIn.client();
                var assembly = new ShardAssembly(limits);
                var builders = Executors.newFixedThreadPool(shards)) {
            var plans = new ArrayList<ShardPlanned>();
            for (var samples : shards(Folders.samples(source))) {
                plans.add(Folders.plan(store, Folders.ref(plans.size()), "tree", samples));
            }
            plans.forEach(standIn::planned);
            var patience = BuildFixture.impatience();
            var build = new BuildShard(
                    metadata, store, reference -> source, assembly, patience, Duration.ofSeconds(10), () -> false);
            long cpu = system.getProcessCpuTime();
            long start = System.nanoTime();
            var outcomes = builders.invokeAll(plans.stream()
                    .<Callable<Outcome>>map(plan -> () -> build.build(plan))
                    .toList());
            for (var outcome : outcomes) {
                if (!(outcome.get() instanceof Outcome.Sealed)) {
                    throw new IllegalStateException("not sealed: " + outcome.get());
                }
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            long bytes = plans.stream().mapToLong(ShardPlanned::bytes).sum();
            System.out.printf(
                    Locale.ROOT,
                    "  build shards=%d MiB=%d cpuSeconds=%.2f%n",
                    plans.size(),
                    bytes >> 20,
                    (system.getProcessCpuTime() - cpu) / 1e9);
            return seconds;
        } finally {
            try (var paths = Files.walk(root)) {
                for (var path : paths.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(path);
                }
            }
        }
    }

    /// In a seeded random order, as plans are.
    private static List<List<PlannedSample>> shards(List<PlannedSample> samples) {
        Collections.shuffle(samples, new Random(7));
        var shards = new ArrayList<List<PlannedSample>>();
        var open = new ArrayList<PlannedSample>();
        long bytes = 0;
        for (var sample : samples) {
            open.add(sample);
            bytes += sample.tarBytes();
            if (bytes >= SHARD_BYTES) {
                shards.add(List.copyOf(open));
                open.clear();
                bytes = 0;
            }
        }
        if (!open.isEmpty()) {
            shards.add(List.copyOf(open));
        }
        return shards;
    }
}
