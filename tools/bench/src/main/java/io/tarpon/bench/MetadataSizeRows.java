package io.tarpon.bench;

import io.tarpon.bench.disk.MachineFacts;
import io.tarpon.bench.disk.WorkFolder;
import io.tarpon.bench.lab.Lab;
import io.tarpon.bench.load.HttpConnection;
import io.tarpon.bench.load.Request;
import io.tarpon.cluster.plan.ClusterPlan;
import io.tarpon.cluster.plan.Member;
import io.tarpon.wire.DatasetName;
import io.tarpon.wire.Digests;
import io.tarpon.wire.ShardName;
import io.tarpon.wire.SplitName;
import io.tarpon.wire.VersionId;
import io.tarpon.wire.client.MetadataClient;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.metadata.BeginVersion;
import io.tarpon.wire.metadata.DatasetSpec;
import io.tarpon.wire.metadata.Inputs;
import io.tarpon.wire.metadata.PlanVersion;
import io.tarpon.wire.metadata.PlannedShard;
import io.tarpon.wire.metadata.PlannedSplit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// What metadata-svc takes for a million shards, planned and not sealed, in a thousand versions: memory, a page of a
/// manifest, how long one plan of many shards keeps a question about another one waiting, and a start from a snapshot
/// with an empty view.
final class MetadataSizeRows {
    private static final int VERSIONS = 1_000;
    private static final int SHARDS = 1_000;
    private static final int LARGE_PLAN_SHARDS = 250_000;
    private static final int PAGES = 200;
    private static final int NOTED = 100;
    private static final double MIB = 1 << 20;
    private static final double MICROS_PER_MILLI = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;
    /// Of a body and the records of one large plan; the view needs none.
    private static final String HEAP = "-Xmx512m";

    private static final DatasetName DATASET = new DatasetName("bench-sizes");
    private static final SplitName SPLIT = new SplitName("train");
    private static final ShardName ASKED = new ShardName(7);

    private final Bench bench;
    private final Lab lab;
    private final MetadataClient client;
    private final int versions;
    private Member metadata;

    private MetadataSizeRows(Bench bench, Lab lab, Member metadata, MetadataClient client) {
        this.bench = bench;
        this.lab = lab;
        this.metadata = metadata;
        this.client = client;
        this.versions = bench.settings().scaled(VERSIONS);
    }

    static List<BenchRow> sizes(Bench bench) throws IOException {
        var home = bench.work().folder("metadata-shards");
        try (var lab = Lab.open(bench.console(), home.resolve("state"), bench.product())) {
            var plan = lab.plan(false);
            lab.start(plan.member(ClusterPlan.BROKER));
            var metadata = lab.start(withHeap(plan.member(ClusterPlan.METADATA)));
            try (var client = new MetadataClient(
                    URI.create(metadata.url()), lab.context().state().token())) {
                return new MetadataSizeRows(bench, lab, metadata, client).rows();
            }
        }
    }

    private static Member withHeap(Member member) {
        var command = member.command().stream()
                .map(word -> word.startsWith("-Xmx") ? HEAP : word)
                .toList();
        return new Member(member.name(), member.url(), command, member.environment(), member.form(), 0, 0);
    }

    private List<BenchRow> rows() throws IOException {
        var name = BenchNames.SIZES;
        for (int number = 1; number <= versions; number++) {
            client.plan(DATASET, begin(number), planned(number, SHARDS));
            if (number % NOTED == 0) {
                bench.note(name + ": " + number * SHARDS + " shards");
            }
        }
        var rows = new ArrayList<BenchRow>();
        rows.add(row("/page", "ms", pages().millis(0.99), Goal.atMost(Goal.Figure.TARPON, 20)));
        rows.add(row("/stall", "ms", longestStall(), Goal.atMost(Goal.Figure.TARPON, 50)));
        rows.add(row(
                "/resident",
                "MiB",
                MachineFacts.peakResidentBytes(metadata.pid()) / MIB,
                Goal.atMost(Goal.Figure.TARPON, 768)));
        bench.note(name + ": a snapshot, and a start from it");
        var begun = System.nanoTime();
        var snapshot = client.takeSnapshot();
        rows.add(row("/snapshot", "s", (System.nanoTime() - begun) / NANOS_PER_SECOND, null));
        rows.add(row("/snapshot-size", "MiB", snapshot.bytes() / MIB, null));
        rows.add(row("/start", "s", startFromSnapshot(), Goal.atMost(Goal.Figure.TARPON, 30)));
        return rows;
    }

