package io.tarpon.bench;

import io.tarpon.bench.load.HttpConnection;
import io.tarpon.bench.load.Request;
import io.tarpon.cluster.Pause;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// How soon the first byte of an epoch of many samples comes, on a connection that is open: at the beginning and near
/// the end, of an epoch that was read from before (its plan is warm) and of one that nobody asked for yet.
final class EpochStartRows {
    private static final int REQUESTS = 200;
    private static final double RESUMED_AT = 0.95;
    private static final int LEAST_LEFT = 100_000;

    /// After each, so that the gateway is done with an answer that nobody reads on when the next is asked for.
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Bench bench;
    private final ReadLab lab;

    EpochStartRows(Bench bench, ReadLab lab) {
        this.bench = bench;
        this.lab = lab;
    }

    List<BenchRow> firstByte() throws IOException {
        var warm = EpochDatasets.nextEpoch(EpochDatasets.MANY);
        begin(resumed(warm));
        var rows = new ArrayList<BenchRow>();
        var goal = Goal.atMost(Goal.Figure.TARPON, 5);
        rows.addAll(times(number -> Request.document(warm)).rows(BenchNames.FIRST_BYTE + "/warm", samples(), goal));
        rows.addAll(times(number -> Request.document(EpochDatasets.nextEpoch(EpochDatasets.MANY)))
                .rows(BenchNames.FIRST_BYTE + "/new", samples(), goal));
        return rows;
    }

    List<BenchRow> resume() throws IOException {
        var warm = EpochDatasets.nextEpoch(EpochDatasets.MANY);
        var rows = new ArrayList<BenchRow>();
        rows.addAll(times(number -> resumed(warm))
                .rows(BenchNames.RESUME + "/warm", samples(), Goal.atMost(Goal.Figure.TARPON, 50)));
        rows.addAll(times(number -> resumed(EpochDatasets.nextEpoch(EpochDatasets.MANY)))
                .rows(BenchNames.RESUME + "/new", samples(), Goal.atMost(Goal.Figure.TARPON, 250)));
        return rows;
    }

    private String samples() {
        return ", " + EpochDatasets.manySamples(bench.settings()) + " samples";
    }

    private interface Requests {
        Request of(int number);
    }

    /// Of every round; before the first as many requests that do not count.
    private TimesSeries times(Requests requests) throws IOException {
        var rounds = new ArrayList<Times>();
        for (int round = -1; round < bench.settings().rounds(); round++) {
            var times = Times.of(REQUESTS, number -> begin(requests.of(number)));
            if (round >= 0) {
                rounds.add(times);
            }
        }
        return new TimesSeries(rounds);
    }

    private long begin(Request request) throws IOException {
        try (var connection = HttpConnection.openNarrow(lab.local().url())) {
            var answer = connection.begin(request);
            if (answer.bodyBytes() < LEAST_LEFT) {
                throw new IOException("an epoch with only " + answer.bodyBytes() + " bytes to read");
            }
            return answer.nanosToFirstByte();
        } finally {
            Pause.of(PAUSE);
        }
    }

    private Request resumed(String epoch) {
        long bytes = lab.shards(EpochDatasets.MANY).stream()
                .mapToLong(ReadLab.Shard::bytes)
                .sum();
        return Request.rest(epoch, (long) (bytes * RESUMED_AT));
    }
}
