package io.tarpon.bench;

import io.tarpon.bench.disk.FileTree;
import io.tarpon.bench.disk.WorkFolder;
import io.tarpon.bench.load.HttpConnection;
import io.tarpon.bench.load.Request;
import io.tarpon.cluster.CommandFailure;
import io.tarpon.store.ObjectStore;
import io.tarpon.wire.ShardRef;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.gateway.ShardsDocument;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.zip.CRC32C;

/// Cold shards from an object store that is far away. Each shard is cold once, so each round has its own.
final class ColdRows {
    private static final int READERS = 12;
    private static final int MEAN_FILE_BYTES = 100 << 10;
    private static final int BUFFER_BYTES = 256 << 10;
    private static final String SINGLE = "single";
    private static final String SHARED = "shared";

    private final Bench bench;
    private final FarLab far;
    private final ObjectStore direct;

    private ColdRows(Bench bench, FarLab far, ObjectStore direct) {
        this.bench = bench;
        this.far = far;
        this.direct = direct;
    }

    static List<BenchRow> cold(Bench bench) throws IOException {
        bench.work().requireRoom(bench.settings().quick() ? 2L << 30 : 10L << 30, BenchNames.COLD);
        bench.note(BenchNames.COLD + ": starting a cluster on S3 and making datasets");
        try (var far = FarLab.open(bench, "cold");
                var direct = far.storage()) {
            return new ColdRows(bench, far, direct.store()).rows();
        }
    }

    private List<BenchRow> rows() throws IOException {
        long shardBytes = bench.settings().quick() ? 32L << 20 : 256L << 20;
        var single = ingest(SINGLE, shardBytes, bench.settings().rounds() + 1);
        var shared = ingest(SHARED, shardBytes / 4, 8);
        bench.note(BenchNames.COLD + ": reading");
        // The last shard warms what is no block: connections, compiled code, the client.
        throughTarpon(single.getLast());
        direct(single.getLast());
        var outcome = Duel.run(
                bench.settings().rounds(),
                round -> throughTarpon(single.get(round)),
                round -> direct(single.get(round)));
        var ratio = bytesRead(shared)
                / (double) shared.stream().mapToLong(Shard::bytes).sum();
        return List.of(
                new Row(BenchNames.COLD, "MB/s", 1e6, "", 0)
                        .rate(outcome, "a plain S3 read, one connection", Goal.atLeast(Goal.Figure.RATIO, 1.0)),
                BenchRow.of(
                        BenchNames.COLD + "/store-bytes",
                        "read/stored",
                        ratio,
                        null,
                        null,
                        null,
                        Goal.atMost(Goal.Figure.TARPON, 1.01)));
    }

    private record Shard(String path, String key, long bytes, int crc32c) {}

    /// A dataset of at least `shards` shards of about that size; returns them.
    private List<Shard> ingest(String dataset, long shardBytes, int shards) throws IOException {
        var folder = bench.work().folder("cold/" + dataset);
        var tree = new FileTree((int) (shards * shardBytes / MEAN_FILE_BYTES), MEAN_FILE_BYTES);
        tree.write(folder);
        var lab = far.lab();
        Datasets.ingest(lab, Datasets.folder(lab, folder), dataset, shardBytes, tree.files());
        WorkFolder.delete(folder);
        var made = new ArrayList<Shard>();
        try (var metadata = MetadataClient.readOnly(lab.roster().metadata())) {
            for (var shard : lab.context().gateway(lab.roster()).shards(dataset, "v1", "train").stream()
                    .sorted(Comparator.comparing(ShardsDocument.Shard::name))
                    .toList()) {
                made.add(shard(metadata, dataset, shard));
            }
        }
        if (made.size() < shards) {
            throw CommandFailure.failed(made.size() + " shards were made where " + shards + " are needed", "");
        }
        return made;
    }

    private static Shard shard(MetadataClient metadata, String dataset, ShardsDocument.Shard shard) throws IOException {
        var ref = ShardRef.parse(dataset + "/v1/train/" + shard.name());
        return new Shard(
                "/d/" + ref + ".tar",
                metadata.shard(ref).tarKey(ref),
                shard.bytes(),
                Integer.parseUnsignedInt(String.valueOf(shard.crc32c()), 16));
    }

    private Sample throughTarpon(Shard shard) throws IOException {
        var began = System.nanoTime();
        read(shard);
        return new Sample(shard.bytes(), (System.nanoTime() - began) / 1e9, 0, 0);
    }

    private void read(Shard shard) throws IOException {
        try (var connection = HttpConnection.open(far.gateway().url())) {
            connection.exchange(Request.get(shard.path(), shard.bytes()).checked(shard.crc32c()));
        }
    }

    private Sample direct(Shard shard) throws IOException {
        var began = System.nanoTime();
        var crc = new CRC32C();
        var buffer = new byte[BUFFER_BYTES];
        try (var bytes = direct.open(shard.key(), 0, shard.bytes())) {
            for (int read = bytes.read(buffer); read >= 0; read = bytes.read(buffer)) {
                crc.update(buffer, 0, read);
            }
        }
        if ((int) crc.getValue() != shard.crc32c()) {
            throw new IOException("the object store gave WRONG BYTES of " + shard.key());
        }
        return new Sample(shard.bytes(), (System.nanoTime() - began) / 1e9, 0, 0);
    }

    /// Bytes that the link carried while twelve readers each read all shards, beginning at different ones.
    private long bytesRead(List<Shard> shards) throws IOException {
        var before = far.carried();
        try (var readers = Executors.newFixedThreadPool(READERS)) {
            var tasks = new ArrayList<Callable<Void>>();
            for (int reader = 0; reader < READERS; reader++) {
                int first = reader;
                tasks.add(() -> {
                    for (int i = 0; i < shards.size(); i++) {
                        read(shards.get((first + i) % shards.size()));
                    }
                    return null;
                });
            }
            for (var task : readers.invokeAll(tasks)) {
                task.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw CommandFailure.failed("interrupted", "");
        } catch (ExecutionException e) {
            throw new IOException("a reader failed: " + e.getCause(), e);
        }
        return far.carried() - before;
    }
}