    private static BenchRow row(String what, String unit, double value, @Nullable Goal goal) {
        return BenchRow.of(BenchNames.SIZES + what, unit, value, null, null, null, goal);
    }

    private VersionId begin(int number) throws IOException {
        var spec = new DatasetSpec("raw", "none", DatasetSpec.DEFAULT_SHARD_BYTES, 1, 7, 2, false, "allow");
        return client.begin(DATASET, new BeginVersion(DATASET + "-" + number, spec))
                .version();
    }

    private static PlanVersion planned(int number, int shards) {
        var planned = IntStream.range(0, shards)
                .mapToObj(index -> new PlannedShard(
                        new ShardName(index), 1_000, 256 << 20, sha256(number + "/" + index), null, null))
                .toList();
        return new PlanVersion(
                sha256("plan " + number),
                false,
                Inputs.of(1_000L * shards, 0, Map.of()),
                List.of(new PlannedSplit(SPLIT, planned)));
    }

    private static String sha256(String text) {
        return Digests.sha256Hex(text.getBytes(StandardCharsets.UTF_8));
    }

    /// Every so many versions, a whole page of a thousand shards; once over before it counts, for the client's code is
    /// new as well.
    private Times pages() throws IOException {
        asked(PAGES);
        return asked(PAGES);
    }

    private Times asked(int pages) throws IOException {
        return Times.of(pages, number -> {
            var begun = System.nanoTime();
            var page =
                    client.shards(DATASET, new VersionId(1 + number * 7 % versions), SPLIT, Optional.empty(), SHARDS);
            if (page.shards().size() != SHARDS) {
                throw new IOException("a page has " + page.shards().size() + " shards");
            }
            return System.nanoTime() - begun;
        });
    }

    /// Milliseconds that the slowest of questions about a shard took while a large plan was sent, logged and replayed.
    /// Both are bytes on sockets: a client that made them meanwhile would stop for its own garbage.
    private double longestStall() throws IOException {
        var shards = bench.settings().scaled(LARGE_PLAN_SHARDS);
        bench.note(BenchNames.SIZES + ": a plan of " + shards + " shards");
        var version = begin(versions + 1);
        var plan = Request.send(
                "PUT",
                "/v1/datasets/" + DATASET + "/versions/" + version + "/plan",
                "Authorization: " + lab.context().state().token().headerValue() + "\r\n",
                Json.text(planned(versions + 1, shards)));
        var isOver = new AtomicBoolean();
        var longest = CompletableFuture.supplyAsync(() -> slowestQuestion(isOver));
        try (var connection = HttpConnection.open(metadata.url())) {
            connection.exchange(plan);
        } finally {
            isOver.set(true);
        }
        try {
            return longest.get() / MICROS_PER_MILLI;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            throw new IOException("a question failed meanwhile: " + e.getCause(), e);
        }
    }

    /// In microseconds.
    private long slowestQuestion(AtomicBoolean isOver) {
        var question =
                Request.document("/v1/datasets/" + DATASET + "/versions/v1/splits/" + SPLIT + "/shards/" + ASKED);
        long slowest = 0;
        try (var connection = HttpConnection.open(metadata.url())) {
            while (!isOver.get()) {
                var begun = System.nanoTime();
                connection.exchange(question);
                slowest = Math.max(slowest, (System.nanoTime() - begun) / 1_000);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return slowest;
    }

    /// Seconds until it is ready. Its digest is the one that it had.
    private double startFromSnapshot() throws IOException {
        var before = client.digest();
        var stopped = metadata;
        lab.stop(stopped);
        WorkFolder.delete(lab.context().state().paths().metadata(1).resolve("view"));
        var begun = System.nanoTime();
        metadata = lab.start(stopped);
        var seconds = (System.nanoTime() - begun) / NANOS_PER_SECOND;
        var after = client.digest();
        if (!after.equals(before)) {
            throw new IOException("the digest was " + before + ", and is " + after + " from the snapshot");
        }
        return seconds;
    }
}
