package io.tarpon.bench;

import io.tarpon.bench.disk.MachineFacts;
import io.tarpon.bench.load.Load;
import io.tarpon.bench.load.Request;
import io.tarpon.bench.load.SlowReaders;
import io.tarpon.cluster.plan.Member;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// What a thousand slow readers cost the gateway and the others. All blocks are remote, so that what waits for a reader
/// waits in the gateway.
final class SlowRows {
    private static final int READERS = 1_000;
    private static final int BYTES_PER_SECOND = 1 << 10;
    private static final double MIB = 1 << 20;
    private static final double GIB = 1 << 30;

    private final Bench bench;
    private final ReadLab lab;

    SlowRows(Bench bench, ReadLab lab) {
        this.bench = bench;
        this.lab = lab;
    }

    List<BenchRow> slow() throws IOException {
        var gateway = lab.remote();
        var beside = new ArrayList<Double>();
        var alone = new ArrayList<Double>();
        rate(gateway);
        for (int round = 0; round < bench.settings().rounds(); round++) {
            alone.add(rate(gateway));
            beside.add(besideSlow(gateway));
        }
        return List.of(
                BenchRow.of(
                        BenchNames.SLOW,
                        "GiB/s",
                        median(beside),
                        median(alone),
                        "the same reader alone",
                        null,
                        Goal.atLeast(Goal.Figure.RATIO, 0.8)),
                BenchRow.of(
                        BenchNames.SLOW + "/gateway-peak",
                        "MiB resident",
                        peakMebibytes(gateway.pid()),
                        null,
                        null,
                        null,
                        Goal.atMost(Goal.Figure.TARPON, 512)));
    }

    private static double median(List<Double> rates) {
        return Series.median(rates.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private double besideSlow(Member gateway) throws IOException {
        var requests = lab.shards().stream()
                .map(shard -> Request.get(shard.path(), shard.bytes()))
                .toList();
        try (var slow = new SlowReaders(
                gateway.url(), reader -> requests.get(reader % requests.size()), READERS, BYTES_PER_SECOND)) {
            requireServed(slow.start(), slow.ended());
            var rate = rateOrNone(gateway);
            requireServed(slow.waiting(), slow.ended());
            return rate;
        }
    }

    /// Beside readers that are not there a figure says nothing; one in a hundred may be missing.
    ///
    /// @param waiting slow readers without a byte
    /// @param ended slow readers that were refused or cut
    static void requireServed(int waiting, int ended) throws IOException {
        if (waiting + ended > READERS / 100) {
            throw new IOException("of %d slow readers %d had no byte after a while, %d were refused or cut"
                    .formatted(READERS, waiting, ended));
        }
    }

    static double peakMebibytes(long pid) throws IOException {
        var bytes = MachineFacts.peakResidentBytes(pid);
        if (bytes == 0) {
            throw new IOException("the peak resident memory of the gateway (pid " + pid + ") cannot be told");
        }
        return bytes / MIB;
    }

    /// That a reader gets nothing beside slow ones is a figure, too.
    private double rateOrNone(Member gateway) {
        try {
            return rate(gateway);
        } catch (IOException e) {
            bench.note(BenchNames.SLOW + ": the reader beside slow ones: " + e.getMessage());
            return 0;
        }
    }

    /// GiB a second, of whole shards with their bytes checked.
    private double rate(Member gateway) throws IOException {
        var shard = lab.shards().getFirst();
        var request = Request.get(shard.path(), shard.bytes()).checked(shard.crc32c());
        var result = Load.run(gateway.url(), 1, bench.settings().runTime(), client -> () -> request, () -> {});
        return result.bytes() / GIB / result.seconds();
    }
}
