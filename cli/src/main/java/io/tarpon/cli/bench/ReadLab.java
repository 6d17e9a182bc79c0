package io.tarpon.cli.bench;

import io.tarpon.cli.CommandFailure;
import io.tarpon.cli.bench.disk.FileTree;
import io.tarpon.cli.bench.disk.WorkFolder;
import io.tarpon.cli.bench.lab.Lab;
import io.tarpon.cli.bench.lab.MemberSettings;
import io.tarpon.cli.bench.lab.Metrics;
import io.tarpon.cli.bench.lab.Nginx;
import io.tarpon.cli.cluster.ClusterPlan;
import io.tarpon.cli.cluster.Member;
import io.tarpon.wire.gateway.ShardsDocument;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// One dataset on three block services, all blocks filled, read by two gateways: one on the machine of all three, which
/// sends every block from its file, and one on a machine of its own, which fetches every block over HTTP. Beside them
/// nginx with the same shards as files under the same paths.
final class ReadLab implements AutoCloseable {
    static final String PATH = "/d/bench/v1/train/";
    private static final List<String> ORIGINS = List.of("local", "remote", "store");
    private static final String HOST = "bench-host";
    private static final String ELSEWHERE = "bench-elsewhere";
    private static final int MEAN_FILE_BYTES = 100 << 10;
    private static final int FILES = 10_000;

    /// A shard, and its copy that nginx serves.
    record Shard(String path, long bytes, int crc32c, Path file) {}

    private final Bench bench;
    private final Lab lab;
    private final List<Member> blocks;
    private final Member local;
    private final Member remote;
    private final List<Shard> shards;
    private final Optional<Member> nginxFiles;
    private final Optional<Member> nginxProxy;

    private ReadLab(Bench bench, Lab lab, Path home) throws IOException {
        this.bench = bench;
        this.lab = lab;
        var plan = lab.plan(false);
        var started = lab.start(plan.members().stream()
                .filter(member -> !member.name().equals(ClusterPlan.GATEWAY))
                .map(ReadLab::onHost)
                .toList());
        this.blocks = started.stream().filter(ReadLab::isBlockService).toList();
        var gateway = plan.member(ClusterPlan.GATEWAY);
        this.local = lab.start(MemberSettings.with(gateway, Map.of("tarpon.node.host", HOST)));
        this.remote = lab.start(MemberSettings.with(
                MemberSettings.twin(gateway, "loader-gateway-remote", lab.freePort()),
                Map.of("tarpon.node.host", ELSEWHERE)));
        ingest(home);
        started.stream()
                .filter(member -> member.name().equals(ClusterPlan.INGEST)
                        || member.name().equals(ClusterPlan.SHARD))
                .forEach(lab::stop);
        this.shards = fetchShards(home.resolve("www"));
        var program = bench.tools().nginx().installed();
        if (program.isPresent()) {
            var nginx = new Nginx(program.get(), lab, home);
            this.nginxFiles = Optional.of(nginx.files(home.resolve("www")));
            this.nginxProxy = Optional.of(nginx.proxy(nginxFiles.get()));
        } else {
            this.nginxFiles = Optional.empty();
            this.nginxProxy = Optional.empty();
        }
    }

    static ReadLab open(Bench bench) throws IOException {
        var home = bench.work().folder("read");
        bench.work().requireRoom(6L * FILES * MEAN_FILE_BYTES, "read");
        bench.note("read: starting a cluster and making a dataset");
        var lab = Lab.open(bench.console(), home.resolve("state"), bench.product());
        try {
            return new ReadLab(bench, lab, home);
        } catch (IOException | RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    private static boolean isBlockService(Member member) {
        return member.name().startsWith("block-svc");
    }

    private static Member onHost(Member member) {
        return isBlockService(member) ? MemberSettings.with(member, Map.of("tarpon.node.host", HOST)) : member;
    }

    private void ingest(Path home) throws IOException {
        lab.context().cluster().awaitNodes(lab.roster());
        var tree = new FileTree(bench.settings().scaled(FILES), MEAN_FILE_BYTES);
        var folder = bench.work().folder("read/tree");
        tree.write(folder);
        Datasets.ingest(
                lab,
                Datasets.folder(lab, folder),
                "bench",
                bench.settings().quick() ? 32L << 20 : 256L << 20,
                tree.files());
        WorkFolder.delete(home.resolve("tree"));
    }

    /// Every shard, through the gateway into the file that nginx serves, its bytes checked against the manifest.
    private List<Shard> fetchShards(Path www) throws IOException {
        var gateway = lab.context().gateway(lab.roster());
        var fetched = new ArrayList<Shard>();
        for (ShardsDocument.Shard shard : gateway.shards("bench", "v1", "train")) {
            var path = PATH + shard.name() + ".tar";
            var file = www.resolve(path.substring(1));
            int crc;
            try (var bytes = gateway.shard("bench", "v1", "train", shard.name())) {
                crc = WorkFolder.write(file, bytes);
            }
            if (!String.format("%08x", crc).equals(shard.crc32c())) {
                throw CommandFailure.failed(shard.name() + " came with WRONG BYTES", "");
            }
            fetched.add(new Shard(path, shard.bytes(), crc, file));
        }
        return List.copyOf(fetched);
    }

    List<Shard> shards() {
        return shards;
    }

    Member local() {
        return local;
    }

    Member remote() {
        return remote;
    }

    Optional<Member> nginxFiles() {
        return nginxFiles;
    }

    Optional<Member> nginxProxy() {
        return nginxProxy;
    }

    /// The processes that a read through this gateway costs.
    List<Member> serversBehind(Member gateway) {
        var servers = new ArrayList<>(blocks);
        servers.add(gateway);
        return servers;
    }

    /// Runs `reads` and fails unless nearly all bytes that `gateway` sent meanwhile came from there: else the figure
    /// would
    /// be of something else.
    <T> T allFrom(Member gateway, String origin, Reads<T> reads) throws IOException {
        var before = sent(gateway, ReadLab::any);
        var beforeFromThere = sent(gateway, origin::equals);
        var result = reads.run();
        var share = (sent(gateway, origin::equals) - beforeFromThere) / (sent(gateway, ReadLab::any) - before);
        if (!(share >= 0.99)) {
            throw CommandFailure.failed("only %.1f %% of the bytes were %s".formatted(100 * share, origin), "");
        }
        return result;
    }

    /// Something measured.
    interface Reads<T> {
        T run() throws IOException;
    }

    private static boolean any(String origin) {
        return ORIGINS.contains(origin);
    }

    private double sent(Member gateway, Predicate<String> origin) throws IOException {
        var metrics = Metrics.of(lab.context().http(), gateway.url());
        return ORIGINS.stream()
                .filter(origin)
                .mapToDouble(from -> metrics.sum("tarpon_gateway_bytes_total", "from", from))
                .sum();
    }

    @Override
    public void close() {
        lab.close();
    }
}
