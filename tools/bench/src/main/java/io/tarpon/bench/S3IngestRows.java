package io.tarpon.bench;

import io.tarpon.bench.disk.FileTree;
import io.tarpon.bench.lab.Lab;
import io.tarpon.bench.lab.Link;
import io.tarpon.bench.lab.MemberSettings;
import io.tarpon.cluster.ClusterStorage;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Member;
import io.tarpon.store.ObjectStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Small objects of a bucket that is far away, 30 ms before each answer, from the request to the sealed
/// version, beside one connection that reads some of them one after the other. Only raw data come over the slow
/// link.
final class S3IngestRows {
    private static final int OBJECTS = 20_000;
    private static final int SAMPLED = 100;
    private static final int MEAN_BYTES = 20 << 10;
    private static final int LATENCY_MS = 30;
    private static final int UPLOADERS = 16;
    private static final long SHARD_BYTES = 64L << 20;
    private static final String SOURCE = "raw";

    /// Raw data lie in the store's bucket, because that is where this process has a way to write.
    private static final String PREFIX = "raw/";

    private final Bench bench;
    private final Lab lab;
    private final List<Member> servers;
    private final ObjectStore overLink;
    private final int objects;

    private S3IngestRows(Bench bench, Lab lab, List<Member> servers, ObjectStore overLink) {
        this.bench = bench;
        this.lab = lab;
        this.servers = servers;
        this.overLink = overLink;
        this.objects = bench.settings().scaled(OBJECTS);
    }

    static List<BenchRow> s3(Bench bench) throws IOException {
        var home = bench.work().folder("s3");
        bench.work().requireRoom(20L * bench.settings().scaled(OBJECTS) * MEAN_BYTES, BenchNames.S3);
        bench.note(BenchNames.S3 + ": starting a cluster on S3 and uploading objects");
        try (var lab = Lab.open(bench.console(), home.resolve("state"), bench.product())) {
            var plan = lab.plan(true);
            var s3 = lab.start(plan.member(ClusterPlan.S3));
            var link = Link.open(lab, s3, LATENCY_MS, 0);
            var servers = lab.start(plan.members().stream()
                    .filter(member ->
                            FileIngestRows.isNeeded(member) && !member.name().equals(ClusterPlan.S3))
                    .map(member -> sourceOverLink(member, link))
                    .toList());
            try (var near = ClusterStorage.open(lab.context().state(), lab.roster());
                    var far = ClusterStorage.open(lab.context().state(), FarLab.atLink(lab.roster(), link))) {
                var rows = new S3IngestRows(bench, lab, servers, far.store());
                rows.upload(near.store());
                return rows.rows();
            }
        }
    }

    private static Member sourceOverLink(Member member, Link link) {
        if (!member.name().equals(ClusterPlan.INGEST) && !member.name().equals(ClusterPlan.SHARD)) {
            return member;
        }
        var source = "tarpon.sources." + SOURCE + ".";
        return MemberSettings.with(
                member,
                Map.of(source + "endpoint", link.url(), source + "bucket", "tarpon", source + "prefix", PREFIX));
    }

    private void upload(ObjectStore near) throws IOException {
        var room = new Semaphore(2 * UPLOADERS);
        var uploads = new ArrayList<Future<?>>();
        try (var uploaders = Executors.newFixedThreadPool(UPLOADERS)) {
            new FileTree(objects, MEAN_BYTES).each((name, bytes) -> {
                acquire(room);
                uploads.add(uploaders.submit(() -> {
                    try {
                        near.write(PREFIX + name, bytes);
                        return null;
                    } finally {
                        room.release();
                    }
                }));
            });
            for (var upload : uploads) {
                upload.get();
            }
        } catch (InterruptedException e) {
            throw interrupted();
        } catch (java.util.concurrent.ExecutionException e) {
            throw new IOException("an upload failed: " + e.getCause(), e);
        }
    }

    private static void acquire(Semaphore room) {
        try {
            room.acquire();
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    private static CommandFailure interrupted() {
        Thread.currentThread().interrupt();
        return CommandFailure.failed("interrupted", "");
    }

    private List<BenchRow> rows() throws IOException {
        bench.note(BenchNames.S3 + ": ingesting");
        oneConnection();
        var outcome = Duel.run(bench.settings().rounds(), round -> ingest("s3-" + round), round -> oneConnection());
        return List.of(Row.ofRequests(BenchNames.S3, "objects/s")
                .rate(outcome, "one connection, one object after the other", Goal.atLeast(Goal.Figure.RATIO, 20)));
    }

    private Sample ingest(String dataset) throws IOException {
        var window = new CpuWindow(servers);
        window.begin();
        var began = System.nanoTime();
        Datasets.ingest(lab, SOURCE, dataset, SHARD_BYTES, objects);
        return window.end((double) objects, (System.nanoTime() - began) / 1e9);
    }

    /// Asks for the first byte on, in one thread, so that the client keeps one connection.
    private Sample oneConnection() throws IOException {
        var sample = Math.min(SAMPLED, objects);
        var began = System.nanoTime();
        for (int number = 0; number < sample; number++) {
            try (var bytes = overLink.open(PREFIX + FileTree.name(number), 0, MEAN_BYTES / 2)) {
                if (bytes.readAllBytes().length != MEAN_BYTES / 2) {
                    throw new IOException("an object came short");
                }
            }
        }
        return new Sample(sample, (System.nanoTime() - began) / 1e9, 0, 0);
    }
}
