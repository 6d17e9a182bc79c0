package io.tarpon.bench;

import io.tarpon.bench.load.HttpConnection;
import io.tarpon.bench.load.Load;
import io.tarpon.bench.load.Request;
import io.tarpon.wire.json.Json;
import io.tarpon.wire.tar.Ustar;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/// A thousand samples of 10 KiB in random order by one request, beside a request for each of them, by one client on one
/// connection.
final class BatchRows {
    private static final int SAMPLES = 1_000;
    private static final int BATCHES = 4;
    private static final int REQUESTS = 200;
    private static final int LATENCY_MS = 1;
    private static final long SEED = 1_000;
    private static final String REFERENCE = "a GET for each sample, one connection";

    private final Bench bench;
    private final ReadLab lab;
    private final List<List<Integer>> batches;

    BatchRows(Bench bench, ReadLab lab) {
        this.bench = bench;
        this.lab = lab;
        var random = new SplittableRandom(SEED);
        int samples = bench.settings().scaled(EpochDatasets.SMALL_SAMPLES);
        this.batches = Stream.generate(() -> draw(random, samples, SAMPLES))
                .limit(BATCHES)
                .toList();
    }

    List<BenchRow> ordered() throws IOException {
        requireSame();
        var rows = new ArrayList<BenchRow>();
        rows.add(row(BenchNames.BATCH_ORDERED, lab.local().url(), 1.5));
        var times = new ArrayList<Times>();
        for (int round = 0; round < bench.settings().rounds(); round++) {
            times.add(firstBytes());
        }
        var goal = Goal.atMost(Goal.Figure.TARPON, 5);
        rows.addAll(new TimesSeries(times).rows(BenchNames.BATCH_ORDERED + "/first-byte", "", goal));
        return rows;
    }

    List<BenchRow> link() throws IOException {
        requireSame();
        return List.of(row(BenchNames.BATCH_LINK, lab.linkToLocal(LATENCY_MS).url(), 8));
    }

    private BenchRow row(String name, String url, double least) throws IOException {
        var servers = lab.serversBehind(lab.local());
        var whole = batches.stream().map(BatchRows::batch).toList();
        var single = batches.stream().flatMap(List::stream).map(BatchRows::get).toList();
        var tarpon = Loads.of(url, servers, 1, client -> Loads.cycle(whole), result -> result.requests() * SAMPLES);
        var reference = Loads.of(url, servers, 1, client -> Loads.cycle(single), Load.Result::requests);
        var outcome =
                lab.allFrom(lab.local(), "local", () -> Loads.duel(bench.settings(), tarpon, Optional.of(reference)));
        return Row.ofRequests(name, "samples/s").rate(outcome, REFERENCE, Goal.atLeast(Goal.Figure.RATIO, least));
    }

    private Times firstBytes() throws IOException {
        var requests = Loads.cycle(batches.stream().map(BatchRows::batch).toList());
        try (var connection = HttpConnection.open(lab.local().url())) {
            return Times.of(REQUESTS, number -> connection.timed(requests.get()).nanosToFirstByte());
        }
    }

    /// Different samples, in no order.
    static List<Integer> draw(SplittableRandom random, int of, int count) {
        return random.ints(0, of).distinct().limit(count).boxed().toList();
    }

    /// The body of `POST /v1/batch`.
    private record Batch(String dataset, String version, String split, List<Integer> samples) {}

    static Request batch(List<Integer> ordinals) {
        return Request.send(
                "POST", "/v1/batch", "", Json.text(new Batch(EpochDatasets.SMALL, "v1", "train", ordinals)));
    }

    private static Request get(int ordinal) {
        return Request.document("/d/" + EpochDatasets.SMALL + "/v1/train/samples/" + ordinal);
    }

    /// Fails unless each batch is the samples as they come one by one, in the order asked.
    private void requireSame() throws IOException {
        try (var connection = HttpConnection.open(lab.local().url())) {
            for (var ordinals : batches) {
                var expected = expected(connection, ordinals);
                try {
                    connection.exchange(batch(ordinals).checked(expected));
                } catch (IOException e) {
                    throw new IOException("POST /v1/batch: " + e.getMessage(), e);
                }
            }
        }
    }

    private static int expected(HttpConnection connection, List<Integer> ordinals) throws IOException {
        var crc = new CRC32C();
        for (var ordinal : ordinals) {
            var sample = new ByteArrayOutputStream();
            connection.exchange(get(ordinal), part -> copy(part, sample));
            crc.update(sample.toByteArray(), 0, sample.size() - Ustar.END_BYTES);
        }
        crc.update(Ustar.end());
        return (int) crc.getValue();
    }

    private static void copy(ByteBuffer part, ByteArrayOutputStream to) {
        var bytes = new byte[part.remaining()];
        part.get(bytes);
        to.writeBytes(bytes);
    }
}
