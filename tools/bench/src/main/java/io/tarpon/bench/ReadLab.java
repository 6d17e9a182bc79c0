package io.tarpon.bench;

import io.tarpon.bench.disk.FileTree;
import io.tarpon.bench.disk.WorkFolder;
import io.tarpon.bench.lab.Lab;
import io.tarpon.bench.lab.Link;
import io.tarpon.bench.lab.MemberSettings;
import io.tarpon.bench.lab.Metrics;
import io.tarpon.bench.lab.Nginx;
import io.tarpon.bench.load.HttpConnection;
import io.tarpon.bench.load.Request;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Member;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Datasets on three block services, all blocks filled, read by two gateways: one on the machine of all three, which
/// sends every block from its file, and one on a machine of its own, which fetches every block over HTTP. Beside them
/// nginx with the same shards as files under the same paths.
///
/// Owned by one thread.
final class ReadLab implements AutoCloseable {
    private static final String DATASET = "bench";
    private static final List<String> ORIGINS = List.of("local", "remote", "store");
    private static final String HOST = "bench-host";
    private static final String ELSEWHERE = "bench-elsewhere";
    private static final int MEAN_FILE_BYTES = 100 << 10;
    private static final int FILES = 10_000;

    /// A shard.
    ///
    /// @param file its copy that nginx serves, of a dataset that it does
    record Shard(String path, long bytes, int crc32c, Path file) {}

    private final Lab lab;
    private final List<Member> blocks;
    private final Member gateway;
    private final Member local;
    private @Nullable Member remote;
    private final Map<String, List<Shard>> shards = new HashMap<>();
    private final Optional<Member> nginxFiles;
    private final Optional<Member> nginxProxy;

    private ReadLab(Bench bench, Lab lab, String what, List<LabDataset> datasets) throws IOException {
        var home = bench.work().folder(what);
        this.lab = lab;
        var plan = lab.plan(false);
        var started = lab.start(plan.members().stream()
                .filter(member -> !member.name().equals(ClusterPlan.GATEWAY))
                .map(ReadLab::onHost)
                .toList());
        this.blocks = started.stream().filter(ReadLab::isBlockService).toList();
        this.gateway = plan.member(ClusterPlan.GATEWAY);
        this.local = lab.start(MemberSettings.with(gateway, Map.of("tarpon.node.host", HOST)));
        lab.context().cluster().awaitNodes(lab.roster());
        for (var dataset : datasets) {
            ingest(dataset, bench.work().folder(what + "/tree"));
        }
        started.stream()
                .filter(member -> member.name().equals(ClusterPlan.INGEST)
                        || member.name().equals(ClusterPlan.SHARD))
                .forEach(lab::stop);
        for (var dataset : datasets) {
            shards.put(dataset.name(), fetchShards(dataset, home.resolve("www")));
        }
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

    /// With the dataset of the rows of reads.
    static ReadLab open(Bench bench) throws IOException {
        var settings = bench.settings();
        var files = settings.scaled(FILES);
        var shardBytes = LabDataset.shardBytes(settings);
        return open(bench, "read", List.of(new LabDataset(DATASET, files, MEAN_FILE_BYTES, shardBytes, true)));
    }

    /// @param what of this run the datasets are for
    static ReadLab open(Bench bench, String what, List<LabDataset> datasets) throws IOException {
        var home = bench.work().folder(what);
        bench.work()
                .requireRoom(6 * datasets.stream().mapToLong(LabDataset::bytes).sum(), what);
        bench.note(what + ": starting a cluster and making datasets");
        var lab = Lab.open(bench.console(), home.resolve("state"), bench.product());
        try {
            return new ReadLab(bench, lab, what, datasets);
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

    private void ingest(LabDataset dataset, Path folder) throws IOException {
        var tree = new FileTree(dataset.files(), dataset.meanBytes());
        tree.write(folder);
        Datasets.ingest(lab, Datasets.folder(lab, folder), dataset.name(), dataset.shardBytes(), tree.files());
        WorkFolder.delete(folder);
    }

    /// Every shard, through the gateway, where nginx serves it into its file, its bytes checked against the manifest.
    private List<Shard> fetchShards(LabDataset dataset, Path www) throws IOException {
        var fetched = new ArrayList<Shard>();
        try (var connection = HttpConnection.open(local.url())) {
            for (var shard : lab.context().gateway(lab.roster()).shards(dataset.name(), "v1", "train")) {
                var path = "/d/" + dataset.name() + "/v1/train/" + shard.name() + ".tar";
                var crc = Integer.parseUnsignedInt(String.valueOf(shard.crc32c()), 16);
                var file = www.resolve(path.substring(1));
                if (dataset.served()) {
                    copy(dataset, shard.name(), file, crc);
                } else {
                    connection.exchange(Request.get(path, shard.bytes()).checked(crc));
                }
                fetched.add(new Shard(path, shard.bytes(), crc, file));
            }
        }
        return List.copyOf(fetched);
    }

    private void copy(LabDataset dataset, String shard, Path file, int crc) throws IOException {
        try (var bytes = lab.context().gateway(lab.roster()).shard(dataset.name(), "v1", "train", shard)) {
            if (WorkFolder.write(file, bytes) != crc) {
                throw CommandFailure.failed(shard + " came with WRONG BYTES", "");
            }
        }
    }

    /// Of the dataset of the rows of reads.
    List<Shard> shards() {
        return shards(DATASET);
    }

    /// In order.
    List<Shard> shards(String dataset) {
        var known = shards.get(dataset);
        if (known == null) {
            throw new IllegalArgumentException("no dataset " + dataset + " was made");
        }
        return known;
    }

    Member local() {
        return local;
    }

    /// Started when it is first asked for.
    Member remote() {
        if (remote == null) {
            remote = lab.start(twin("loader-gateway-remote", ELSEWHERE));
        }
        return remote;
    }

    private Member twin(String name, String host) {
        return MemberSettings.with(
                MemberSettings.twin(gateway, name, lab.freePort()), Map.of("tarpon.node.host", host));
    }

    /// One more gateway on the machine of the block services, just started: it has no file open and trusts no byte yet.
    Member freshLocal() {
        return lab.start(twin("loader-gateway-fresh", HOST));
    }

    void stop(Member member) {
        lab.stop(member);
    }

    /// A link to the local gateway; one of a lab.
    ///
    /// @param latencyMs before each request arrives
    Link linkToLocal(int latencyMs) throws IOException {
        return Link.open(lab, local, latencyMs, 0);
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
    /// would be of something else.
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
