package io.tarpon.shard;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.tarpon.shard.assembly.AssemblyLimits;
import io.tarpon.shard.assembly.ShardAssembly;
import io.tarpon.store.ObjectSource;
import io.tarpon.store.directory.DirectoryStore;
import io.tarpon.wire.event.TarponEvent.ShardPlanned;
import io.tarpon.wire.plan.PlannedSample;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/// `LinkBench FOLDER [objects] [latencyMillis]`: builds shards from the local S3 server behind a link on which every
/// request takes so long, beside one connection that reads one object after the other; prints the ratio of their rates
/// (goal 20). Needs the packaged `local-servers`.
public final class LinkBench {
    private static final int OBJECT_BYTES = 20 << 10;
    private static final int ONE_CONNECTION_OBJECTS = 60;
    private static final Path SERVERS = Path.of("..", "tools", "local-servers");

    private final Path folder;
    private final List<Process> servers = new ArrayList<>();

    private LinkBench(Path folder) {
        this.folder = folder;
    }

    public static void main(String[] args) throws Exception {
        var bench = new LinkBench(Files.createDirectories(Path.of(args[0]).toAbsolutePath()));
        try {
            bench.run(
                    args.length > 1 ? Integer.parseInt(args[1]) : 4000,
                    args.length > 2 ? Integer.parseInt(args[2]) : 30);
        } finally {
            bench.servers.forEach(Process::destroy);
        }
    }

    private void run(int objects, int latencyMillis) throws Exception {
        int s3 = start("s3", "io.tarpon.servers.s3.S3Server", "--data-dir", folder.toString(), "--bucket", "raw");
        int link = start(
                "link",
                "io.tarpon.servers.link.SlowLink",
                "--to",
                "127.0.0.1:" + s3,
                "--request-latency-ms",
                Integer.toString(latencyMillis));
        putObjects(s3, objects);
        try (var near = S3Sources.at(s3);
                var far = S3Sources.at(link)) {
            var samples = new ArrayList<>(Folders.samples(near.open("raw")));
            Collections.shuffle(samples, new Random(7));
            double one = oneConnection(far.open("raw"), samples.subList(0, ONE_CONNECTION_OBJECTS));
            for (int round = 0; round < 4; round++) {
                double ours = build(far.open("raw"), samples, round);
                System.out.printf(
                        Locale.ROOT,
                        "round=%d oneConnection=%.0f/s build=%.0f/s ratio=%.1f%n",
                        round,
                        one,
                        ours,
                        ours / one);
            }
        }
    }

    private static double oneConnection(ObjectSource source, List<PlannedSample> samples) throws IOException {
        long start = System.nanoTime();
        for (var sample : samples) {
            for (var member : sample.members()) {
                try (var in = source.open(member.sourceKey(), member.etag(), member.size())) {
                    in.readAllBytes();
                }
            }
        }
        return samples.size() / ((System.nanoTime() - start) / 1e9);
    }

    private double build(ObjectSource source, List<PlannedSample> samples, int round) throws Exception {
        int shards = Integer.getInteger("shards", 2);
        var limits = new AssemblyLimits(Integer.getInteger("readers", 64), 32L << 20, shards);
        try (var store = DirectoryStore.open(folder.resolve("store-" + round));
                var standIn = new MetadataStandIn();
                var metadata = standIn.client();
                var assembly = new ShardAssembly(limits);
                var builders = Executors.newFixedThreadPool(shards)) {
            var plans = new ArrayList<ShardPlanned>();
            int each = samples.size() / 4;
            for (int shard = 0; shard < 4; shard++) {
                var part = samples.subList(shard * each, (shard + 1) * each);
                plans.add(Folders.plan(store, Folders.ref(shard), "raw", part));
            }
            plans.forEach(standIn::planned);
            var patience = BuildFixture.impatience();
            var build = new BuildShard(
                    metadata, store, _ -> source, assembly, patience, Duration.ofSeconds(10), () -> false);
            long start = System.nanoTime();
            var outcomes = builders.invokeAll(plans.stream()
                    .<Callable<Outcome>>map(plan -> () -> build.build(plan))
                    .toList());
            for (var outcome : outcomes) {
                if (!(outcome.get() instanceof Outcome.Sealed)) {
                    throw new IllegalStateException("not sealed: " + outcome.get());
                }
            }
            return 4.0 * each / ((System.nanoTime() - start) / 1e9);
        }
    }

    private static void putObjects(int port, int objects) throws Exception {
        var random = new Random(1);
        try (var client = HttpClient.newHttpClient()) {
            for (int i = 0; i < objects; i++) {
                var bytes = new byte[OBJECT_BYTES];
                random.nextBytes(bytes);
                var key = "class%03d/%06d.jpg".formatted(i % 50, i);
                var put = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/raw/" + key))
                        .PUT(BodyPublishers.ofByteArray(bytes))
                        .build();
                if (client.send(put, BodyHandlers.discarding()).statusCode() != 200) {
                    throw new IOException("not put: " + key);
                }
            }
        }
    }

    private int start(String module, String main, String... args) throws IOException {
        var target = SERVERS.resolve(module).resolve("target");
        var command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx192m", "-XX:+UseSerialGC"));
        command.addAll(List.of(
                "-cp", target.resolve("lib") + "/*:" + target.resolve("local-servers-" + module + ".jar"), main));
        command.addAll(List.of("--port", "0"));
        command.addAll(List.of(args));
        var log = folder.resolve(module + ".log").toFile();
        var process = new ProcessBuilder(command).redirectError(log).start();
        servers.add(process);
        var ready = String.valueOf(process.inputReader(UTF_8).readLine());
        if (!ready.startsWith("ready ")) {
            throw new IOException(module + " does not start, see " + log);
        }
        return Integer.parseInt(ready.replaceFirst("^.* port=(\\d+).*$", "$1"));
    }
}
